use mcp_runtime::{prompt, prompts};

async fn languages(typed: &str) -> Vec<String> {
    vec![typed.to_owned()]
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
