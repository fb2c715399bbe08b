use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: u32) -> String {
    id.to_string()
}

#[resource("orders://{id}", name = "another")]
fn another(id: &str) -> String {
    id.to_owned()
}

fn main() {
    let _ = resources![order, another];
}
