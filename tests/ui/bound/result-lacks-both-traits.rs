use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

#[tool]
fn show(number: u32) -> Page {
    Page { number }
}

fn main() {
    let _ = tools![show];
}
