//! Prompts with and without arguments, with every kind of content, and one that asks.

use mcp_runtime::{AskError, ContentBlock, Context, Form, PromptDef, PromptMessage, ResourceContents, prompt, prompts};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::content::PNG;

/// All of them.
pub(crate) fn all() -> impl IntoIterator<Item = PromptDef> {
    prompts![
        test_simple_prompt,
        test_prompt_with_arguments,
        test_prompt_with_embedded_resource,
        test_prompt_with_image,
        test_input_required_result_prompt,
    ]
}

/// Say something.
#[prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// Say what was given.
#[prompt]
fn test_prompt_with_arguments(
    /// The first argument.
    #[arg(complete = values)]
    arg1: &str,
    /// The second argument.
    #[arg(complete = values)]
    arg2: &str,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

fn values(typed: &str) -> Vec<&'static str> {
    ["paris", "park", "party", "test1", "test2"].into_iter().filter(|value| value.starts_with(typed)).collect()
}

/// Bring a document along.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// The URI of the document.
    #[arg(rename = "resourceUri")]
    resource_uri: &str,
) -> [PromptMessage; 2] {
    let document =
        ResourceContents::text(resource_uri, "Embedded resource content for testing.").mime_type("text/plain");
    [
        PromptMessage::user(ContentBlock::resource(document)),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// Bring a picture along.
#[prompt]
fn test_prompt_with_image() -> [PromptMessage; 2] {
    [PromptMessage::user(ContentBlock::image(PNG, "image/png")), PromptMessage::user("Please analyze the image above.")]
}

#[derive(Deserialize, JsonSchema, Form)]
struct UserContext {
    /// What the prompt is for.
    context: String,
}

/// Ask the user what the prompt is for.
#[prompt]
async fn test_input_required_result_prompt(ctx: &Context) -> Result<String, AskError> {
    let UserContext { context } = ctx.elicit("user_context", "What is the prompt for?").await?;
    Ok(format!("Use this context: {context}"))
}
