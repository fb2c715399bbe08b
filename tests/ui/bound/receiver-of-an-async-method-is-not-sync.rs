use mcp_runtime::{Server, tool, toolset};

use std::cell::Cell;

struct Counter {
    number: Cell<u32>,
}

#[toolset]
impl Counter {
    #[tool]
    async fn count(&self) -> u32 {
        self.number.get()
    }
}

fn main() {
    let _ = Server::new("counter", "1").toolset(Counter { number: Cell::new(1) });
}
