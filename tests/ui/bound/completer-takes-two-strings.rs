use mcp_runtime::{prompt, prompts};

fn languages(typed: &str, other: &str) -> Vec<String> {
    vec![typed.to_owned(), other.to_owned()]
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
