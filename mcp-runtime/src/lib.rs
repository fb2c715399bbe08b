//! Typed tools of the [Model Context Protocol](https://modelcontextprotocol.io), from plain functions.
//!
//! Put [`#[tool]`](macro@tool) on a function and list it with [`tools!`]; [`Server`] serves it. The signature is the
//! tool's schema, the reading of its arguments and the form of its result.
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
//! `transport -> codec -> session -> dispatch -> tool -> result -> codec -> transport`, each a module of its own:
//! bytes become lines, a line becomes a message, the session decides by which protocol revision it is served, dispatch
//! finds the tool, the tool takes its arguments and runs, and its outcome is written for that revision.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod call;
mod calls;
mod client;
mod codec;
mod command_line;
mod context;
mod dispatch;
mod error;
mod executor;
mod handle;
mod json;
mod jsonrpc;
pub mod limits;
mod log;
mod outlet;
mod protocol;
mod reply;
mod result;
mod run;
mod schema;
mod serve;
mod server;
mod session;
mod state;
mod text;
mod tool;
pub mod transport;
mod wire;

/// Makes a function a tool.
///
/// The function stays what it is. Beside it stands a hidden constant that describes it, which [`tools!`] finds by the
/// function's path: list a tool of another module as `tools![weather::forecast]`, since a bare `use weather::forecast`
/// brings the function along but not the constant (a glob does).
///
/// # Keys
///
/// | key | meaning | default |
/// | --- | --- | --- |
/// | `name = "…"` | the name on the wire: 1 to 128 of `A-Z`, `a-z`, `0-9`, `_`, `-` and `.` | the function's |
/// | `title = "…"` | a name for people | none |
/// | `description = "…"` | what the model reads: any constant `&'static str` | the doc comment |
/// | `read_only`, `read_only = bool` | `readOnlyHint` | not sent |
/// | `destructive = bool` | `destructiveHint` | not sent |
/// | `idempotent`, `idempotent = bool` | `idempotentHint` | not sent |
/// | `open_world = bool` | `openWorldHint` | not sent |
///
/// # Parameters
///
/// - A type that is `Deserialize` and `JsonSchema` is an argument ([`ToolParam`]). Its doc comment is the argument's
///   description. A type that deserializes from nothing, such as `Option`, is an optional argument.
/// - A reference to such a type is lent for the call: `&str`, `&[T]`, `&Path`, `&MyType` ([`ToolParamRef`]).
/// - [`&Context`](Context) is the call itself, in any position.
///
/// # Results
///
/// See [`ToolOutput`] for what can be returned, and [`ToolFailure`] for the errors of a `Result`.
///
/// # Examples
///
/// ```
/// use mcp_runtime::{Context, tool};
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Match {
///     line: usize,
///     text: String,
/// }
///
/// /// Find the lines of a text that hold a word.
/// #[tool(title = "Find lines", read_only, idempotent, open_world = false)]
/// async fn find_lines(
///     /// The text to search.
///     text: &str,
///     /// The word to look for.
///     word: &str,
///     /// At most so many lines; all of them if it is left out.
///     limit: Option<usize>,
///     ctx: &Context,
/// ) -> Result<Vec<Match>, String> {
///     if word.is_empty() {
///         return Err("`word` must not be empty".to_owned());
///     }
///     ctx.progress(0.0, None, Some("searching"));
///     let lines = text.lines().enumerate().filter(|(_, line)| line.contains(word));
///     let matches = lines.map(|(at, line)| Match { line: at + 1, text: line.to_owned() });
///     Ok(matches.take(limit.unwrap_or(usize::MAX)).collect())
/// }
/// ```
///
/// A description from elsewhere:
///
/// ```
/// use mcp_runtime::tool;
///
/// const ABOUT: &str = "Say what time it is in a city.";
///
/// #[tool(name = "time.in", description = ABOUT)]
/// fn time_in(city: &str) -> String {
///     format!("late in {city}")
/// }
/// ```
///
/// # Spec
/// 2026-07-28, `server/tools`.
pub use mcp_macros::tool;
/// Lists the `#[tool]` methods of an `impl` block, so that [`Server::toolset`] can register them with their value.
///
/// Methods without a receiver are listed too. `#[toolset(name)]` makes a set of its own for a further block of the same
/// type: an associated function `name()` for [`Server::tools`], beside [`Server::state`] for the value.
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

pub use client::{Client, ClientError};
pub use context::Context;
pub use error::{ServeError, StartError, ToolError};
pub use handle::ServerHandle;
pub use jsonrpc::{ErrorObject, RequestId};
pub use protocol::{
    Annotations, CallToolResult, ContentBlock, Implementation, Resource, ResourceContents, Revision, Role,
    ToolAnnotations,
};
pub use result::{ToolFailure, ToolOutput};
pub use server::{Server, Toolset};
pub use state::{State, ToolState};
pub use tool::bounds::{Bound, Measured, Patterned, Ranged};
pub use tool::def::ToolDef;
pub use tool::param::{ToolParam, ToolParamRef};

/// Lists tools for [`Server::tools`]: `tools![add, weather::forecast]`.
///
/// Each path names a function with `#[tool]`. Two tools of one name are a compile error at the second.
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => {
        $crate::__private::tools!($crate; $($tools)*)
    };
}

/// The code blocks of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
