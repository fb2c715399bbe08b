use mcp_runtime::{Server, prompt, prompts, resource, resources};

struct Code(String);

struct Missing;

#[prompt]
fn review(code: Code, #[arg(complete = code_of)] other: &str) -> Result<u32, Missing> {
    Err(Missing).map_err(|Missing| { let _ = (&code.0, other); Missing })
}

#[resource("orders://{id}")]
async fn order(id: Code, page: u32) -> Code {
    Code(format!("{}{page}", id.0))
}

fn code_of(code: &str) -> Code {
    Code(code.to_owned())
}

fn main() {
    let _ = Server::new("desk", "1").prompts(prompts![review]).resources(resources![order]);
}
