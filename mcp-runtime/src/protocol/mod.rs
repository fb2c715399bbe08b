//! The types of the Model Context Protocol, under the names of its schema, and what each revision makes of them.
//!
//! Nothing here decides anything: a type knows how it is written for a [`Revision`], and no more.

pub(crate) mod call;
#[cfg(feature = "ask")]
pub(crate) mod capabilities;
pub(crate) mod completion;
pub(crate) mod content;
#[cfg(feature = "ask")]
pub(crate) mod elicitation;
pub(crate) mod icons;
pub(crate) mod lifecycle;
pub(crate) mod logging;
pub(crate) mod meta;
pub(crate) mod pages;
pub(crate) mod progress;
pub(crate) mod prompts;
pub(crate) mod resources;
pub(crate) mod revision;
#[cfg(feature = "ask")]
pub(crate) mod roots;
#[cfg(feature = "ask")]
pub(crate) mod sampling;
pub(crate) mod subscriptions;
pub(crate) mod tools;

pub use call::CallToolResult;
#[cfg(feature = "ask")]
pub use capabilities::{ClientCapabilities, ClientCapability};
pub use completion::Completion;
pub use content::{Annotations, ContentBlock, Resource, ResourceContents, Role};
pub use icons::Icon;
pub use lifecycle::Implementation;
pub use logging::LogLevel;
pub use pages::CacheScope;
pub use prompts::{GetPromptResult, PromptArgument, PromptMessage};
pub use revision::Revision;
#[cfg(feature = "ask")]
pub use roots::Root;
#[cfg(feature = "ask")]
pub use sampling::{
    CreateMessageRequest, CreateMessageResult, IncludeContext, ModelHint, ModelPreferences, SamplingMessage,
    SamplingMessageContentBlock, SamplingTool, ToolChoice, ToolResultContent, ToolUseContent,
};
pub use tools::ToolAnnotations;
