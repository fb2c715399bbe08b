use mcp_runtime::{Context, tool, tools};

#[tool]
fn show(ctx: &mut Context) -> bool {
    ctx.is_cancelled()
}

fn main() {
    let _ = tools![show];
}
