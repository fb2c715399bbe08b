use mcp_runtime::{prompt, prompts};

fn languages() -> Vec<String> {
    Vec::new()
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
