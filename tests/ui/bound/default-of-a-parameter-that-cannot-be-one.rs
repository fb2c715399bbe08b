use mcp_runtime::{tool, tools};

struct Page {
    number: u8,
}

#[tool]
fn show(#[arg(default = Page { number: 1 })] page: Page) -> u8 {
    page.number
}

fn main() {
    let _ = tools![show];
}
