use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    counts: Option<Vec<u32>>,
}

fn main() {}
