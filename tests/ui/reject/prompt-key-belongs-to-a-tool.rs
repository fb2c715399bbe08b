use mcp_runtime::{prompt, prompts};

#[prompt(title = "Review", read_only)]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
