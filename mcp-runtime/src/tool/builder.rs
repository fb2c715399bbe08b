//! Tools without a macro: a name, what it can do, and a closure.

use std::any::Any;
use std::fmt::Display;
use std::future::Future;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Pace;
use super::arguments::Call;
use super::def::Started;
use super::param::Params;
use super::value::{Body, Output, Tool};
use crate::context::Context;
use crate::error::ToolError;
use crate::protocol::ToolAnnotations;
use crate::protocol::tools::Icon;
use crate::result::{Outcome, ToolOutput, chained_static};

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
    name: String,
    origin: &'static Location<'static>,
    title: Option<String>,
    description: Option<String>,
    annotations: ToolAnnotations,
    icons: Vec<Icon>,
    meta: Option<Value>,
    timeout: Option<Duration>,
    input: Option<Value>,
    output: Option<Value>,
}

impl ToolBuilder {
    pub(super) fn new(name: String, origin: &'static Location<'static>) -> Self {
        Self {
            name,
            origin,
            title: None,
            description: None,
            annotations: ToolAnnotations::NONE,
            icons: Vec::new(),
            meta: None,
            timeout: None,
            input: None,
            output: None,
        }
    }

    /// The name for people. Default: none.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the model reads about the tool. Default: none.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

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

    /// A picture at a URI of `https` or `data`. May be called again. Default: none.
    pub fn icon(mut self, src: &str) -> Self {
        self.icons.push(Icon::new(src));
        self
    }

    /// `_meta` of the tool. Default: none.
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(Value::Object(meta));
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
    /// the text of the error, written with `{:#}`, which for `anyhow::Error` has its sources too; a [`ToolError`], also in
    /// a `Box<dyn Error + Send + Sync>`, says more.
    pub fn handler<A, F, Fut, T, E>(self, handler: F) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: ToolOutput + 'static,
        E: Display + 'static,
    {
        let start = move |call: &mut Call<'_>| match call.argument::<A>(0) {
            Some(arguments) => {
                let future = handler(arguments, call.context());
                Started::future(async move { outcome(future.await) })
            }
            None => Started::refused(),
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
        let start = move |call: &mut Call<'_>| match call.argument::<A>(0) {
            Some(arguments) => {
                let (handler, context) = (Arc::clone(&handler), call.context());
                Started::future(async move { outcome(handler(arguments, context)) })
            }
            None => Started::refused(),
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
        Tool {
            name: self.name.into(),
            origin: self.origin,
            title: self.title.map(Into::into),
            description: self.description.map(Into::into),
            annotations: self.annotations,
            icons: self.icons,
            meta: self.meta,
            pace,
            timeout: self.timeout,
            is_enabled: true,
            params,
            input: self.input,
            output: self.output.map_or(Output::Derived(|entry| entry.success::<T>(PhantomData)), Output::Supplied),
            body: Body::Built(Box::new(start)),
        }
    }
}

/// What a closure has returned. Its error can be of any type, so it is looked at for what says more than its text.
fn outcome<T: ToolOutput, E: Display + 'static>(returned: Result<T, E>) -> Outcome {
    let error = match returned {
        Ok(value) => return value.into_outcome(),
        Err(error) => error,
    };
    let any: &dyn Any = &error;
    if let Some(error) = any.downcast_ref::<ToolError>() {
        return error.clone().into();
    }
    if let Some(error) = any.downcast_ref::<Box<dyn std::error::Error + Send + Sync>>() {
        return chained_static(error.as_ref());
    }
    // With `#`, errors that carry others, such as those of anyhow, tell them too.
    Outcome::Failed(format!("{error:#}"))
}
