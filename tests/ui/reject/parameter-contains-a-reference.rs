use mcp_runtime::{tool, tools};

#[tool]
fn greet(name: Option<&str>) -> String {
    name.unwrap_or("you").to_owned()
}

fn main() {
    let _ = tools![greet];
}
