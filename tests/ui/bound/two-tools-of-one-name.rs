use mcp_runtime::{tool, tools};

#[tool(name = "add")]
fn add_integers(a: u32, b: u32) -> u32 {
    a + b
}

#[tool(name = "sub")]
fn sub(a: u32, b: u32) -> u32 {
    a - b
}

#[tool(name = "add")]
fn add_floats(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = tools![add_integers, sub, add_floats];
}
