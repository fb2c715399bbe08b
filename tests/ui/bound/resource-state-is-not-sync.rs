use mcp_runtime::{resource, resources};

struct Shop(std::cell::Cell<u32>);

#[resource("orders://recent")]
fn order(shop: &mcp_runtime::State<Shop>) -> String {
    shop.0.get().to_string()
}

fn main() {
    let _ = resources![order];
}
