use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    fn open(&self, number: u8) -> u8 {
        self.
    }

    #[tool]
    fn close(&self) {}
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
