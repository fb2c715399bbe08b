use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(default = 3)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
