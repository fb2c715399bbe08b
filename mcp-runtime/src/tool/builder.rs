//! Tools without a macro: a name, what it can do, and a closure.

use std::fmt::Display;
use std::future::Future;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::value::{Output, Tool};
use crate::context::Context;
use crate::handler::about::{About, about_settings};
use crate::handler::arguments::Call;
use crate::handler::params::Params;
use crate::handler::{Handler, Pace, Started};
use crate::protocol::ToolAnnotations;
use crate::result::{Outcome, ToolOutput, failed};
use crate::returns::Success;

/// A tool that is being put together; [`handler`](Self::handler) or [`blocking_handler`](Self::blocking_handler) ends the
/// chain. [`Tool::builder`] begins it.
///
/// # Examples
/// A tool whose schema comes from somewhere else takes its arguments as they are:
/// ```
/// use mcp_runtime::{Context, Server, Tool};
/// use serde_json::{Value, json};
///
/// let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
/// let double = Tool::builder("double").input_schema(schema).read_only(true).handler(|arguments: Value, _| async move {
///     arguments["n"].as_i64().and_then(|n| n.checked_mul(2)).ok_or("`n` is too large")
/// });
/// let server = Server::new("numbers", "1.0.0").tools([double]);
/// # let _ = server;
/// ```
#[must_use = "a tool without a handler does nothing"]
#[derive(Debug)]
pub struct ToolBuilder {
    about: About,
    annotations: ToolAnnotations,
    timeout: Option<Duration>,
    input: Option<Value>,
    output: Option<Value>,
}

impl ToolBuilder {
    pub(super) fn new(name: String, origin: &'static Location<'static>) -> Self {
        Self {
            about: About::new(name, origin),
            annotations: ToolAnnotations::NONE,
            timeout: None,
            input: None,
            output: None,
        }
    }

    about_settings!();

    /// Whether the tool changes nothing. Default: not said, which clients take for `false`.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only_hint = Some(hint);
        self
    }

    /// Whether the tool may destroy something. Default: not said, which clients take for `true`.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive_hint = Some(hint);
        self
    }

    /// Whether calling the tool twice is the same as once. Default: not said, which clients take for `false`.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent_hint = Some(hint);
        self
    }

    /// Whether the tool reaches out to an open world. Default: not said, which clients take for `true`.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world_hint = Some(hint);
        self
    }

    /// Stops a call at one of its awaits once it has taken so long; one that blocks has none. Default: no limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The schema of the arguments, published as it is: a JSON Schema of an object. Default: that of the type that the
    /// handler takes.
    ///
    /// Arguments are checked against its types, `required`, `properties`, `additionalProperties`, `enum`, `const`, bounds
    /// and lengths, `items`, `anyOf`, `oneOf`, `allOf` and references to `$defs`. What else it says, and what stands beside a reference, is for the client.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input = Some(schema);
        self
    }

    /// The schema of the structured content, published as it is; a result that breaks it is a failure of the tool.
    /// Default: that of the type that the handler returns.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// Ends the chain with an `async` closure. It takes the arguments object, as any type that can be deserialized from
    /// one, and the context of the call.
    ///
    /// A type whose schema is no object, such as [`Value`], needs an [`input_schema`](Self::input_schema). The model reads
    /// the text of the error, written with `{:#}`, which for `anyhow::Error` has its sources too; a [`ToolError`](crate::ToolError), also in
    /// a `Box<dyn Error + Send + Sync>`, says more.
    pub fn handler<A, F, Fut, T, E>(self, handler: F) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: ToolOutput + 'static,
        E: Display + 'static,
    {
        let start = move |call: &mut Call<'_>| {
            Started::with(call.argument::<A>(0), |arguments| {
                let future = handler(arguments, call.context());
                async move { outcome(future.await) }
            })
        };
        self.build::<A, T>(Pace::Async, start)
    }

    /// Ends the chain with a closure that blocks its thread, in the way of [`handler`](Self::handler).
    pub fn blocking_handler<A, F, T, E>(self, handler: F) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Result<T, E> + Send + Sync + 'static,
        T: ToolOutput + 'static,
        E: Display + 'static,
    {
        let handler = Arc::new(handler);
        let start = move |call: &mut Call<'_>| {
            Started::with(call.argument::<A>(0), |arguments| {
                let (handler, context) = (Arc::clone(&handler), call.context());
                async move { outcome(handler(arguments, context)) }
            })
        };
        self.build::<A, T>(Pace::Blocking, start)
    }

    fn build<A, T>(self, pace: Pace, start: impl Fn(&mut Call<'_>) -> Started + Send + Sync + 'static) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        T: ToolOutput,
    {
        let mut params = Params::default();
        params.all::<A>("arguments");
        let handler = Handler::built(params, pace, self.timeout, start).with_input(self.input);
        Tool {
            about: self.about,
            annotations: self.annotations,
            is_enabled: true,
            output: self.output.map_or(Output::Derived(|entry| entry.success::<T>(Success::NEW)), Output::Supplied),
            handler,
        }
    }
}

/// What a closure has returned.
fn outcome<T: ToolOutput, E: Display + 'static>(returned: Result<T, E>) -> Outcome {
    returned.map_or_else(|error| failed(&error), ToolOutput::into_outcome)
}
