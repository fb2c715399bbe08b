use mcp_runtime::{prompt, tools};

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = tools![review];
}
