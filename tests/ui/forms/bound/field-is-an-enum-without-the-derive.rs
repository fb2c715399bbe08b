use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    size: Size,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Size {
    Small,
    Large,
}

fn main() {}
