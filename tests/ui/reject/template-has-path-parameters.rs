use mcp_runtime::{resource, resources};

#[resource("orders://all{;id,page}")]
fn order(id: u32, page: u32) -> String {
    format!("{id}{page}")
}

fn main() {
    let _ = resources![order];
}
