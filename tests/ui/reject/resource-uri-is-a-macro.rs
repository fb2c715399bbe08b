use mcp_runtime::{resource, resources};

#[resource(concat!("orders://", "recent"))]
fn order() -> String {
    String::new()
}

fn main() {
    let _ = resources![order];
}
