use mcp_runtime::{tool, tools};

#[tool]
fn greet<'a>(name: &'a str) -> String {
    name.to_owned()
}

fn main() {
    let _ = tools![greet];
}
