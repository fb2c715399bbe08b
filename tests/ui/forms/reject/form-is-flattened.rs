use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    count: u32,
    #[serde(flatten)]
    address: Address,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Address {
    street: String,
}

fn main() {}
