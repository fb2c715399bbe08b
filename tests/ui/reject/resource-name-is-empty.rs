use mcp_runtime::{resource, resources};

#[resource("orders://recent", name = "")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
