use mcp_runtime::{prompt, prompts};

fn languages(typed: &str) -> Vec<usize> {
    vec![typed.len()]
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
