use mcp_runtime::{prompt, prompts};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Review {
    code: String,
}

#[prompt]
fn review(code: &str) -> Review {
    Review { code: code.to_owned() }
}

fn main() {
    let _ = prompts![review];
}
