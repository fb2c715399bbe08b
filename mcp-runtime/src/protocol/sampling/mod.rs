//! `sampling/createMessage`: letting the client's model write a message.
//!
//! Spec: 2026-07-28, `client/sampling`.

mod message;
mod preferences;
mod request;
mod result;
mod tool;

#[cfg(test)]
mod tests;

pub use self::message::{SamplingMessage, SamplingMessageContentBlock, ToolResultContent, ToolUseContent};
pub use self::preferences::{ModelHint, ModelPreferences};
pub use self::request::{CreateMessageRequest, IncludeContext};
pub use self::result::CreateMessageResult;
pub use self::tool::{SamplingTool, ToolChoice};

/// The method.
pub(crate) const METHOD: &str = "sampling/createMessage";
