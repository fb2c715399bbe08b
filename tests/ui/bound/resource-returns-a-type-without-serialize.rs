use mcp_runtime::{resource, resources};

struct Order {
    id: u32,
}

#[resource("orders://{id}")]
fn order(id: u32) -> Order {
    Order { id: Order { id }.id }
}

fn main() {
    let _ = resources![order];
}
