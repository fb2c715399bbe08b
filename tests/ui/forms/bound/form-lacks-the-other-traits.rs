use mcp_runtime::Form;

#[derive(Form)]
struct Order {
    count: u32,
}

fn main() {}
