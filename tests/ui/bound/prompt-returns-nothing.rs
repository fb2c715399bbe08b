use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) {
    let _ = code;
}

fn main() {
    let _ = prompts![review];
}
