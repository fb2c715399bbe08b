use mcp_runtime::{tool, tools};

#[tool]
fn roll(_: u8) -> u8 {
    4
}

fn main() {
    let _ = tools![roll];
}
