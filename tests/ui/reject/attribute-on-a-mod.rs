use mcp_runtime::tool;

#[tool]
mod adder {}

fn main() {}
