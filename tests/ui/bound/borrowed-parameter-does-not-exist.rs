use mcp_runtime::{tool, tools};

#[tool]
async fn show(page: &Page) -> u32 {
    page.number
}

fn main() {
    let _ = tools![show];
}
