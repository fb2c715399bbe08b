use mcp_runtime::{prompt, prompts};

#[prompt]
async fn review(code: String) -> Result<Option<String>, String> {
    Ok(Some(code))
}

fn main() {
    let _ = prompts![review];
}
