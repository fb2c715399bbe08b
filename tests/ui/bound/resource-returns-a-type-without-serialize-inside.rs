use mcp_runtime::{resource, resources};

struct Order {
    id: u32,
}

#[resource("orders://{id}")]
async fn order(id: u32) -> Result<Option<Order>, String> {
    Ok(Some(Order { id: Order { id }.id }))
}

fn main() {
    let _ = resources![order];
}
