//! Tools that ask the client, by the rounds of the modern era. In a session they ask as well.

use mcp_runtime::{
    AskError, ClientCapability, Context, CreateMessageRequest, Form, SamplingMessage, ToolDef, tool, tools,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::join;

/// All of them.
pub(crate) fn all() -> impl IntoIterator<Item = ToolDef> {
    tools![
        test_input_required_result_elicitation,
        test_input_required_result_sampling,
        test_input_required_result_list_roots,
        test_input_required_result_request_state,
        test_input_required_result_multiple_inputs,
        test_input_required_result_multi_round,
        test_input_required_result_tampered_state,
        test_input_required_result_capabilities,
    ]
}

#[derive(Deserialize, JsonSchema, Form)]
struct Name {
    /// Your name.
    name: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Color {
    /// A color that you like.
    color: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Confirmation {
    /// Whether all is well.
    ok: bool,
}

fn question(text: &str) -> CreateMessageRequest {
    CreateMessageRequest::new(100, [SamplingMessage::user(text)])
}

/// Greet the user by a name that is asked for.
#[tool]
async fn test_input_required_result_elicitation(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Let the client's model answer a question.
#[tool]
async fn test_input_required_result_sampling(ctx: &Context) -> Result<String, AskError> {
    let answer = ctx.sample("capital_question", question("What is the capital of France?")).await?;
    Ok(format!("The model says: {}", answer.text()))
}

/// Tell how many folders the client works in.
#[tool]
async fn test_input_required_result_list_roots(ctx: &Context) -> Result<String, AskError> {
    Ok(format!("The client has {} roots", ctx.roots("client_roots").await?.len()))
}

/// Ask, and remember that it was asked.
#[tool]
async fn test_input_required_result_request_state(ctx: &Context) -> Result<String, AskError> {
    let Confirmation { ok } = ctx.elicit("confirm", "Is all well?").await?;
    Ok(format!("state-ok: {ok}"))
}

/// Ask three things at once.
#[tool]
async fn test_input_required_result_multiple_inputs(ctx: &Context) -> Result<String, AskError> {
    let (name, greeting, roots) = join!(
        ctx.elicit::<Name>("user_name", "What is your name?"),
        ctx.sample("greeting", question("Write a greeting.")),
        ctx.roots("client_roots"),
    );
    Ok(format!("{} {}, at home in {} roots", greeting?.text(), name?.name, roots?.len()))
}

/// Ask one thing after the other.
#[tool]
async fn test_input_required_result_multi_round(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("step1", "What is your name?").await?;
    let Color { color } = ctx.elicit("step2", format!("{name}, which color do you like?")).await?;
    Ok(format!("{name} likes {color}"))
}

/// Ask in a way that nobody can forge.
#[tool]
async fn test_input_required_result_tampered_state(ctx: &Context) -> Result<String, AskError> {
    let Confirmation { ok } = ctx.elicit("confirm", "Is all well?").await?;
    Ok(format!("confirmed: {ok}"))
}

/// Ask in the way that the client can be asked.
#[tool]
async fn test_input_required_result_capabilities(ctx: &Context) -> Result<String, AskError> {
    if ctx.client_capabilities().has(ClientCapability::ElicitationForm) {
        return Ok(ctx.elicit::<Name>("user_name", "What is your name?").await?.name);
    }
    Ok(ctx.sample("name", question("Think of a name.")).await?.text())
}
