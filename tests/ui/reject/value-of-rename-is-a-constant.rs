use mcp_runtime::{tool, tools};

const NAME: &str = "count";

#[tool]
fn show(#[arg(rename = NAME)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
