use mcp_runtime::{prompt, prompts};

struct Code(String);

#[prompt]
fn review(code: &Code) -> String {
    code.0.clone()
}

fn main() {
    let _ = prompts![review];
}
