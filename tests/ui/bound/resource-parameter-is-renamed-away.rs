use mcp_runtime::{resource, resources};

#[resource("orders://{id}")]
fn order(id: u32, #[arg(rename = "items", default = 3)] id2: u32) -> String {
    format!("{id}{id2}")
}

fn main() {
    let _ = resources![order];
}
