use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    count: u32,
    address: Address,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Address {
    street: String,
}

fn main() {}
