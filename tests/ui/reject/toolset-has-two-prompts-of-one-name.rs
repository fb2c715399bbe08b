use mcp_runtime::{prompt, toolset};

struct Desk;

#[toolset]
impl Desk {
    #[prompt]
    fn review(&self, code: &str) -> String {
        code.to_owned()
    }

    #[prompt(name = "review")]
    fn review_again(&self, code: &str) -> String {
        code.to_owned()
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("desk", "1").toolset(Desk);
}
