use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(#[complete(languages)] code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
