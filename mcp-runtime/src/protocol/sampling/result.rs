//! What the client's model has written.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::message::{SamplingMessage, SamplingMessageContentBlock, ToolUseContent, tool_uses};
use crate::json;
use crate::jsonrpc::without_place;
use crate::protocol::Role;

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
        let raw: RawResult<'_> = json::parse(raw.get()).map_err(|error| without_place(&error))?;
        let content: Vec<RawBlock> = match raw.content.get() {
            list if list.starts_with('[') => json::parse(list),
            single => json::parse(single).map(|block| vec![block]),
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
