use mcp_runtime::{prompt, tool, toolset};

struct Desk;

#[toolset(reports)]
impl Desk {
    #[tool]
    fn count(&self) -> usize {
        0
    }

    #[prompt]
    fn review(&self, code: &str) -> String {
        code.to_owned()
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("desk", "1").tools(Desk::reports()).state(Desk);
}
