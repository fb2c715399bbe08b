//! Completing the arguments of prompts and the variables of resource templates.
//!
//! Spec: 2026-07-28, `server/utilities/completion`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use super::params::Params;
use super::{HandlerFuture, Pace, Surroundings};
use crate::context::Context;
use crate::protocol::Completion;
use crate::result::{Outcome, failed};
use crate::state::State;

/// What a client wants to be completed.
#[derive(Debug)]
pub struct CompletionRequest {
    pub(crate) value: String,
    pub(crate) others: BTreeMap<String, String>,
    pub(crate) context: Context,
    pub(crate) surroundings: Arc<Surroundings>,
}

impl CompletionRequest {
    /// What is typed so far; nothing checks it.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Another argument, if the client has told it; since 2025-06-18.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.others.get(name).map(String::as_str)
    }

    /// The request that it comes with: whose it is, for values that are not for everyone.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A state of the server, if it has one of the type.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<State<T>> {
        self.surroundings.states.get().map(State::new)
    }
}

/// What completes an argument: `#[arg(complete = cities)]`. A function of what is typed so far, `fn(&str) -> R`, or of the
/// whole request, `fn(&CompletionRequest) -> R` or `async fn(CompletionRequest) -> R`. `R` is a list of strings or a
/// [`Completion`], or either in a `Result`.
///
/// `M` only tells the forms apart.
///
/// # Examples
/// ```
/// use mcp_runtime::{Completion, CompletionRequest};
///
/// fn cities(typed: &str) -> Vec<&'static str> {
///     ["Rome", "Riga", "Oslo"].into_iter().filter(|city| city.starts_with(typed)).collect()
/// }
///
/// async fn streets(request: CompletionRequest) -> Completion {
///     match request.argument("city") {
///         Some("Oslo") => Completion::new(["Storgata", "Bygdøy allé"]),
///         _ => Completion::default(),
///     }
/// }
/// # let _ = (cities, streets);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot complete an argument",
    label = "not a completer",
    note = "write `fn(&str) -> R`, `fn(&CompletionRequest) -> R`, or `async fn(CompletionRequest) -> R` whose future is `Send`",
    note = "`R` is a list of strings, a `Completion`, or a `Result` with either"
)]
pub trait Completer<M>: Send + Sync + 'static {
    #[doc(hidden)]
    fn erased(self) -> AnyCompleter;
}

/// What a completer can return: a list of strings or a [`Completion`], or either in a `Result` whose error can be displayed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of values for an argument",
    label = "not a completion",
    note = "return a list of strings, a `Completion`, or a `Result` with either"
)]
pub trait CompletionOutput {
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Completion>> CompletionOutput for T {
    fn into_outcome(self) -> Outcome {
        Outcome::Completion(Box::new(self.into()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Into<Completion>, E: Display + 'static> CompletionOutput for Result<T, E> {
    fn into_outcome(self) -> Outcome {
        self.map_or_else(|error| failed(&error), CompletionOutput::into_outcome)
    }
}

/// A completer of any form.
#[doc(hidden)]
pub struct AnyCompleter {
    pub(crate) pace: Pace,
    complete: Box<dyn Fn(CompletionRequest) -> HandlerFuture + Send + Sync>,
}

impl AnyCompleter {
    pub(crate) fn complete(&self, request: CompletionRequest) -> HandlerFuture {
        (self.complete)(request)
    }
}

impl std::fmt::Debug for AnyCompleter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnyCompleter").field("pace", &self.pace).finish_non_exhaustive()
    }
}

/// Completers by the names of arguments, besides those of the parameters themselves.
#[derive(Debug, Default)]
pub(crate) struct Completers(Vec<(String, Arc<AnyCompleter>)>);

impl Completers {
    pub(crate) fn add(&mut self, argument: String, completer: AnyCompleter) {
        // The last one counts.
        self.0.retain(|(name, _)| *name != argument);
        self.0.push((argument, Arc::new(completer)));
    }

    /// What completes an argument, which may be a parameter.
    pub(crate) fn find(&self, params: &Params, argument: &str) -> Option<Arc<AnyCompleter>> {
        let param = || params.arguments().map(|(_, param)| param).find(|param| param.name() == argument);
        let own = self.0.iter().find(|(name, _)| name == argument).map(|(_, completer)| completer);
        own.or_else(|| param()?.completer()).cloned()
    }

    /// Whether there are any.
    pub(crate) fn any(&self, params: &Params) -> bool {
        !self.0.is_empty() || params.arguments().any(|(_, param)| param.completer().is_some())
    }
}

/// Of what is typed so far.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfText;

/// Of the request.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfRequest;

/// Of the request, and takes its time.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfRequestAsync;

#[diagnostic::do_not_recommend]
impl<F, R> Completer<(OfText, R)> for F
where
    F: Fn(&str) -> R + Send + Sync + 'static,
    R: CompletionOutput,
{
    fn erased(self) -> AnyCompleter {
        plain(move |request| self(&request.value).into_outcome())
    }
}

#[diagnostic::do_not_recommend]
impl<F, R> Completer<(OfRequest, R)> for F
where
    F: Fn(&CompletionRequest) -> R + Send + Sync + 'static,
    R: CompletionOutput,
{
    fn erased(self) -> AnyCompleter {
        plain(move |request| self(request).into_outcome())
    }
}

#[diagnostic::do_not_recommend]
impl<F, Fut> Completer<(OfRequestAsync, Fut)> for F
where
    F: Fn(CompletionRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: CompletionOutput> + Send + 'static,
{
    fn erased(self) -> AnyCompleter {
        let complete = Box::new(move |request| {
            let completing = self(request);
            Box::pin(async move { completing.await.into_outcome() }) as HandlerFuture
        });
        AnyCompleter { pace: Pace::Async, complete }
    }
}

/// One that does not await. It runs when its future does, where it may block.
fn plain(complete: impl Fn(&CompletionRequest) -> Outcome + Send + Sync + 'static) -> AnyCompleter {
    let complete = Arc::new(complete);
    let complete = Box::new(move |request| {
        let complete = Arc::clone(&complete);
        Box::pin(async move { complete(&request) }) as HandlerFuture
    });
    AnyCompleter { pace: Pace::Sync, complete }
}
