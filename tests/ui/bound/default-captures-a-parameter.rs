use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(default = other)] number: u8, other: u8) -> u8 {
    number + other
}

fn main() {
    let _ = tools![show];
}
