use mcp_runtime::{prompt, resource, tool, toolset};

struct Desk;

#[toolset]
impl Desk {
    #[tool]
    fn order(&self, #[arg(complete = ids)] id: u32) -> u32 {
        id
    }

    #[prompt(read_only)]
    fn review(&mut self, code: &str) -> String {
        code.to_owned()
    }

    #[resource("orders://{id}")]
    fn read(&self) -> String {
        String::new()
    }

    #[prompt(name = "review")]
    fn review_again(self, #[arg(header = "Code")] code: &str) -> String {
        code.to_owned()
    }

    #[resource("orders://{id}")]
    fn read_again(&self, id: u32) -> String {
        id.to_string()
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("desk", "1").toolset(Desk);
}
