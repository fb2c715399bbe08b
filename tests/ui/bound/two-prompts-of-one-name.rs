use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

#[prompt(name = "review")]
fn review_twice(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review, review_twice];
}
