use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

#[tool]
fn show(page: &Page) -> u32 {
    page.number
}

fn main() {
    let _ = tools![show];
}
