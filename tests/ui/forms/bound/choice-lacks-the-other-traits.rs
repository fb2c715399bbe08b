use mcp_runtime::Form;

#[derive(Form)]
enum Size {
    Small,
    Large,
}

fn main() {}
