use mcp_runtime::{tool, tools};

#[tool]
fn shout(text: impl Into<String>) -> String {
    text.into().to_uppercase()
}

fn main() {
    let _ = tools![shout];
}
