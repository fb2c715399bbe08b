#![allow(unused)]

use mcp_runtime::{resource, resources};

#[resource(name = "", "orders://{id}{?page}", read_only, size = 1.5, priority = "high", ttl = -1, cache_scope = "all")]
fn order<T>(
    #[arg(header = "Id", complete)] id: T,
    #[args] rest: &mut String,
    #[serde(rename = "p")] page: Option<u32>,
) -> &str {
    ""
}

fn main() {
    let _ = resources![order];
}
