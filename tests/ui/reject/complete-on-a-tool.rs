use mcp_runtime::{tool, tools};

#[tool]
fn order(#[arg(complete = ids)] id: u32) -> u32 {
    id
}

fn main() {
    let _ = tools![order];
}
