use mcp_runtime::{tool, tools};

#[derive(Default)]
struct Page {
    number: u8,
}

#[tool]
fn show(#[arg(default)] page: &Page) -> u8 {
    page.number
}

fn main() {
    let _ = tools![show];
}
