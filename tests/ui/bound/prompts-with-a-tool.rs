use mcp_runtime::{prompts, tool};

#[tool]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = prompts![review];
}
