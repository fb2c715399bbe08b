//! What stands around every tool call: logging, metrics, authorisation, limits.

#[cfg(feature = "tower")]
pub(crate) mod tower;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::call_state::CallState;
use crate::error::ToolError;
use crate::handler::Surroundings;
use crate::json;
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::protocol::{CallToolResult, ContentBlock, Implementation, Revision, ToolAnnotations};
use crate::result::Outcome;
use crate::text::on_one_line;
use crate::tool::Registered;

/// Stands around every tool call of a server: sees the request and the response, and may refuse, delay, rewrite or record
/// either. [`Server::middleware`](crate::Server::middleware) adds it.
///
/// A closure of a [`ToolRequest`] and the [`Next`] is one; so is a type of your own that implements this trait.
///
/// # Examples
/// Refuse what changes something, but for one client:
/// ```
/// use mcp_runtime::{Next, Server, ToolError, ToolRequest};
///
/// let server = Server::new("guarded", "1.0.0").middleware(async |request: ToolRequest, next: Next| {
///     let is_trusted = request.client().is_some_and(|client| client.name == "our-own");
///     if is_trusted || request.annotations().read_only_hint == Some(true) {
///         next.run(request).await
///     } else {
///         ToolError::failure(format!("`{}` may not be called from here", request.tool())).into()
///     }
/// });
/// # let _ = server;
/// ```
///
/// Count the calls, in a type of your own:
/// ```
/// use std::pin::Pin;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use mcp_runtime::{Middleware, Next, Server, ToolRequest, ToolResponse};
///
/// #[derive(Clone, Default)]
/// struct Count(Arc<AtomicU64>);
///
/// impl Middleware for Count {
///     fn call(&self, request: ToolRequest, next: Next) -> Pin<Box<dyn Future<Output = ToolResponse> + Send + '_>> {
///         Box::pin(async move {
///             self.0.fetch_add(1, Ordering::Relaxed);
///             next.run(request).await
///         })
///     }
/// }
///
/// let count = Count::default();
/// let server = Server::new("counted", "1.0.0").middleware(count.clone());
/// # let _ = server;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand around tool calls",
    label = "not a middleware",
    note = "give an `async` closure of both, `async |request: ToolRequest, next: Next| next.run(request).await`, or a type that \
            implements `Middleware`"
)]
pub trait Middleware: Send + Sync + 'static {
    /// Answers a call, most often by [`next.run(request)`](Next::run) somewhere in between.
    ///
    /// The future is dropped where the call is cancelled, and where it asks its client in revision 2026-07-28:
    /// what stands behind `next.run` is not reached then, and the next round of the call passes the middleware anew. A panic is
    /// one of the call: it is answered with error -32603.
    fn call(&self, request: ToolRequest, next: Next) -> Pin<Box<dyn Future<Output = ToolResponse> + Send + '_>>;
}

impl<F, Fut> Middleware for F
where
    F: Fn(ToolRequest, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ToolResponse> + Send + 'static,
{
    fn call(&self, request: ToolRequest, next: Next) -> Pin<Box<dyn Future<Output = ToolResponse> + Send + '_>> {
        Box::pin(self(request, next))
    }
}

/// A call that is on its way to its tool. A clone is the same call once more, for middleware that tries again.
#[derive(Debug, Clone)]
pub struct ToolRequest {
    state: Arc<CallState>,
    tool: Arc<Registered>,
    arguments: Box<str>,
    /// Where the call goes from here, while it is in the hands of a tower service.
    #[cfg(feature = "tower")]
    next: Option<Next>,
}

impl ToolRequest {
    /// The name of the tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.tool.name()
    }

    /// What the tool says about what it does.
    #[must_use]
    pub fn annotations(&self) -> ToolAnnotations {
        self.tool.annotations()
    }

    /// The arguments object, as the client wrote it. Nothing has been checked yet.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The arguments object as a type of your own, such as [`Value`].
    ///
    /// # Errors
    /// If they do not fit.
    pub fn arguments_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        json::parse(&self.arguments)
    }

    /// Gives the tool other arguments than the client did. What is no object is answered as wrong arguments are.
    pub fn set_arguments(&mut self, arguments: &Value) {
        self.arguments = json::text(arguments).into();
    }

    /// The id of the request, as it stands in JSON.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.state.origin.id
    }

    /// The protocol revision that the client speaks.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.state.origin.revision
    }

    /// What the client says it is, if it does. Nothing proves it.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        self.state.origin.client()
    }

    /// What the request came with over HTTP, like [`Context::http`](crate::Context::http).
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn http(&self) -> Option<&http::request::Parts> {
        self.state.origin.head()
    }

    /// The other end of the connection, like [`Context::peer_addr`](crate::Context::peer_addr).
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn peer_addr(&self) -> Option<std::net::SocketAddr> {
        self.state.origin.peer()
    }

    /// `_meta` of the request; empty if there is none.
    #[must_use]
    pub fn meta(&self) -> Map<String, Value> {
        self.state.origin.meta()
    }

    /// Whether the client has cancelled the call.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled()
    }
}

/// What a call is answered with: a result, a failure, or a protocol error. A [`ToolError`] and a [`CallToolResult`] convert
/// into it.
#[derive(Debug)]
pub struct ToolResponse {
    outcome: Outcome,
    /// Whether it comes from the middleware and not from the tool, whose type its output schema describes.
    is_foreign: bool,
}

impl ToolResponse {
    fn foreign(outcome: Outcome) -> Self {
        Self { outcome, is_foreign: true }
    }

    /// The JSON of the value that the tool has returned, if it has returned one and not a [`CallToolResult`].
    #[must_use]
    pub fn json(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Value(json) => Some(json),
            _ => None,
        }
    }

    /// A response with a value, in place of the tool's. Its output schema has to take it, or the call fails.
    ///
    /// # Errors
    /// If the value cannot be written as JSON.
    pub fn value(value: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        Ok(Self::foreign(Outcome::Value(on_one_line(serde_json::to_string(value)?))))
    }

    /// What the tool has said about its result, if it has returned a [`CallToolResult`], or a failure with data.
    #[must_use]
    pub fn result(&self) -> Option<&CallToolResult> {
        match &self.outcome {
            Outcome::Full(result) => Some(result),
            _ => None,
        }
    }

    /// The text of a failure that the model reads: one of the tool, or arguments that do not fit. Where the server
    /// [masks errors](crate::Server::mask_errors), this still is the text that it masks.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Failure(text) | Outcome::Failed(text) => Some(text),
            Outcome::Full(result) if result.is_error => {
                Some(result.content.iter().find_map(ContentBlock::as_text).unwrap_or_default())
            }
            _ => None,
        }
    }

    /// The error that the client gets instead of a result.
    #[must_use]
    pub fn error(&self) -> Option<&ErrorObject> {
        match &self.outcome {
            Outcome::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Whether the call has succeeded.
    #[must_use]
    pub fn is_success(&self) -> bool {
        match &self.outcome {
            Outcome::Value(_) => true,
            Outcome::Full(result) => !result.is_error,
            _ => false,
        }
    }
}

impl From<ToolError> for ToolResponse {
    fn from(error: ToolError) -> Self {
        Self::foreign(error.into())
    }
}

impl From<CallToolResult> for ToolResponse {
    fn from(result: CallToolResult) -> Self {
        Self::foreign(Outcome::Full(Box::new(result)))
    }
}

/// The rest of the way of a call: the middleware that was added later, and the tool. A clone leads there once more.
#[derive(Debug, Clone)]
pub struct Next {
    stack: Stack,
    /// How many have seen the call already.
    passed: usize,
    surroundings: Arc<Surroundings>,
}

impl Next {
    /// Passes the call on, and returns what it is answered with.
    pub async fn run(mut self, request: ToolRequest) -> ToolResponse {
        let stack = self.stack.clone();
        if let Some(middleware) = stack.0.get(self.passed) {
            self.passed += 1;
            return middleware.call(request, self).await;
        }
        match request.tool.prepare(&request.arguments, &request.state, &self.surroundings) {
            Ok(body) => ToolResponse { outcome: body.await, is_foreign: false },
            Err(refusal) => ToolResponse { outcome: refusal, is_foreign: false },
        }
    }
}

/// All the middleware of a server, in the order in which a call passes it.
#[derive(Clone)]
pub(crate) struct Stack(Arc<[Box<dyn Middleware>]>);

impl Stack {
    /// `None` if there is no middleware, so that a call need not pass through nothing.
    pub(crate) fn new(middleware: Vec<Box<dyn Middleware>>) -> Option<Self> {
        (!middleware.is_empty()).then(|| Self(middleware.into()))
    }

    /// Sends a call on its way.
    pub(crate) async fn call(
        self,
        state: Arc<CallState>,
        tool: Arc<Registered>,
        arguments: Box<str>,
        surroundings: Arc<Surroundings>,
    ) -> Outcome {
        let request = ToolRequest {
            state,
            tool: Arc::clone(&tool),
            arguments,
            #[cfg(feature = "tower")]
            next: None,
        };
        let response = Next { stack: self, passed: 0, surroundings }.run(request).await;
        let misfit = response.is_foreign.then(|| response.outcome.misfit_as_foreign(tool.output_schema())).flatten();
        misfit.map_or(response.outcome, Outcome::Failure)
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stack").field("middleware", &self.0.len()).finish()
    }
}
