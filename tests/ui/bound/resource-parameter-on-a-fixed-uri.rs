use mcp_runtime::{resource, resources};

#[resource("orders://recent")]
fn orders(count: u32) -> String {
    count.to_string()
}

fn main() {
    let _ = resources![orders];
}
