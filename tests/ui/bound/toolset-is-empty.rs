use mcp_runtime::{Server, toolset};

struct Till;

#[toolset]
impl Till {}

fn main() {
    let _ = Server::new("till", "1").toolset(Till);
}
