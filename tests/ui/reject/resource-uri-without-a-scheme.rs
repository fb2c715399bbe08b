use mcp_runtime::{resource, resources};

#[resource("orders/recent")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
