use mcp_runtime::{prompt, prompts};

const PREFIX: &str = "r";

#[prompt]
fn review(#[arg(complete = |typed: String| vec![format!("{PREFIX}{typed}")])] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
