use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(range = 1.5..=0.5)] number: f64) -> f64 {
    number
}

fn main() {
    let _ = tools![show];
}
