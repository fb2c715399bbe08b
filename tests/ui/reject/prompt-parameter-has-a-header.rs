use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(#[arg(header = "Code")] code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
