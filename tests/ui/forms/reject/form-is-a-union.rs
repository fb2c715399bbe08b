use mcp_runtime::Form;

#[derive(Form)]
union Order {
    count: u32,
}

fn main() {}
