use mcp_runtime::{tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    number: u8,
}

#[tool]
fn show(#[arg(default)] order: Order) -> u8 {
    order.number
}

fn main() {
    let _ = tools![show];
}
