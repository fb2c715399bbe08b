use mcp_runtime::{resource, resources};

#[resource("orders://recent", mime_type = 3)]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
