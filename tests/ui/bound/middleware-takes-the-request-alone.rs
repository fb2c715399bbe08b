use mcp_runtime::{Server, ToolRequest};

struct Count;

fn main() {
    let _ = Server::new("t", "1.0.0").middleware(async |request: ToolRequest| request.tool().len());
    let _ = Server::new("t", "1.0.0").middleware(Count);
}
