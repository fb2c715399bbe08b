use mcp_runtime::{prompt, prompts};

#[prompt(name = "review code")]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
