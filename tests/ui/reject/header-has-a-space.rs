use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(header = "My Region")] text: String) -> String {
    text
}

fn main() {
    let _ = tools![show];
}
