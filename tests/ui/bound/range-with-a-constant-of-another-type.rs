use mcp_runtime::{tool, tools};

const MAX: u32 = 20;

#[tool]
fn show(#[arg(range = 0..=MAX)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
