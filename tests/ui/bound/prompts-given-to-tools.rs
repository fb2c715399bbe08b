use mcp_runtime::{Server, prompt, prompts};

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = Server::new("reviewer", "1").tools(prompts![review]);
}
