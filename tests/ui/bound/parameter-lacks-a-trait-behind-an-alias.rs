use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

type Pages = [Page; 2];

#[tool]
fn show(pages: Pages) -> u32 {
    pages[0].number
}

fn main() {
    let _ = tools![show];
}
