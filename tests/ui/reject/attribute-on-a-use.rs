use mcp_runtime::tool;

#[tool]
pub use std::string::String as Text;

fn main() {}
