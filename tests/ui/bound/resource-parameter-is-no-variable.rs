use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: u32, items: Vec<String>) -> String {
    format!("{id}{items:?}")
}

fn main() {
    let _ = resources![order];
}
