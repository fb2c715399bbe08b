use mcp_runtime::{tool, tools};

#[tool]
fn show<T: ToString>(value: T) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
