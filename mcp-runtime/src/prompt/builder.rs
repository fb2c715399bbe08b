//! Prompts without a macro: a name, arguments, and a closure.

use std::fmt::Display;
use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::output::PromptOutput;
use super::value::Prompt;
use crate::context::Context;
use crate::handler::about::{About, about_settings};
use crate::handler::completer::{Completer, Completers};
use crate::handler::params::Params;
use crate::handler::{Handler, Pace, Started};
use crate::protocol::PromptArgument;
use crate::result::failed;

/// A prompt that is being put together; [`handler`](Self::handler) or [`text`](Self::text) ends the chain.
/// [`Prompt::builder`] begins it.
///
/// # Examples
/// ```
/// use std::collections::BTreeMap;
///
/// use mcp_runtime::{Prompt, PromptArgument, Server};
///
/// let greet = Prompt::builder("greet")
///     .description("Greet somebody.")
///     .argument(PromptArgument::new("name").required())
///     .handler(|arguments: BTreeMap<String, String>, _| async move {
///         let name = arguments.get("name").ok_or("`name` is missing")?;
///         Ok::<_, &str>(format!("Say hello to {name}."))
///     });
/// let server = Server::new("greeter", "1.0.0").prompts([greet]);
/// # let _ = server;
/// ```
#[must_use = "a prompt without a handler does nothing"]
#[derive(Debug)]
pub struct PromptBuilder {
    about: About,
    arguments: Vec<PromptArgument>,
    completers: Completers,
}

impl PromptBuilder {
    pub(super) fn new(about: About) -> Self {
        Self { about, arguments: Vec::new(), completers: Completers::default() }
    }

    about_settings!();

    /// The next argument in the list. Default: the members of the type that the handler takes.
    ///
    /// One that is [required](PromptArgument::required) is refused where it is missing, before the handler is asked.
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// Completes an argument for those who type it. Default: the values of an enum, and nothing for other types.
    pub fn complete<M>(mut self, argument: impl Into<String>, completer: impl Completer<M>) -> Self {
        self.completers.add(argument.into(), completer.erased());
        self
    }

    /// Ends the chain with a text without arguments.
    pub fn text(self, text: impl Into<String>) -> Prompt {
        let text = text.into();
        self.handler(move |_: serde_json::Map<String, serde_json::Value>, _| {
            std::future::ready(Ok::<_, std::convert::Infallible>(text.clone()))
        })
    }

    /// Ends the chain with an `async` closure. It takes the arguments, as any type that can be deserialized from an object
    /// of strings, and the context of the call. Strings that spell numbers and booleans are taken for them.
    pub fn handler<A, F, Fut, T, E>(self, handler: F) -> Prompt
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: PromptOutput + 'static,
        E: Display + 'static,
    {
        let mut params = Params::default();
        params.all::<A>("arguments");
        let handler = Handler::built(params, Pace::Async, None, move |call| {
            Started::with(call.argument::<A>(0), |arguments| {
                let future = handler(arguments, call.context());
                async move { future.await.map_or_else(|error| failed(&error), PromptOutput::into_outcome) }
            })
        });
        let arguments = (!self.arguments.is_empty()).then_some(self.arguments);
        Prompt { about: self.about, is_enabled: true, arguments, completers: self.completers, handler }
    }
}
