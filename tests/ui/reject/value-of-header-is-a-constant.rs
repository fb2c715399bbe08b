use mcp_runtime::{tool, tools};

const NAME: &str = "Region";

#[tool]
fn show(#[arg(header = NAME)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
