use mcp_runtime::{tool, tools};

use std::cell::Cell;

struct Counter {
    number: Cell<u32>,
}

impl Counter {
    #[tool]
    fn count(&self) -> u32 {
        self.number.get()
    }
}

fn main() {
    let _ = tools![Counter::count];
}
