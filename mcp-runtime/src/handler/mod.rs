//! What tools, prompts and resources have in common: a function of the user's, what is said about it, and how its
//! parameters are taken from a request.

pub(crate) mod about;
pub(crate) mod arguments;
pub(crate) mod bounds;
pub(crate) mod completer;
pub(crate) mod entry;
pub(crate) mod param;
pub(crate) mod params;

use std::any::TypeId;
use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;

use self::about::Def;
use self::arguments::{Call, Taking};
use self::params::Params;
use crate::call_state::CallState;
use crate::json;
use crate::jsonrpc::ErrorObject;
use crate::prompt::set::PromptSet;
use crate::resource::set::ResourceSet;
use crate::result::Outcome;
use crate::schema::InputSchema;
use crate::schema::check::Manner;
use crate::state::States;
use crate::tool::set::ToolSet;

/// The running body of a handler.
pub(crate) type HandlerFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// What the server provides to its handlers, and how it wants their arguments taken.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) states: States,
    /// Whether a quoted value is refused even where the type is clear.
    pub(crate) strict_arguments: bool,
    /// Whether arguments that no tool names are ignored.
    pub(crate) open_arguments: bool,
}

/// Where the body of a handler may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// It awaits what takes long.
    Async,
    /// It computes without ever awaiting.
    Sync,
    /// It says of itself that it blocks.
    Blocking,
}

/// What takes the arguments and makes the body ready to run.
pub(crate) enum Body {
    Derived(fn(&mut Call<'_>) -> Started),
    Built(Box<dyn Fn(&mut Call<'_>) -> Started + Send + Sync>),
}

impl Body {
    fn start(&self, call: &mut Call<'_>) -> Started {
        match self {
            Self::Derived(start) => start(call),
            Self::Built(start) => start(call),
        }
    }
}

/// What became of a call whose arguments were taken.
#[doc(hidden)]
pub struct Started(Option<HandlerFuture>);

impl std::fmt::Debug for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Started").field(&self.0.is_some()).finish()
    }
}

#[doc(hidden)]
impl Started {
    /// The arguments do not fit; the call knows why.
    #[must_use]
    pub const fn refused() -> Self {
        Self(None)
    }

    /// The body is ready to run.
    pub fn future(future: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self(Some(Box::pin(future)))
    }

    /// The body that `start` makes of the arguments, if they fit.
    pub(crate) fn with<A, F>(arguments: Option<A>, start: impl FnOnce(A) -> F) -> Self
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        arguments.map_or_else(Self::refused, |arguments| Self::future(start(arguments)))
    }
}

/// A function of the user's.
pub(crate) struct Handler {
    pub(crate) params: Params,
    /// The schema of the arguments object, unless it follows from the parameters.
    input: Option<Value>,
    /// Whether such a schema can be given.
    takes_input: bool,
    pub(crate) pace: Pace,
    pub(crate) timeout: Option<Duration>,
    body: Body,
    /// Made when first needed: a server need not wait for the schemas of what nobody has asked about.
    schema: OnceLock<InputSchema>,
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handler").field("params", &self.params).field("pace", &self.pace).finish_non_exhaustive()
    }
}

impl Handler {
    /// The function behind a companion.
    pub(crate) fn derived(def: &Def) -> Self {
        let mut params = Params::default();
        (def.params)(&mut params);
        let pace = match (def.is_blocking, def.is_sync) {
            (true, _) => Pace::Blocking,
            (false, true) => Pace::Sync,
            (false, false) => Pace::Async,
        };
        let body = Body::Derived(def.call);
        Self { params, input: None, takes_input: false, pace, timeout: def.timeout, body, schema: OnceLock::new() }
    }

    /// A closure.
    pub(crate) fn built(
        params: Params,
        pace: Pace,
        timeout: Option<Duration>,
        start: impl Fn(&mut Call<'_>) -> Started + Send + Sync + 'static,
    ) -> Self {
        let body = Body::Built(Box::new(start));
        Self { params, input: None, takes_input: false, pace, timeout, body, schema: OnceLock::new() }
    }

    /// The same with a schema of its arguments object, if there is one.
    pub(crate) fn with_input(self, input: Option<Value>) -> Self {
        Self { input, takes_input: true, ..self }
    }

    /// Whether it was put together at run time.
    pub(crate) fn is_built(&self) -> bool {
        matches!(self.body, Body::Built(_))
    }

    fn make_schema(&self, open: bool) -> Result<InputSchema, String> {
        match &self.input {
            Some(schema) => InputSchema::supplied(schema),
            None if self.is_built() => self.params.schema(open).map_err(|_| {
                let way =
                    if self.takes_input { "give it one with `.input_schema(…)`" } else { "take a struct or a map" };
                format!("its arguments are of a type whose schema is no object: {way}")
            }),
            None => self.params.schema(open),
        }
    }

    /// The schema of the arguments object; `open` lets it have others too.
    pub(crate) fn schema(&self, open: bool) -> &InputSchema {
        // What is wrong has kept the handler from being registered, so the fallback is never published.
        self.schema.get_or_init(|| {
            self.make_schema(open).unwrap_or_else(|_| InputSchema::of_properties(std::iter::empty(), true))
        })
    }

    /// Everything that can be found wrong before the handler is called. `more` finds what else a schema can be wrong about.
    pub(crate) fn problems(
        &self,
        states: &States,
        open: bool,
        more: &dyn Fn(&InputSchema) -> Vec<String>,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        for (id, type_name) in self.params.states().filter(|(id, _)| !states.has(*id)) {
            problems.push(match set_of(id) {
                Some((name, method)) => {
                    format!("needs the `{name}`: `let set = server.{method}();`, then `server.state(set)`")
                }
                None if states.has_named(&format!("alloc::sync::Arc<{type_name}>")) => format!(
                    "needs a state of the type `{type_name}`, and there is an `Arc` of one: give the server the value \
                     itself, which all share"
                ),
                None => {
                    format!("needs a state of the type `{type_name}`: give it to the server with `.state(…)`")
                }
            });
        }
        let mut names = HashSet::new();
        for name in self.params.argument_names().filter(|name| !names.insert(*name)) {
            problems.push(format!("two arguments have the name `{name}`"));
        }
        if self.input.is_some() || self.params.need_check() {
            match self.make_schema(open) {
                Ok(schema) => {
                    problems.extend(schema.problems.iter().cloned());
                    problems.extend(more(&schema));
                    problems.extend(self.misfit_defaults(&schema));
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems
    }

    fn misfit_defaults(&self, schema: &InputSchema) -> Vec<String> {
        let shown = self.params.arguments().filter_map(|(index, param)| Some((index, param, param.shown_default()?)));
        let checked = shown.flat_map(|(index, param, default)| {
            schema.check(index, param.name(), &json::text(default), Manner::STRICT).problems
        });
        checked.map(|problem| format!("the default of {problem}")).collect()
    }

    /// Takes the arguments and makes the body ready to run. `noun` is what is called, and `what` is what its arguments are,
    /// for the one who reads that they do not fit.
    ///
    /// # Errors
    /// The failure that tells everything that is wrong with the arguments.
    pub(crate) fn prepare(
        &self,
        noun: &'static str,
        what: &dyn Fn() -> String,
        arguments: &str,
        taking: Taking,
        state: &Arc<CallState>,
        surroundings: &Surroundings,
    ) -> Result<HandlerFuture, Outcome> {
        let mut call = Call::new(&self.params, self.schema(taking.open), arguments, taking, state, surroundings);
        let started = self.body.start(&mut call);
        if let Some(type_name) = call.missing_extension() {
            tracing::error!(
                "{}: the request has no extension of the type `{type_name}`; a layer in front of the server has to put it there",
                what()
            );
            let what = format!("the server has not told the {noun} what it needs to know about the request");
            return Err(ErrorObject::internal(what).into());
        }
        let (problems, untold) = call.into_problems();
        match started.0 {
            Some(future) if problems.is_empty() => Ok(match self.timeout {
                Some(timeout) => Box::pin(limited(future, timeout, noun)),
                None => future,
            }),
            _ => Err(Outcome::Failure(arguments::explain(&what(), &problems, untold))),
        }
    }
}

/// How a set of the server is given out, if the type is that of one: a handler takes it as a state.
fn set_of(id: TypeId) -> Option<(&'static str, &'static str)> {
    let sets = [
        (TypeId::of::<ToolSet>(), ("ToolSet", "tool_set")),
        (TypeId::of::<PromptSet>(), ("PromptSet", "prompt_set")),
        (TypeId::of::<ResourceSet>(), ("ResourceSet", "resource_set")),
    ];
    sets.into_iter().find(|(set, _)| *set == id).map(|(_, names)| names)
}

/// Ends a body that takes too long at one of its awaits.
async fn limited(future: HandlerFuture, timeout: Duration, noun: &'static str) -> Outcome {
    tokio::time::timeout(timeout, future).await.unwrap_or_else(|_| {
        Outcome::Failure(format!("the {noun} did not end within {} s and was stopped", timeout.as_secs_f64()))
    })
}
