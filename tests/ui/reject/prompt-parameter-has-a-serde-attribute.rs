use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(#[serde(default = "none")] code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
