use mcp_runtime::{tool, tools};

#[tool]
fn zeros<const N: usize>(first: u8) -> Vec<u8> {
    vec![first; N]
}

fn main() {
    let _ = tools![zeros];
}
