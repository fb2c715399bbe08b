use mcp_runtime::{resource, resources};

#[resource("orders://recent", last_modified = "yesterday")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
