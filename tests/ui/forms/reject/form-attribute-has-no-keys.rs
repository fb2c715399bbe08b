use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[form]
struct Order {
    count: u32,
}

fn main() {}
