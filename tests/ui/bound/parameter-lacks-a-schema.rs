use mcp_runtime::{tool, tools};

#[derive(serde::Deserialize)]
struct Page {
    number: u32,
}

#[tool]
fn show(page: Page) -> u32 {
    page.number
}

fn main() {
    let _ = tools![show];
}
