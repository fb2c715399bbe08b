use mcp_runtime::{resource, resources};

#[resource("orders://recent", ttl = "5m")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
