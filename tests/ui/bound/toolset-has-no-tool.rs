use mcp_runtime::{toolset};

struct Till;

#[toolset]
impl Till {
    fn open(&self) {}
}

fn main() {
    Till.open();
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
