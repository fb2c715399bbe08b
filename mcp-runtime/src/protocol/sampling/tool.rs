//! Tools for the client's model.

use serde::Serialize;
use serde_json::Value;

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
