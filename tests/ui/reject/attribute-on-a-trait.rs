use mcp_runtime::tool;

#[tool]
trait Add {}

fn main() {}
