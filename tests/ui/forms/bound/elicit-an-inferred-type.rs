use mcp_runtime::{AskError, Context, tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sure {
    delete: bool,
}

#[tool]
async fn delete(file: &str, ctx: &Context) -> Result<bool, AskError> {
    let Sure { delete } = ctx.elicit("sure", format!("Delete {file}?")).await?;
    Ok(delete)
}

fn main() {
    let _ = tools![delete];
}
