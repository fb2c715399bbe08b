use mcp_runtime::{prompt, prompts};

#[prompt]
fn review<T: ToString>(code: T) -> String {
    code.to_string()
}

fn main() {
    let _ = prompts![review];
}
