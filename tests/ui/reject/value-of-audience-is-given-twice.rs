use mcp_runtime::{resource, resources};

#[resource("orders://recent", audience = "user", audience = "user")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
