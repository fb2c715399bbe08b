use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: u32, page: Page) -> String {
    id.to_string()
}

fn main() {
    let _ = resources![order];
}
