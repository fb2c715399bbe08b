use mcp_runtime::tool;

struct Adder;

#[tool]
impl Adder {}

fn main() {}
