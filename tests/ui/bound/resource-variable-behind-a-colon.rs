use mcp_runtime::{resource, resources};

#[resource("orders://all/:id")]
fn order(id: u32) -> String {
    id.to_string()
}

fn main() {
    let _ = resources![order];
}
