use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(length = 1..=80)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
