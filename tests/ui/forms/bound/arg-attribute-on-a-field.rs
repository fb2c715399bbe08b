use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    #[arg(range = 1..=12)]
    count: u32,
}

fn main() {}
