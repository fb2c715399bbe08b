use mcp_runtime::tool;

#[tool]
const ADD: u32 = 3;

fn main() {}
