use mcp_runtime::{prompt, prompts};

#[prompt(titel = "Review")]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
