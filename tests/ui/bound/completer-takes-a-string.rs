use mcp_runtime::{prompt, prompts};

fn languages(typed: String) -> Vec<String> {
    vec![typed]
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
