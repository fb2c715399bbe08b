use mcp_runtime::{prompt, prompts};

#[prompt]
struct Review {
    code: String,
}

#[prompt]
fn review(code: &str) -> String {
    Review { code: code.to_owned() }.code
}

fn main() {
    let _ = prompts![review];
}
