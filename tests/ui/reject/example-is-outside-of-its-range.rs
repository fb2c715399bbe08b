use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(example = 30, range = 0..20)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
