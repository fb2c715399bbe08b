//! Tools that ask the client, by the questions of sessions.

use mcp_runtime::{AskError, Context, CreateMessageRequest, Form, SamplingMessage, ToolDef, tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// All of them.
pub(crate) fn all() -> impl IntoIterator<Item = ToolDef> {
    tools![
        test_sampling,
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
        test_missing_capability,
        test_streaming_elicitation,
    ]
}

/// Let the client's model answer.
#[tool]
async fn test_sampling(prompt: &str, ctx: &Context) -> Result<String, AskError> {
    let request = CreateMessageRequest::new(100, [SamplingMessage::user(prompt)]);
    Ok(format!("LLM response: {}", ctx.sample("answer", request).await?.text()))
}

#[derive(Deserialize, JsonSchema, Form)]
struct Account {
    /// The name of the account.
    username: String,
    /// Where to write to.
    email: String,
}

/// Ask the user who they are.
#[tool]
async fn test_elicitation(message: &str, ctx: &Context) -> Result<String, AskError> {
    let Account { username, email } = ctx.elicit("account", message).await?;
    Ok(format!("User response: username={username}, email={email}"))
}

/// What the user did, whatever it was.
fn completed(answer: Result<Map<String, Value>, AskError>) -> Result<String, AskError> {
    match answer {
        Ok(content) => Ok(format!("Elicitation completed: action=accept, content={}", Value::Object(content))),
        Err(AskError::Declined) => Ok("Elicitation completed: action=decline".to_owned()),
        Err(AskError::Cancelled) => Ok("Elicitation completed: action=cancel".to_owned()),
        Err(error) => Err(error),
    }
}

/// Ask with defaults.
#[tool]
async fn test_elicitation_sep1034_defaults(ctx: &Context) -> Result<String, AskError> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    });
    completed(ctx.elicit_with("defaults", "Is this right?", schema).await)
}

/// Ask with every kind of choice.
#[tool]
async fn test_elicitation_sep1330_enums(ctx: &Context) -> Result<String, AskError> {
    let titled = |names: [&str; 3]| names.map(|name| json!({ "const": name, "title": format!("The {name}") }));
    let schema = json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
            "titledSingle": { "type": "string", "oneOf": titled(["value1", "value2", "value3"]) },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": { "type": "string", "enum": ["option1", "option2", "option3"] },
            },
            "titledMulti": { "type": "array", "items": { "anyOf": titled(["value1", "value2", "value3"]) } },
        },
    });
    completed(ctx.elicit_with("choices", "Which ones?", schema).await)
}

/// Need what the client may not have.
#[tool]
async fn test_missing_capability(ctx: &Context) -> Result<String, AskError> {
    let request = CreateMessageRequest::new(10, [SamplingMessage::user("Say something.")]);
    Ok(ctx.sample("something", request).await?.text())
}

#[derive(Deserialize, JsonSchema, Form)]
struct Consent {
    /// Whether to go on.
    go_on: bool,
}

/// Ask the user whether to go on.
#[tool]
async fn test_streaming_elicitation(ctx: &Context) -> Result<String, AskError> {
    let Consent { go_on } = ctx.elicit("consent", "Go on?").await?;
    Ok(format!("go on: {go_on}"))
}
