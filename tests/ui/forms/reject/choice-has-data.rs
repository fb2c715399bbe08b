use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
enum Size {
    Small,
    Other(String),
}

fn main() {}
