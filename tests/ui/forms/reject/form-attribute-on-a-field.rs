use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    #[form(title = "How many")]
    count: u32,
}

fn main() {}
