use mcp_runtime::{resource, resources};

#[resource("orders://all{/path*}")]
fn order(path: &str) -> String {
    path.to_owned()
}

fn main() {
    let _ = resources![order];
}
