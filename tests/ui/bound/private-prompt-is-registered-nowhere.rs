#![deny(dead_code)]

use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

#[prompt]
fn review_again(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
