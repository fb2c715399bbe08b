use mcp_runtime::{prompt, prompts};

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts!["review", review("code"), review, review::<u8>, , review review];
}
