use mcp_runtime::{Context, tool, tools};

#[tool]
fn show(ctx: Option<&Context>) -> bool {
    ctx.is_some()
}

fn main() {
    let _ = tools![show];
}
