use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
enum Size {}

fn main() {}
