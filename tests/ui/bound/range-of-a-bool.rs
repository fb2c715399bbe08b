use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(range = 0..=1)] is_new: bool) -> bool {
    is_new
}

fn main() {
    let _ = tools![show];
}
