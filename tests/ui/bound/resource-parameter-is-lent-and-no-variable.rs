use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: u32, item: &str) -> String {
    format!("{id}{item}")
}

fn main() {
    let _ = resources![order];
}
