use mcp_runtime::{Context, tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    count: u32,
}

#[tool]
async fn order(ctx: &Context) -> bool {
    ctx.elicit::<Order>("order", "Which?").await.is_ok()
}

fn main() {
    let _ = tools![order];
}
