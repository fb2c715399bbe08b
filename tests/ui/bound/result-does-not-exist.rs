use mcp_runtime::{tool, tools};

#[tool]
fn show(number: u32) -> Page {
    todo!("page {number}")
}

fn main() {
    let _ = tools![show];
}
