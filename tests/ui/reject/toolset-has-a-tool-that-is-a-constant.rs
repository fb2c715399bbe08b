use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    const OPEN: u8 = 1;
}

fn main() {
    let _ = Till::OPEN;
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
