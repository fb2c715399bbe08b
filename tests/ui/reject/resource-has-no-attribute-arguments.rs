use mcp_runtime::{resource, resources};

#[resource]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
