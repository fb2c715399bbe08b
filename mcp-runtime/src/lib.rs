//! Typed tools of the [Model Context Protocol](https://modelcontextprotocol.io), from plain functions.
//!
//! Put [`#[tool]`](macro@tool) on a function and list it with [`tools!`]; [`Server`] serves it. The signature is the
//! tool's schema, the reading of its arguments and the form of its result. [`#[prompt]`](macro@prompt) and
//! [`#[resource]`](macro@resource) do the same for prompts and resources.
//!
//! ```no_run
//! use mcp_runtime::{Server, tool, tools};
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(a: i32, b: i32) -> i64 {
//!     i64::from(a) + i64::from(b)
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     Server::new("adder", env!("CARGO_PKG_VERSION")).tools(tools![add]).run()
//! }
//! ```
//!
//! # How a message travels
//!
//! `transport -> codec -> session -> dispatch -> handler -> result -> codec -> transport`, each a module of its own:
//! bytes become lines, a line becomes a message, the session decides by which protocol revision it is served, dispatch
//! finds the tool, the prompt or the resource, that takes its arguments and runs, and its outcome is written for that
//! revision.

/// The tools of [`fuzzing`] name the crate as those of its users do.
#[cfg(any(test, fuzzing))]
extern crate self as mcp_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[doc(hidden)]
#[path = "stages.rs"]
pub mod __stages;
#[cfg(feature = "ask")]
mod ask;
mod batch;
mod call_state;
mod caller;
mod calls;
mod changes;
mod client;
mod client_log;
mod codec;
mod command_line;
mod context;
mod dispatch;
mod error;
mod executor;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod handle;
mod handler;
mod handler_call;
#[cfg(feature = "http")]
pub mod http;
mod json;
mod jsonrpc;
pub mod limits;
mod listed;
mod live_set;
mod log;
mod middleware;
mod notification;
mod others;
mod outlet;
mod panic_hook;
mod peer;
mod progress;
mod prompt;
mod protocol;
mod registry;
mod reply;
mod request;
mod resource;
mod result;
mod returns;
mod run;
mod schema;
mod serve;
mod server;
mod session;
#[cfg(unix)]
mod signals;
mod slack;
mod state;
mod stderr;
mod subscriber;
mod target;
mod text;
mod threads;
mod timestamp;
mod tool;
pub mod transport;
mod wire;

/// Makes a struct a form that the user can be [asked](Context::elicit) to fill in, or an enum without data a choice in one.
///
/// Only with the feature `ask`. Derive `Deserialize` and `JsonSchema` beside it. A form is flat: each field is a string, a
/// number, a boolean, a choice, a list of choices (since 2025-11-25), or an `Option` of one; anything else does not compile. The
/// docs of a field are its description, and `#[schemars(…)]` gives it a `title`, a `range`, a `length`, a format, or a `default`.
/// The docs of a choice are in its title, `Small: For one.`
/// `#[form(crate = path)]` says where `mcp-runtime` is found.
///
/// # Examples
/// ```
/// use mcp_runtime::Form;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Form)]
/// enum Size {
///     Small,
///     Large,
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema, Form)]
/// struct Order {
///     /// How many.
///     #[schemars(range(min = 1, max = 9))]
///     count: u8,
///     size: Size,
///     /// Where to send it.
///     email: Option<String>,
/// }
/// # fn is_form<T: Form>() {}
/// # is_form::<Order>();
/// ```
///
/// # Spec
/// 2026-07-28, `client/elicitation`, "Requested Schema".
#[cfg(feature = "ask")]
pub use mcp_macros::Form;
#[doc = include_str!("../docs/prompt.md")]
pub use mcp_macros::prompt;
#[doc = include_str!("../docs/resource.md")]
pub use mcp_macros::resource;
#[doc = include_str!("../docs/tool.md")]
pub use mcp_macros::tool;
/// Lists the `#[tool]`, `#[prompt]` and `#[resource]` methods of an `impl` block, so that [`Server::toolset`] can register
/// them with their value.
///
/// Methods without a receiver are listed too. `#[toolset(name)]` makes a set of its own, of tools only, for a further block
/// of the same type: an associated function `name()` for [`Server::tools`], beside [`Server::state`] for the value. It is as
/// visible as the first tool of the block. `#[toolset(crate = path)]` holds for all that the block lists.
///
/// # Examples
/// ```
/// use std::sync::atomic::{AtomicI64, Ordering};
///
/// use mcp_runtime::{Server, tool, toolset};
///
/// #[derive(Default)]
/// struct Account {
///     cents: AtomicI64,
/// }
///
/// #[toolset]
/// impl Account {
///     /// Pay in; returns the balance.
///     #[tool]
///     fn deposit(&self, #[arg(range = 1..)] cents: i64) -> i64 {
///         self.cents.fetch_add(cents, Ordering::Relaxed) + cents
///     }
/// }
///
/// #[toolset(reports)]
/// impl Account {
///     /// The balance, in cents.
///     #[tool(read_only)]
///     fn balance(&self) -> i64 {
///         self.cents.load(Ordering::Relaxed)
///     }
/// }
///
/// let server = Server::new("bank", "1.0.0").toolset(Account::default()).tools(Account::reports());
/// # let _ = server;
/// ```
pub use mcp_macros::toolset;

#[cfg(feature = "http")]
pub use self::http::{Extension, HttpService};
#[cfg(feature = "ask")]
pub use ask::{AskError, Form, FormChoice, FormData, FormField, StateKey};
pub use client::{Client, ClientError, Question};
#[cfg(feature = "tracing-subscriber")]
pub use client_log::ClientLogLayer;
pub use context::Context;
pub use error::{ServeError, SetError, StartError, ToolError};
pub use handle::ServerHandle;
pub use handler::bounds::{Bound, Measured, Patterned, Ranged};
pub use handler::completer::{Completer, CompletionOutput, CompletionRequest};
pub use handler::param::{Provided, ToolParam, ToolParamRef};
pub use jsonrpc::{ErrorObject, RequestId};
#[cfg(feature = "tower")]
pub use middleware::tower::ToolService;
pub use middleware::{Middleware, Next, ToolRequest, ToolResponse};
pub use prompt::builder::PromptBuilder;
pub use prompt::def::PromptDef;
pub use prompt::output::PromptOutput;
pub use prompt::set::PromptSet;
pub use prompt::value::Prompt;
pub use protocol::{
    Annotations, CacheScope, CallToolResult, Completion, ContentBlock, GetPromptResult, Icon, Implementation, LogLevel,
    PromptArgument, PromptMessage, Resource, ResourceContents, Revision, Role, ToolAnnotations,
};
#[cfg(feature = "ask")]
pub use protocol::{
    ClientCapabilities, ClientCapability, CreateMessageRequest, CreateMessageResult, IncludeContext, ModelHint,
    ModelPreferences, Root, SamplingMessage, SamplingMessageContentBlock, SamplingTool, ToolChoice, ToolResultContent,
    ToolUseContent,
};
pub use resource::builder::{ResourceBuilder, ResourceRead};
pub use resource::def::ResourceDef;
pub use resource::output::ResourceOutput;
pub use resource::set::ResourceSet;
pub use resource::value::ServerResource;
pub use result::{ToolFailure, ToolOutput};
pub use server::{Server, Toolset};
pub use state::{State, ToolState};
pub use tool::builder::ToolBuilder;
pub use tool::def::ToolDef;
pub use tool::set::ToolSet;
pub use tool::value::Tool;

/// Lists tools for [`Server::tools`]: `tools![add, weather::forecast]`.
///
/// Each path names a function with `#[tool]`. Two tools of one name are a compile error at the second.
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => {
        $crate::__private::tools!($crate; $($tools)*)
    };
}

/// Lists prompts for [`Server::prompts`]: `prompts![review, summaries::weekly]`.
///
/// Each path names a function with `#[prompt]`. Two prompts of one name are a compile error at the second.
#[macro_export]
macro_rules! prompts {
    ($($prompts:tt)*) => {
        $crate::__private::prompts!($crate; $($prompts)*)
    };
}

/// Lists resources for [`Server::resources`]: `resources![readme, orders::order]`.
///
/// Each path names a function with `#[resource]`. Two resources of one URI are a compile error at the second.
#[macro_export]
macro_rules! resources {
    ($($resources:tt)*) => {
        $crate::__private::resources!($crate; $($resources)*)
    };
}

/// The code blocks of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// Guides.
pub mod guide {
    #[cfg(feature = "ask")]
    #[doc = include_str!("../docs/asking.md")]
    pub mod asking {}

    #[doc = include_str!("../docs/from-fastmcp.md")]
    pub mod from_fastmcp {}

    #[doc = include_str!("../docs/from-rmcp.md")]
    pub mod from_rmcp {}

    #[cfg(feature = "http")]
    #[doc = include_str!("../docs/revisions.md")]
    pub mod revisions {}
}
