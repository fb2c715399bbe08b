use mcp_runtime::{prompt, prompts};

const LANGUAGE: &str = "r";

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
