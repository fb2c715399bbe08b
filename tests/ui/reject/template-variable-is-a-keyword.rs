use mcp_runtime::{resource, resources};

#[resource("orders://{type}")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
