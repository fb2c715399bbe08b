use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    fn open(&self) {}

    #[tool(name = "open")]
    fn open_all(&self) {}
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
