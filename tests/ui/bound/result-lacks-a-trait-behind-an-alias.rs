use mcp_runtime::{ToolError, tool, tools};

type Result<T> = std::result::Result<T, ToolError>;

struct Page {
    number: u32,
}

#[tool]
fn show(number: u32) -> Result<Page> {
    Ok(Page { number })
}

fn main() {
    let _ = tools![show];
}
