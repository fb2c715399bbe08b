use mcp_runtime::{tool, tools};

#[tool(icon(src = "a.png", theme = "black"))]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
