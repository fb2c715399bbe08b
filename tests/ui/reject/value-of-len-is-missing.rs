use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(len)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
