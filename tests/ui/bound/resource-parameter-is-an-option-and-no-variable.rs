use mcp_runtime::{resource, resources};

#[resource("orders://recent")]
fn order(page: Option<u32>) -> String {
    format!("{page:?}")
}

fn main() {
    let _ = resources![order];
}
