use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(pattern)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
