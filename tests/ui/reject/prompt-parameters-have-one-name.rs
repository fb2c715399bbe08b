use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str, #[arg(rename = "code")] other: &str) -> String {
    format!("{code}{other}")
}

fn main() {
    let _ = prompts![review];
}
