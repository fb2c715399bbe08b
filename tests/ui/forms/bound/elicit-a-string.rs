use mcp_runtime::{Context, tool, tools};

type Name = String;

#[tool]
async fn order(ctx: &Context) -> bool {
    ctx.elicit::<Name>("order", "Which?").await.is_ok()
}

fn main() {
    let _ = tools![order];
}
