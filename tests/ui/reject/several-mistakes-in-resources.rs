use mcp_runtime::{resource, resources};

#[resource("orders://open")]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources!["orders://open", order(), order::<u8>, , order order];
}
