use mcp_runtime::{ToolError, tool, tools};

struct Page {
    number: u32,
}

#[tool]
async fn show(number: u32) -> Result<Page, ToolError> {
    Ok(Page { number })
}

fn main() {
    let _ = tools![show];
}
