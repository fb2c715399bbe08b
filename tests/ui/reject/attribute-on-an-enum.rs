use mcp_runtime::tool;

#[tool]
enum Adder {
    Fast,
}

fn main() {}
