use mcp_runtime::{resource, resources};

#[resource("orders://recent", mimetype = "text/plain")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
