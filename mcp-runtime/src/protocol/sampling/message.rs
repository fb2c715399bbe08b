//! The messages of a conversation with a model, and what they are made of.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::protocol::content::project_block;
use crate::protocol::{ContentBlock, Revision, Role};

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

    pub(super) fn tool_uses(&self) -> impl Iterator<Item = &ToolUseContent> {
        tool_uses(&self.content)
    }

    /// One message, or before 2025-11-25 one for each part.
    pub(super) fn project(&self, revision: Revision) -> Vec<Value> {
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

    pub(super) fn is_of_tool(&self) -> bool {
        matches!(self, Self::ToolUse(_) | Self::ToolResult(_))
    }

    /// The id of the tool use that it answers.
    pub(super) fn answered(&self) -> Option<&str> {
        match self {
            Self::ToolResult(result) => Some(&result.tool_use_id),
            _ => None,
        }
    }

    pub(super) fn project(&self, revision: Revision) -> Value {
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

pub(super) fn tool_uses(content: &[SamplingMessageContentBlock]) -> impl Iterator<Item = &ToolUseContent> {
    content.iter().filter_map(|block| match block {
        SamplingMessageContentBlock::ToolUse(tool_use) => Some(tool_use),
        _ => None,
    })
}
