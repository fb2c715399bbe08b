use mcp_runtime::{prompt, prompts};

#[prompt(mime_type = "text/plain")]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
