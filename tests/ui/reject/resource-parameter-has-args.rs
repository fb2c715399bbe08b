use mcp_runtime::{resource, resources};

#[resource("orders://{id}", title = "An order")]
fn order(#[args] id: u32) -> String {
    id.to_string()
}

fn main() {
    let _ = resources![order];
}
