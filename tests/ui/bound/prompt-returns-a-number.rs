use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) -> usize {
    code.len()
}

fn main() {
    let _ = prompts![review];
}
