use mcp_runtime::{prompt, prompts};

struct Missing;

#[prompt]
fn review(code: &str) -> Result<String, Missing> {
    if code.is_empty() { Err(Missing) } else { Ok(code.to_owned()) }
}

fn main() {
    let _ = prompts![review];
}
