use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    again: Option<Box<Self>>,
}

fn main() {}
