//! A tool as a value: what `#[tool]` has left behind, or what was put together at run time.

use std::panic::Location;

use serde_json::Value;

use super::builder::ToolBuilder;
use super::def::ToolDef;
use crate::handler::Handler;
use crate::handler::about::About;
use crate::protocol::ToolAnnotations;
use crate::result::OutputEntry;

/// A tool to register: made by `#[tool]`, whose companions convert into it, or [built](Tool::builder) at run time.
///
/// # Examples
/// ```
/// use mcp_runtime::{Server, Tool, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i32, b: i32) -> i64 {
///     i64::from(a) + i64::from(b)
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Greeting {
///     name: String,
/// }
///
/// let greet = Tool::builder("greet").description("Greet somebody.").handler(|greeting: Greeting, _| async move {
///     Ok::<_, std::convert::Infallible>(format!("Hello, {}!", greeting.name))
/// });
/// let server = Server::new("mixed", "1.0.0").tools(tools![add]).tools([greet]);
/// # let _ = server;
/// ```
#[must_use = "a tool does nothing until it is registered"]
pub struct Tool {
    pub(super) about: About,
    pub(super) annotations: ToolAnnotations,
    pub(super) is_enabled: bool,
    pub(super) output: Output,
    pub(super) handler: Handler,
}

/// Where the output schema comes from.
#[derive(Debug)]
pub(super) enum Output {
    /// From what the function returns.
    Derived(fn(&mut OutputEntry)),
    /// From outside.
    Supplied(Value),
}

impl Tool {
    /// Begins a tool that is put together at run time, such as from a configuration file.
    #[track_caller]
    pub fn builder(name: impl Into<String>) -> ToolBuilder {
        ToolBuilder::new(name.into(), Location::caller())
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// Hides the tool until [`ToolSet::enable`](crate::ToolSet::enable): it is neither listed nor can it be called. A server
    /// whose set is not [given out](crate::Server::tool_set) never shows it.
    pub fn disabled(mut self) -> Self {
        self.is_enabled = false;
        self
    }
}

impl From<ToolDef> for Tool {
    fn from(tool: ToolDef) -> Self {
        Self {
            about: tool.def.about(),
            annotations: tool.annotations,
            is_enabled: true,
            output: Output::Derived(tool.output),
            handler: Handler::derived(&tool.def),
        }
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.about.name)
            .field("origin", &self.about.origin)
            .finish_non_exhaustive()
    }
}
