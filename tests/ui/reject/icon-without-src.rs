use mcp_runtime::{tool, tools};

#[tool(icon(mime_type = "image/png"))]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
