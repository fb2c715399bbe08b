use mcp_runtime::{resource, resources};

#[resource("orders://recent")]
fn order(ctx: mcp_runtime::Context) -> String {
    ctx.is_cancelled().to_string()
}

fn main() {
    let _ = resources![order];
}
