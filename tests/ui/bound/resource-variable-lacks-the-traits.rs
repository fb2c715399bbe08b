use mcp_runtime::{resource, resources};

struct Id(u32);

#[resource("orders://{id}")]
fn order(id: Id) -> String {
    id.0.to_string()
}

fn main() {
    let _ = resources![order];
}
