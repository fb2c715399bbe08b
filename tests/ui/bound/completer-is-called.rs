use mcp_runtime::{prompt, prompts};

fn languages(typed: &str) -> Vec<String> {
    vec![typed.to_owned()]
}

#[prompt]
fn review(#[arg(complete = languages("r"))] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
