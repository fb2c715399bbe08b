use mcp_runtime::{resource, resources};

fn ids(typed: u32) -> Vec<String> {
    vec![typed.to_string()]
}

#[resource("orders://{id}")]
fn order(#[arg(complete = ids)] id: u32) -> String {
    id.to_string()
}

fn main() {
    let _ = resources![order];
}
