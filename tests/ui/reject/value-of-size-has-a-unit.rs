use mcp_runtime::{resource, resources};

#[resource("orders://recent", size = "4 KiB")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
