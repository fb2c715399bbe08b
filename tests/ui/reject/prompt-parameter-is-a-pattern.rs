use mcp_runtime::{prompt, prompts};

#[prompt]
fn review((code, language): (String, String)) -> String {
    code + &language
}

fn main() {
    let _ = prompts![review];
}
