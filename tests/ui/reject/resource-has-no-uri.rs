use mcp_runtime::{resource, resources};

#[resource(title = "An order")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
