use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: &str) -> Option<&str> {
    Some(id)
}

fn main() {
    let _ = resources![order];
}
