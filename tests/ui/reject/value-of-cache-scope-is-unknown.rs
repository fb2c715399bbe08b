use mcp_runtime::{resource, resources};

#[resource("orders://recent", cache_scope = "shared")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
