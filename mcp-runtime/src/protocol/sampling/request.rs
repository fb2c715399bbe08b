//! What the client's model is asked to write.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::message::{SamplingMessage, SamplingMessageContentBlock};
use super::preferences::ModelPreferences;
use super::tool::{SamplingTool, ToolChoice};
use crate::protocol::{ClientCapabilities, ClientCapability, Revision, Role};

/// What the client's model is asked to write.
///
/// # Examples
/// ```
/// use mcp_runtime::{CreateMessageRequest, ModelPreferences, SamplingMessage};
///
/// let request = CreateMessageRequest::new(200, [SamplingMessage::user("Summarise: the order came too late.")])
///     .system_prompt("You answer in one sentence.")
///     .model_preferences(ModelPreferences::new().hint("haiku").speed_priority(0.9));
/// # let _ = request;
/// ```
///
/// # Spec
/// 2026-07-28, `schema`, `CreateMessageRequestParams`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CreateMessageRequest {
    /// The conversation so far. A message with several contents is sent as several messages before 2025-11-25.
    pub messages: Vec<SamplingMessage>,
    /// At most so many tokens are written; the client may stop earlier.
    pub max_tokens: u32,
    /// Instructions to the model, which the client may change or leave out; none by default.
    pub system_prompt: Option<String>,
    /// Which model to take; the client's own choice by default.
    pub model_preferences: Option<ModelPreferences>,
    /// How much chance there is in the answer; the scale is the model's, and so is the default.
    pub temperature: Option<f64>,
    /// Texts that end the answer; none by default.
    pub stop_sequences: Vec<String>,
    /// Context of servers that the client adds; none by default. It is left out for a client that has not declared
    /// [`ClientCapability::SamplingContext`].
    pub include_context: IncludeContext,
    /// What the model's provider is given besides, in its own form; nothing by default.
    pub metadata: Option<Map<String, Value>>,
    /// Tools that the model may ask to be called; none by default. Needs [`ClientCapability::SamplingTools`].
    pub tools: Vec<SamplingTool>,
    /// Whether the model may, must or must not use them; it may by default. Needs [`ClientCapability::SamplingTools`].
    pub tool_choice: Option<ToolChoice>,
}

impl CreateMessageRequest {
    /// Asks for the next message of a conversation, of at most `max_tokens` tokens.
    pub fn new(max_tokens: u32, messages: impl IntoIterator<Item = SamplingMessage>) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            max_tokens,
            system_prompt: None,
            model_preferences: None,
            temperature: None,
            stop_sequences: Vec::new(),
            include_context: IncludeContext::None,
            metadata: None,
            tools: Vec::new(),
            tool_choice: None,
        }
    }

    /// Adds instructions to the model.
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.system_prompt = Some(text.into());
        self
    }

    /// Says which model to take.
    #[must_use]
    pub fn model_preferences(mut self, preferences: ModelPreferences) -> Self {
        self.model_preferences = Some(preferences);
        self
    }

    /// Says how much chance there is in the answer, on the scale of the model.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Gives the texts that end the answer.
    #[must_use]
    pub fn stop_sequences<S: Into<String>>(mut self, sequences: impl IntoIterator<Item = S>) -> Self {
        self.stop_sequences = sequences.into_iter().map(Into::into).collect();
        self
    }

    /// Lets the client add context of servers.
    #[must_use]
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = context;
        self
    }

    /// Gives the model's provider something besides.
    #[must_use]
    pub fn metadata(mut self, metadata: Map<String, Value>) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Gives the model tools, which the server calls for it.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = SamplingTool>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// Says whether the model may, must or must not use the tools.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// What a client has to have declared.
    pub(crate) fn required(&self) -> ClientCapabilities {
        let sampling = ClientCapabilities::from(ClientCapability::Sampling);
        let has_tools = !self.tools.is_empty()
            || self.tool_choice.is_some()
            || self.messages.iter().flat_map(|message| &message.content).any(SamplingMessageContentBlock::is_of_tool);
        if has_tools { sampling.with(ClientCapability::SamplingTools) } else { sampling }
    }

    /// Checks what no client could take.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.messages.is_empty() {
            return Err("a model needs at least one message to answer".to_owned());
        }
        if self.temperature.is_some_and(|temperature| !temperature.is_finite()) {
            return Err("`temperature` is not a finite number".to_owned());
        }
        if let Some(preferences) = &self.model_preferences {
            preferences.check()?;
        }
        check_tool_uses(&self.messages)
    }

    /// The params for a client of that revision, which has declared what is [required](Self::required).
    pub(crate) fn project(&self, revision: Revision, capabilities: ClientCapabilities) -> Value {
        let has_context = capabilities.has(ClientCapability::SamplingContext);
        json!(CreateMessageRequestParams {
            messages: self.messages.iter().flat_map(|message| message.project(revision)).collect(),
            max_tokens: self.max_tokens,
            system_prompt: self.system_prompt.as_deref(),
            model_preferences: self.model_preferences.as_ref(),
            temperature: self.temperature,
            stop_sequences: &self.stop_sequences,
            include_context: Some(self.include_context)
                .filter(|context| has_context && *context != IncludeContext::None),
            metadata: self.metadata.as_ref(),
            tools: &self.tools,
            tool_choice: self.tool_choice,
        })
    }
}

/// The params on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreateMessageRequestParams<'a> {
    messages: Vec<Value>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_preferences: Option<&'a ModelPreferences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stop_sequences: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    include_context: Option<IncludeContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "<[SamplingTool]>::is_empty")]
    tools: &'a [SamplingTool],
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
}

/// Checks that each tool use is answered in the next message, and that there is nothing else in it.
fn check_tool_uses(messages: &[SamplingMessage]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let results: Vec<&str> = message.content.iter().filter_map(SamplingMessageContentBlock::answered).collect();
        if !results.is_empty() && (results.len() < message.content.len() || message.role != Role::User) {
            return Err("a message with tool results is one of the user, with nothing else in it".to_owned());
        }
        if let Some(id) = open.iter().find(|id| !results.contains(id)) {
            return Err(format!("the tool use `{id}` has no tool result in the next message"));
        }
        if let Some(id) = results.iter().find(|id| !open.contains(id)) {
            return Err(format!("the tool result for `{id}` answers no tool use of the message before"));
        }
        open = message.tool_uses().map(|tool_use| tool_use.id.as_str()).collect();
        if !open.is_empty() && message.role != Role::Assistant {
            return Err("a message with tool uses is one of the assistant".to_owned());
        }
    }
    match open.first() {
        Some(id) => Err(format!("the tool use `{id}` has no tool result in the next message")),
        None => Ok(()),
    }
}

/// Context of servers that the client adds to the conversation. Deprecated by the protocol since 2025-11-25.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum IncludeContext {
    /// None.
    #[default]
    None,
    /// That of this server.
    ThisServer,
    /// That of all servers of the client.
    AllServers,
}
