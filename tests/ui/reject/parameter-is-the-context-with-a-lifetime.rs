use mcp_runtime::{Context, tool, tools};

#[tool]
fn show<'a>(ctx: &'a Context) -> bool {
    ctx.is_cancelled()
}

fn main() {
    let _ = tools![show];
}
