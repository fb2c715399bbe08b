use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(default = "", len = 1..=80)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
