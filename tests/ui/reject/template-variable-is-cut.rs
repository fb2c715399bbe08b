use mcp_runtime::{resource, resources};

#[resource("orders://{id:8}")]
fn order(id: &str) -> String {
    id.to_owned()
}

fn main() {
    let _ = resources![order];
}
