use mcp_runtime::{State, tool, tools};

#[tool]
fn count(counter: State<Counter>) -> u32 {
    counter.number
}

fn main() {
    let _ = tools![count];
}
