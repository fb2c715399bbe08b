use mcp_runtime::{tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    number: u8,
}

#[tool]
fn add(#[args] a: Order, #[args] b: Order) -> u8 {
    a.number + b.number
}

fn main() {
    let _ = tools![add];
}
