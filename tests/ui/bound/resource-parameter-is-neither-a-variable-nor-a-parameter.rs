use mcp_runtime::{resource, resources};

struct Page(u32);

#[resource("orders://{id}")]
fn order(id: u32, page: Page) -> String {
    format!("{id}{}", page.0)
}

fn main() {
    let _ = resources![order];
}
