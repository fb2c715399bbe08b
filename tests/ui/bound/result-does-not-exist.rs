use mcp_runtime::{tool, tools};

#[tool]
fn show(number: u32) -> Page {
    panic!("page {number}")
}

fn main() {
    let _ = tools![show];
}
