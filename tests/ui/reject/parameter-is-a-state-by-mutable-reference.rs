use mcp_runtime::{State, tool, tools};

struct Counter(u32);

#[tool]
fn show(counter: &mut State<Counter>) -> u32 {
    counter.0
}

fn main() {
    let _ = tools![show];
}
