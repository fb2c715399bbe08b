use mcp_runtime::{tool, tools};

#[tool]
fn trim(text: &str) -> &str {
    text.trim()
}

fn main() {
    let _ = tools![trim];
}
