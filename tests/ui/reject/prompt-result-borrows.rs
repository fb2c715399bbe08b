use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) -> &str {
    code
}

fn main() {
    let _ = prompts![review];
}
