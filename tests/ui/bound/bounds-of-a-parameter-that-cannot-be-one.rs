use mcp_runtime::{tool, tools};

struct Page {
    number: u8,
}

#[tool]
fn show(#[arg(range = 0..=20, len = 1..=80, default = Page { number: 1 })] page: &Page) -> u8 {
    page.number
}

fn main() {
    let _ = tools![show];
}
