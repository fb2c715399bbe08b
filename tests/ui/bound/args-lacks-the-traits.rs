use mcp_runtime::{tool, tools};

struct Order {
    number: u8,
}

#[tool]
fn show(#[args] order: Order) -> u8 {
    order.number
}

fn main() {
    let _ = tools![show];
}
