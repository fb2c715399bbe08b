//! A tool as a value: what `#[tool]` has left behind, or what was put together at run time.

use std::borrow::Cow;
use std::panic::Location;
use std::time::Duration;

use serde_json::Value;

use super::Pace;
use super::arguments::Call;
use super::builder::ToolBuilder;
use super::def::{Started, ToolDef};
use super::param::Params;
use crate::protocol::ToolAnnotations;
use crate::protocol::tools::Icon;
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
    pub(super) name: Cow<'static, str>,
    pub(super) origin: &'static Location<'static>,
    pub(super) title: Option<Cow<'static, str>>,
    pub(super) description: Option<Cow<'static, str>>,
    pub(super) annotations: ToolAnnotations,
    pub(super) icons: Vec<Icon>,
    pub(super) meta: Option<Value>,
    pub(super) pace: Pace,
    pub(super) timeout: Option<Duration>,
    pub(super) is_enabled: bool,
    pub(super) params: Params,
    /// The input schema, unless it follows from the parameters.
    pub(super) input: Option<Value>,
    pub(super) output: Output,
    pub(super) body: Body,
}

/// Where the output schema comes from.
#[derive(Debug)]
pub(super) enum Output {
    /// From what the function returns.
    Derived(fn(&mut OutputEntry)),
    /// From outside.
    Supplied(Value),
}

/// What takes the arguments and makes the body ready to run.
pub(super) enum Body {
    Derived(fn(&mut Call<'_>) -> Started),
    Built(Box<dyn Fn(&mut Call<'_>) -> Started + Send + Sync>),
}

impl Body {
    pub(super) fn start(&self, call: &mut Call<'_>) -> Started {
        match self {
            Self::Derived(start) => start(call),
            Self::Built(start) => start(call),
        }
    }
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
        &self.name
    }

    /// Whether it was put together at run time.
    pub(super) fn is_built(&self) -> bool {
        matches!(self.body, Body::Built(_))
    }

    /// Hides the tool until [`ToolSet::enable`](crate::ToolSet::enable): it is neither listed nor can it be called. A server
    /// whose set is not [given out](crate::Server::tool_set) never shows it.
    pub fn disabled(mut self) -> Self {
        self.is_enabled = false;
        self
    }
}

impl From<ToolDef> for Tool {
    fn from(def: ToolDef) -> Self {
        let mut params = Params::default();
        (def.params)(&mut params);
        Self {
            name: def.name.into(),
            origin: def.origin,
            title: def.title.map(Cow::Borrowed),
            description: def.description.map(Cow::Borrowed),
            annotations: def.annotations,
            icons: def.listed_icons(),
            meta: def.listed_meta(),
            pace: match (def.is_blocking, def.is_sync) {
                (true, _) => Pace::Blocking,
                (false, true) => Pace::Sync,
                (false, false) => Pace::Async,
            },
            timeout: def.timeout,
            is_enabled: true,
            params,
            input: None,
            output: Output::Derived(def.output),
            body: Body::Derived(def.call),
        }
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).field("origin", &self.origin).finish_non_exhaustive()
    }
}
