use mcp_runtime::{tool, tools};

#[tool]
fn greet(name: &'static str) -> String {
    name.to_owned()
}

fn main() {
    let _ = tools![greet];
}
