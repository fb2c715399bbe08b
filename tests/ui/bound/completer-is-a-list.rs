use mcp_runtime::{prompt, prompts};

const LANGUAGES: [&str; 2] = ["go", "rust"];

#[prompt]
fn review(#[arg(complete = LANGUAGES)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
