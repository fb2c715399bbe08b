use mcp_runtime::Form;

#[derive(serde::Deserialize, Form)]
struct Order {
    count: u32,
}

fn main() {}
