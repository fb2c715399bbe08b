use mcp_runtime::{resource, resources};

#[resource("orders://recent ones")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
