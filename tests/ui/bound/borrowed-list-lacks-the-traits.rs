use mcp_runtime::{tool, tools};

#[derive(Clone)]
struct Page {
    number: u32,
}

#[tool]
async fn show(pages: &[Page]) -> u32 {
    pages[0].number
}

fn main() {
    let _ = tools![show];
}
