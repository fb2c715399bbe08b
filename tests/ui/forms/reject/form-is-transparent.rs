use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[serde(transparent)]
struct Order {
    count: u32,
}

fn main() {}
