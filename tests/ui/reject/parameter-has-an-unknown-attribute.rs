use mcp_runtime::{tool, tools};

#[tool]
fn page(#[argument(default = 1)] number: u32) -> u32 {
    number
}

fn main() {
    let _ = tools![page];
}
