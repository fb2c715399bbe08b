use mcp_runtime::Form;

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[form(crate = mcp_runtime, title = "Your order")]
struct Order {
    #[form]
    count: u32,
    #[schemars(flatten)]
    address: Address,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
#[serde(untagged)]
enum Address {
    Street { street: String },
    #[form(title = "Box")]
    Box(u32),
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Size(u32);

fn main() {}
