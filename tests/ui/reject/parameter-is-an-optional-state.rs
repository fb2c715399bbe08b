use mcp_runtime::{State, tool, tools};

struct Counter(u32);

#[tool]
fn show(counter: Option<&State<Counter>>) -> u32 {
    counter.map_or(0, |counter| counter.0)
}

fn main() {
    let _ = tools![show];
}
