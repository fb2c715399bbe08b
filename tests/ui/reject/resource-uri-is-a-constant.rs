use mcp_runtime::{resource, resources};

const URI: &str = "orders://recent";

#[resource(URI)]
fn order() -> String {
    URI.to_owned()
}

fn main() {
    let _ = resources![order];
}
