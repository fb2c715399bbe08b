//! `sampling/createMessage`: letting the client's model write a message.
//!
//! Spec: 2026-07-28, `client/sampling`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::content::project_block;
use super::{ClientCapabilities, ClientCapability, ContentBlock, Revision, Role};
use crate::jsonrpc::without_place;

/// The method.
pub(crate) const METHOD: &str = "sampling/createMessage";

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

/// One message of a conversation with a model.
///
/// # Spec
/// 2026-07-28, `schema`, `SamplingMessage`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What is said, in one part or several.
    pub content: Vec<SamplingMessageContentBlock>,
}

impl SamplingMessage {
    /// A message of several parts.
    pub fn new(role: Role, content: impl IntoIterator<Item = SamplingMessageContentBlock>) -> Self {
        Self { role, content: content.into_iter().collect() }
    }

    /// What the user says.
    pub fn user(content: impl Into<SamplingMessageContentBlock>) -> Self {
        Self::new(Role::User, [content.into()])
    }

    /// What the model says.
    pub fn assistant(content: impl Into<SamplingMessageContentBlock>) -> Self {
        Self::new(Role::Assistant, [content.into()])
    }

    /// Adds a part.
    #[must_use]
    pub fn and(mut self, content: impl Into<SamplingMessageContentBlock>) -> Self {
        self.content.push(content.into());
        self
    }

    fn tool_uses(&self) -> impl Iterator<Item = &ToolUseContent> {
        tool_uses(&self.content)
    }

    /// One message, or before 2025-11-25 one for each part.
    fn project(&self, revision: Revision) -> Vec<Value> {
        let mut blocks: Vec<Value> = self.content.iter().map(|block| block.project(revision)).collect();
        let message = |content: Value| json!({ "role": self.role, "content": content });
        match blocks.len() {
            1 => blocks.pop().map(message).into_iter().collect(),
            _ if revision < Revision::V2025_11_25 => blocks.into_iter().map(message).collect(),
            _ => vec![message(blocks.into())],
        }
    }
}

/// One part of a message.
///
/// # Spec
/// 2026-07-28, `schema`, `SamplingMessageContentBlock`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SamplingMessageContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its bytes, in base64.
        data: String,
        /// Its MIME type.
        mime_type: String,
    },
    /// Sound. Since 2025-03-26; older clients are sent a text that says what it is.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// Its bytes, in base64.
        data: String,
        /// Its MIME type.
        mime_type: String,
    },
    /// The model wants a tool to be called. Since 2025-11-25.
    ToolUse(ToolUseContent),
    /// What a tool has returned. Since 2025-11-25.
    ToolResult(ToolResultContent),
}

impl SamplingMessageContentBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A picture, from its bytes and MIME type, such as `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image { data: STANDARD.encode(bytes), mime_type: mime_type.into() }
    }

    /// Sound, from its bytes and MIME type, such as `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio { data: STANDARD.encode(bytes), mime_type: mime_type.into() }
    }

    /// The text, if it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }

    /// The bytes of a picture or sound; `None` for anything else, and where the base64 is malformed.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Image { data, .. } | Self::Audio { data, .. } => STANDARD.decode(data).ok(),
            _ => None,
        }
    }

    fn is_of_tool(&self) -> bool {
        matches!(self, Self::ToolUse(_) | Self::ToolResult(_))
    }

    /// The id of the tool use that it answers.
    fn answered(&self) -> Option<&str> {
        match self {
            Self::ToolResult(result) => Some(&result.tool_use_id),
            _ => None,
        }
    }

    fn project(&self, revision: Revision) -> Value {
        let mut block = json!(self);
        if !revision.has_annotations() {
            project_block(&mut block, revision);
        }
        if let Some(structured) = block.get_mut("structuredContent") {
            if revision.structured_is_object() && !structured.is_object() {
                *structured = json!({ "result": structured.take() });
            }
        }
        block
    }
}

impl From<&str> for SamplingMessageContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for SamplingMessageContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<ToolUseContent> for SamplingMessageContentBlock {
    fn from(tool_use: ToolUseContent) -> Self {
        Self::ToolUse(tool_use)
    }
}

impl From<ToolResultContent> for SamplingMessageContentBlock {
    fn from(result: ToolResultContent) -> Self {
        Self::ToolResult(result)
    }
}

/// A call that the model wants, to be answered with a [`ToolResultContent`].
///
/// # Spec
/// 2026-07-28, `schema`, `ToolUseContent`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolUseContent {
    /// What the result has to name.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// What the tool is called with.
    pub input: Map<String, Value>,
    /// What belongs to it besides, to be sent back as it came.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// What a tool has returned to the model.
///
/// # Spec
/// 2026-07-28, `schema`, `ToolResultContent`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResultContent {
    /// Which call it answers.
    pub tool_use_id: String,
    /// What the model sees.
    pub content: Vec<ContentBlock>,
    /// The same as JSON. On 2025-11-25 what is no object is sent as `{"result": …}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl ToolResultContent {
    /// The result of the call with that id.
    pub fn new(tool_use_id: impl Into<String>, content: impl IntoIterator<Item = ContentBlock>) -> Self {
        Self {
            tool_use_id: tool_use_id.into(),
            content: content.into_iter().collect(),
            structured_content: None,
            is_error: false,
        }
    }

    /// Adds structured content.
    #[must_use]
    pub fn structured(mut self, value: Value) -> Self {
        self.structured_content = Some(value);
        self
    }

    /// Makes it a failure.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }
}

/// A tool for the client's model. The server calls it, with what the model says, and asks again with the result; it need
/// not be a tool that the server offers to its clients.
///
/// # Spec
/// 2026-07-28, `schema`, `Tool`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingTool {
    /// The name that the model calls it by.
    pub name: String,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of what it is called with, an object.
    pub input_schema: Value,
}

impl SamplingTool {
    /// A tool with a name, what it does, and the schema of its input.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Value) -> Self {
        Self { name: name.into(), description: Some(description.into()), input_schema }
    }
}

/// Whether the model uses tools.
///
/// # Spec
/// 2026-07-28, `schema`, `ToolChoice`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
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

/// Which model to take. A client may ignore it.
///
/// # Spec
/// 2026-07-28, `schema`, `ModelPreferences`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Parts of names of models, such as `haiku`; the first that the client has is taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<ModelHint>,
    /// How much low cost matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much speed matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much a capable model matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

impl ModelPreferences {
    /// No preferences.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part of the name of a model, after those that come first.
    #[must_use]
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(ModelHint { name: name.into() });
        self
    }

    /// Says how much low cost matters, from 0.0 to 1.0.
    #[must_use]
    pub fn cost_priority(mut self, priority: f64) -> Self {
        self.cost_priority = Some(priority);
        self
    }

    /// Says how much speed matters, from 0.0 to 1.0.
    #[must_use]
    pub fn speed_priority(mut self, priority: f64) -> Self {
        self.speed_priority = Some(priority);
        self
    }

    /// Says how much a capable model matters, from 0.0 to 1.0.
    #[must_use]
    pub fn intelligence_priority(mut self, priority: f64) -> Self {
        self.intelligence_priority = Some(priority);
        self
    }

    fn check(&self) -> Result<(), String> {
        let priorities = [self.cost_priority, self.speed_priority, self.intelligence_priority];
        match priorities.into_iter().flatten().find(|priority| !(0.0..=1.0).contains(priority)) {
            Some(priority) => Err(format!("a priority is a number from 0.0 to 1.0, got {priority}")),
            None => Ok(()),
        }
    }
}

/// A hint which model to take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelHint {
    /// A part of its name.
    pub name: String,
}

/// What the client's model has written.
///
/// # Spec
/// 2026-07-28, `schema`, `CreateMessageResult`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CreateMessageResult {
    /// Who says it: the model.
    pub role: Role,
    /// What it says, in one part or several.
    pub content: Vec<SamplingMessageContentBlock>,
    /// The name of the model.
    pub model: String,
    /// Why it stopped, such as `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of its provider.
    pub stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawResult<'a> {
    role: RawRole,
    #[serde(borrow)]
    content: &'a RawValue,
    model: String,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawRole {
    User,
    Assistant,
}

/// What a model can write.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RawBlock {
    Text {
        text: String,
    },
    #[serde(rename_all = "camelCase")]
    Image {
        data: String,
        mime_type: String,
    },
    #[serde(rename_all = "camelCase")]
    Audio {
        data: String,
        mime_type: String,
    },
    ToolUse(ToolUseContent),
}

impl CreateMessageResult {
    /// All text in it.
    #[must_use]
    pub fn text(&self) -> String {
        self.content.iter().filter_map(SamplingMessageContentBlock::as_text).collect()
    }

    /// The calls that the model wants.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUseContent> {
        tool_uses(&self.content)
    }

    /// The same as a message, to go on with the conversation.
    #[must_use]
    pub fn into_message(self) -> SamplingMessage {
        SamplingMessage { role: self.role, content: self.content }
    }

    /// Reads a result.
    ///
    /// # Errors
    /// What is wrong with its shape.
    pub(crate) fn decode(raw: &RawValue) -> Result<Self, String> {
        // A derived struct would take an array for its members in order.
        if !raw.get().starts_with('{') {
            return Err("the result must be an object with `role`, `content` and `model`".to_owned());
        }
        let raw: RawResult<'_> = serde_json::from_str(raw.get()).map_err(|error| without_place(&error))?;
        let content: Vec<RawBlock> = match raw.content.get() {
            list if list.starts_with('[') => serde_json::from_str(list),
            single => serde_json::from_str(single).map(|block| vec![block]),
        }
        .map_err(|error| format!("`content`: {}", without_place(&error)))?;
        Ok(Self {
            role: raw.role.into(),
            content: content.into_iter().map(Into::into).collect(),
            model: raw.model,
            stop_reason: raw.stop_reason,
        })
    }
}

impl From<RawRole> for Role {
    fn from(role: RawRole) -> Self {
        match role {
            RawRole::User => Self::User,
            RawRole::Assistant => Self::Assistant,
        }
    }
}

impl From<RawBlock> for SamplingMessageContentBlock {
    fn from(block: RawBlock) -> Self {
        match block {
            RawBlock::Text { text } => Self::Text { text },
            RawBlock::Image { data, mime_type } => Self::Image { data, mime_type },
            RawBlock::Audio { data, mime_type } => Self::Audio { data, mime_type },
            RawBlock::ToolUse(tool_use) => Self::ToolUse(tool_use),
        }
    }
}

fn tool_uses(content: &[SamplingMessageContentBlock]) -> impl Iterator<Item = &ToolUseContent> {
    content.iter().filter_map(|block| match block {
        SamplingMessageContentBlock::ToolUse(tool_use) => Some(tool_use),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Map, Value, json};

    use super::{
        CreateMessageRequest, CreateMessageResult, IncludeContext, ModelPreferences, SamplingMessage,
        SamplingMessageContentBlock, SamplingTool, ToolChoice, ToolResultContent, ToolUseContent,
    };
    use crate::protocol::{ClientCapabilities, ClientCapability, ContentBlock, Revision, Role};

    fn projected(request: &CreateMessageRequest, revision: Revision) -> Value {
        request.project(revision, request.required())
    }

    fn tool_use(id: &str) -> ToolUseContent {
        ToolUseContent { id: id.to_owned(), name: "look_up".to_owned(), input: Map::new(), meta: None }
    }

    fn decoded(text: &str) -> Result<CreateMessageResult, String> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        CreateMessageResult::decode(raw)
    }

    #[test]
    fn asks_for_a_message_in_every_revision() {
        let request = CreateMessageRequest::new(100, [SamplingMessage::user("Hi")]);
        for revision in Revision::ALL {
            assert_eq!(
                projected(&request, *revision),
                json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi" } }], "maxTokens": 100 }),
                "{revision}"
            );
        }
        assert_eq!(request.required().to_json(), json!({ "sampling": {} }));
    }

    #[test]
    fn sends_every_setting() {
        let preferences = ModelPreferences::new()
            .hint("haiku")
            .hint("mini")
            .cost_priority(0.25)
            .speed_priority(1.0)
            .intelligence_priority(0.0);
        let request = CreateMessageRequest::new(100, [SamplingMessage::assistant("Yes?")])
            .system_prompt("Be brief.")
            .model_preferences(preferences)
            .temperature(0.5)
            .stop_sequences(["END"])
            .metadata(Map::from_iter([("trace".to_owned(), json!(7))]))
            .tools([SamplingTool::new("look_up", "Look up a word.", json!({ "type": "object" }))])
            .tool_choice(ToolChoice::Required)
            .include_context(IncludeContext::ThisServer);
        let capabilities = request.required().with(ClientCapability::SamplingContext);
        let expected = json!({
            "messages": [{ "role": "assistant", "content": { "type": "text", "text": "Yes?" } }],
            "maxTokens": 100,
            "systemPrompt": "Be brief.",
            "modelPreferences": {
                "hints": [{ "name": "haiku" }, { "name": "mini" }],
                "costPriority": 0.25,
                "speedPriority": 1.0,
                "intelligencePriority": 0.0,
            },
            "temperature": 0.5,
            "stopSequences": ["END"],
            "metadata": { "trace": 7 },
            "tools": [{ "name": "look_up", "description": "Look up a word.", "inputSchema": { "type": "object" } }],
            "toolChoice": { "mode": "required" },
            "includeContext": "thisServer",
        });
        assert_eq!(request.project(Revision::V2025_11_25, capabilities), expected);
        assert_eq!(request.required().to_json(), json!({ "sampling": { "tools": {} } }));
        assert_eq!(request.check(), Ok(()));
    }

    #[test]
    fn leaves_out_context_that_the_client_cannot_give() {
        let request = CreateMessageRequest::new(1, [SamplingMessage::user("Hi")]);
        let request = request.include_context(IncludeContext::AllServers);
        let with = ClientCapabilities::from(ClientCapability::SamplingContext);
        assert_eq!(request.project(Revision::LATEST, with)["includeContext"], json!("allServers"));
        let without = request.project(Revision::LATEST, ClientCapabilities::default());
        assert_eq!(without.get("includeContext"), None);
    }

    #[test]
    fn sends_several_contents_as_each_revision_has_them() {
        let message =
            SamplingMessage::user("What is this?").and(SamplingMessageContentBlock::image([0, 1], "image/png"));
        let request = CreateMessageRequest::new(1, [message]);
        let (text, image) = (
            json!({ "type": "text", "text": "What is this?" }),
            json!({ "type": "image", "data": "AAE=", "mimeType": "image/png" }),
        );
        for revision in Revision::ALL {
            let expected = if *revision >= Revision::V2025_11_25 {
                json!([{ "role": "user", "content": [text, image] }])
            } else {
                json!([{ "role": "user", "content": text }, { "role": "user", "content": image }])
            };
            assert_eq!(projected(&request, *revision)["messages"], expected, "{revision}");
        }
    }

    #[test]
    fn says_what_sound_was_to_a_client_that_cannot_take_it() {
        let sound = SamplingMessageContentBlock::audio([0], "audio/wav");
        let request = CreateMessageRequest::new(1, [SamplingMessage::user(sound)]);
        let content = |revision| projected(&request, revision)["messages"][0]["content"].clone();
        assert_eq!(
            content(Revision::V2024_11_05),
            json!({ "type": "text", "text": "[audio of type audio/wav: this client's protocol version cannot carry it]" })
        );
        for revision in &Revision::ALL[1..] {
            let expected = json!({ "type": "audio", "data": "AA==", "mimeType": "audio/wav" });
            assert_eq!(content(*revision), expected, "{revision}");
        }
    }

    #[test]
    fn goes_on_after_a_tool_use() {
        let answer = decoded(
            r#"{"role":"assistant","model":"m","stopReason":"toolUse","content":[{"type":"text","text":"Wait."},
                {"type":"tool_use","id":"u1","name":"look_up","input":{"word":"ok"},"_meta":{"k":1}}]}"#,
        )
        .unwrap();
        let id = answer.tool_uses().next().unwrap().id.clone();
        let result = ToolResultContent::new(id, [ContentBlock::text("fine")]).structured(json!([1])).failed();
        let messages = [SamplingMessage::user("Hi"), answer.into_message(), SamplingMessage::user(result)];
        let request = CreateMessageRequest::new(1, messages);
        assert_eq!(request.check(), Ok(()));
        assert_eq!(request.required().to_json(), json!({ "sampling": { "tools": {} } }));
        let result = |structured: Value| {
            json!({
                "type": "tool_result", "toolUseId": "u1", "content": [{ "type": "text", "text": "fine" }],
                "structuredContent": structured, "isError": true,
            })
        };
        for (revision, structured) in
            [(Revision::V2025_11_25, json!({ "result": [1] })), (Revision::V2026_07_28, json!([1]))]
        {
            assert_eq!(
                projected(&request, revision)["messages"],
                json!([
                    { "role": "user", "content": { "type": "text", "text": "Hi" } },
                    { "role": "assistant", "content": [
                        { "type": "text", "text": "Wait." },
                        { "type": "tool_use", "id": "u1", "name": "look_up", "input": { "word": "ok" }, "_meta": { "k": 1 } },
                    ] },
                    { "role": "user", "content": result(structured) },
                ]),
                "{revision}"
            );
        }
    }

    #[test]
    fn refuses_what_no_client_could_take() {
        let result = |id: &str| ToolResultContent::new(id, []);
        let user = SamplingMessage::user("Hi");
        let asks = |messages: &[SamplingMessage]| CreateMessageRequest::new(1, messages.iter().cloned());
        let prefers = |preferences| asks(&[SamplingMessage::user("Hi")]).model_preferences(preferences);
        for (request, expected) in [
            (asks(&[]), "a model needs at least one message to answer"),
            (asks(std::slice::from_ref(&user)).temperature(f64::NAN), "`temperature` is not a finite number"),
            (prefers(ModelPreferences::new().cost_priority(1.5)), "a priority is a number from 0.0 to 1.0, got 1.5"),
            (
                asks(&[SamplingMessage::assistant(tool_use("u1"))]),
                "the tool use `u1` has no tool result in the next message",
            ),
            (
                asks(&[
                    SamplingMessage::assistant(tool_use("u1")).and(tool_use("u2")),
                    SamplingMessage::user(result("u1")),
                ]),
                "the tool use `u2` has no tool result in the next message",
            ),
            (
                asks(&[SamplingMessage::assistant(tool_use("u1")), SamplingMessage::user(result("u1")).and("Hi")]),
                "a message with tool results is one of the user, with nothing else in it",
            ),
            (
                asks(&[user.clone(), SamplingMessage::user(result("u1"))]),
                "the tool result for `u1` answers no tool use of the message before",
            ),
            (asks(&[SamplingMessage::user(tool_use("u1"))]), "a message with tool uses is one of the assistant"),
        ] {
            assert_eq!(request.check().unwrap_err(), expected);
        }
    }

    #[test]
    fn reads_what_the_model_has_written() {
        let single = decoded(
            r#"{"role":"assistant","content":{"type":"text","text":"Hello","annotations":{}},"model":"m","_meta":{}}"#,
        )
        .unwrap();
        assert_eq!((single.role, single.text(), single.model.as_str()), (Role::Assistant, "Hello".to_owned(), "m"));
        assert_eq!(single.stop_reason, None);
        let several = decoded(
            r#"{"role":"assistant","content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"},
                {"type":"image","data":"AAE=","mimeType":"image/png"}],"model":"m","stopReason":"endTurn"}"#,
        )
        .unwrap();
        assert_eq!(several.text(), "Hello");
        assert_eq!(several.content[2].to_bytes(), Some(vec![0, 1]));
        assert_eq!(several.stop_reason.as_deref(), Some("endTurn"));
    }

    #[test]
    fn says_what_is_wrong_with_a_result() {
        for (text, expected) in [
            ("[]", "the result must be an object with `role`, `content` and `model`"),
            ("{}", "missing field `role`"),
            (r#"{"role":"assistant","model":"m"}"#, "missing field `content`"),
            (r#"{"role":"assistant","content":[]}"#, "missing field `model`"),
            (r#"{"role":"assistant","model":"m","content":{"type":"text"}}"#, "`content`: missing field `text`"),
            (
                r#"{"role":"assistant","model":"m","content":{"type":"video"}}"#,
                "`content`: unknown variant `video`, expected one of `text`, `image`, `audio`, `tool_use`",
            ),
            (r#"{"role":"robot","model":"m","content":[]}"#, "unknown variant `robot`, expected `user` or `assistant`"),
        ] {
            assert_eq!(decoded(text).unwrap_err(), expected);
        }
    }
}
