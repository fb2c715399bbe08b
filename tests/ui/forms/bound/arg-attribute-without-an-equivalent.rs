use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Order {
    #[arg(default = 3)]
    count: u32,
}

fn main() {}
