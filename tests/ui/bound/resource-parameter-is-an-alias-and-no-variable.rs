use mcp_runtime::{resource, resources};

type Page = u32;

#[resource("orders://{id}")]
fn order(id: u32, page: Page) -> String {
    format!("{id}{page}")
}

fn main() {
    let _ = resources![order];
}
