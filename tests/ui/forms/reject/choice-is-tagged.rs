use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[serde(tag = "kind")]
enum Size {
    Small,
    Large,
}

fn main() {}
