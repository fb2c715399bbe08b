use mcp_runtime::{State, tool, tools};

use std::cell::Cell;

struct Counter {
    number: Cell<u32>,
}

#[tool]
fn count(counter: &State<Counter>) -> u32 {
    counter.number.get()
}

fn main() {
    let _ = tools![count];
}
