use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

#[tool]
async fn show(pages: Vec<Page>) -> u32 {
    pages[0].number
}

fn main() {
    let _ = tools![show];
}
