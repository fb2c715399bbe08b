use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[form(title = "Your order")]
struct Order {
    count: u32,
}

fn main() {}
