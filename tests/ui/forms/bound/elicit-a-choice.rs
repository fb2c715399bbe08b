use mcp_runtime::{Context, Form, tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
enum Size {
    Small,
    Large,
}

#[tool]
async fn order(ctx: &Context) -> bool {
    ctx.elicit::<Size>("order", "Which?").await.is_ok()
}

fn main() {
    let _ = tools![order];
}
