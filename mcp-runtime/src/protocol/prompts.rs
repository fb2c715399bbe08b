//! `prompts/list` and `prompts/get`.
//!
//! Spec: 2026-07-28, `server/prompts`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::content::{ContentBlock, Role, project_block};
use super::icons::Icon;
use super::meta::RequestParams;
use super::revision::Revision;
use crate::jsonrpc::{ErrorObject, as_string, write_json};

/// One entry of `prompts/list`, with every member that any revision has.
#[derive(Debug, Serialize)]
pub(crate) struct Prompt<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<PromptArgument>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Value>,
}

impl Prompt<'_> {
    /// Drops the members that the revision does not have.
    pub(crate) fn project(mut self, revision: Revision) -> Self {
        if !revision.has_structured_content() {
            self.title = None;
            self.meta = None;
            for argument in &mut self.arguments {
                argument.title = None;
            }
        }
        if !revision.has_icons() {
            self.icons = &[];
        }
        self
    }
}

/// An argument of a prompt, as it is listed.
///
/// # Spec
/// 2026-07-28, `schema`, `PromptArgument`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// The name on the wire.
    pub name: String,
    /// A name for people; since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it has to be given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, description: None, required: false }
    }

    /// Names it for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what to give.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Says that it has to be given.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// The params of `prompts/get`.
#[derive(Debug)]
pub(crate) struct GetPromptRequest<'a> {
    pub(crate) name: Cow<'a, str>,
    /// The arguments object, `{}` if there was none.
    pub(crate) arguments: &'a str,
}

impl<'a> GetPromptRequest<'a> {
    /// Reads the params further.
    ///
    /// # Errors
    /// `-32602` if they do not name a prompt; what is inside `arguments` is not looked at.
    pub(crate) fn decode(params: &RequestParams<'a>) -> Result<Self, ErrorObject> {
        let name =
            params.name.ok_or_else(|| ErrorObject::invalid_params("`name` is missing: the name of the prompt"))?;
        let name = as_string(name).ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = params.arguments.map_or("{}", RawValue::get);
        if !arguments.starts_with('{') {
            return Err(ErrorObject::invalid_params("`arguments` must be an object of strings"));
        }
        Ok(Self { name, arguments })
    }
}

/// A message of a prompt.
///
/// # Examples
/// ```
/// use mcp_runtime::PromptMessage;
///
/// let messages = [PromptMessage::user("Review this code."), PromptMessage::assistant("Which part first?")];
/// # let _ = messages;
/// ```
///
/// # Spec
/// 2026-07-28, `schema`, `PromptMessage`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl PromptMessage {
    /// What the user says: a text, or any other block of content.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// What the model says: a text, or any other block of content.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// A whole result of `prompts/get`, for a prompt that wants to say more than its messages.
///
/// # Spec
/// 2026-07-28, `schema`, `GetPromptResult`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct GetPromptResult {
    /// What the prompt is for; that of the list if absent.
    pub description: Option<String>,
    /// What is said, in order.
    pub messages: Vec<PromptMessage>,
    /// What else programs may want to know. In a box, since nearly no result has it.
    pub(crate) meta: Option<Box<Map<String, Value>>>,
}

impl GetPromptResult {
    /// A result with these messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> Self {
        Self { messages: messages.into_iter().collect(), ..Self::default() }
    }

    /// Says what the prompt is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds `_meta`: what else programs may want to know, under keys of your own.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(Box::new(meta));
        self
    }

    /// Appends the members of the result, without the braces.
    pub(crate) fn write(&self, out: &mut Vec<u8>, revision: Revision) {
        if let Some(description) = &self.description {
            out.extend_from_slice(br#""description":"#);
            write_json(out, description);
            out.push(b',');
        }
        out.extend_from_slice(br#""messages":"#);
        if revision.has_structured_content() {
            return write_json(out, &self.messages);
        }
        let mut messages: Value = serde_json::to_value(&self.messages).unwrap_or_default();
        for content in messages.as_array_mut().into_iter().flatten().filter_map(|message| message.get_mut("content")) {
            project_block(content, revision);
        }
        write_json(out, &messages);
    }
}
