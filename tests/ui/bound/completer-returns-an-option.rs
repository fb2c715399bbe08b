use mcp_runtime::{prompt, prompts};

fn languages(typed: &str) -> Option<Vec<String>> {
    Some(vec![typed.to_owned()])
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
