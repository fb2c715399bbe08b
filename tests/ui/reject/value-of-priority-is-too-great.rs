use mcp_runtime::{resource, resources};

#[resource("orders://recent", priority = 2)]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
