use mcp_runtime::{resource, resources};

#[resource("orders://{order-id}")]
fn order(order_id: u32) -> String {
    order_id.to_string()
}

fn main() {
    let _ = resources![order];
}
