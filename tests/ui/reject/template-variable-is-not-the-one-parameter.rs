use mcp_runtime::{Context, resource, resources};

#[resource("orders://{number}")]
fn order(ctx: &Context, id: u32) -> String {
    format!("{id}{}", ctx.is_cancelled())
}

fn main() {
    let _ = resources![order];
}
