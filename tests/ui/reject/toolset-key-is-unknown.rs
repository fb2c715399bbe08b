use mcp_runtime::{tool, toolset};

struct Till;

#[toolset(group = files)]
impl Till {
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
