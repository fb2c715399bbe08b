use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(range = 0..=20)] #[arg(default = 3, range = 0..=10)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
