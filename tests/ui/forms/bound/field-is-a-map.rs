use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    counts: std::collections::BTreeMap<String, u32>,
}

fn main() {}
