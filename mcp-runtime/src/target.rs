//! What a call is for: a tool, a prompt, a resource, or the completion of an argument.

use std::sync::Arc;

#[cfg(feature = "ask")]
use crate::ask::Binding;
use crate::call_state::CallState;
use crate::dispatch::Dispatch;
use crate::handler::{HandlerFuture, Pace, Surroundings};
use crate::jsonrpc::ErrorObject;
use crate::protocol::call::ResultShape;
use crate::protocol::{ContentBlock, Revision};
use crate::result::Outcome;
use crate::tool;

/// What a call is for.
#[derive(Debug)]
pub(crate) enum Target {
    Tool(Arc<tool::Registered>),
    Other(Box<dyn OtherTarget>),
}

/// What a call is for that is no tool. A program without prompts and resources makes none, and is linked without what they do.
pub(crate) trait OtherTarget: Send + Sync {
    /// How its kind is called.
    fn noun(&self) -> &'static str;

    /// Which one of its kind it is.
    fn name(&self) -> &str;

    /// The URI of a resource.
    fn uri(&self) -> Option<&str> {
        None
    }

    /// The method that the state of a call in rounds is bound to, if there is one.
    #[cfg(feature = "ask")]
    fn asking_method(&self) -> Option<&'static str>;

    /// How many bytes it holds.
    fn waiting_bytes(&self) -> usize;

    /// Where the body may run.
    fn pace(&self) -> Pace;

    /// Makes the body ready to run.
    ///
    /// # Errors
    /// What the call is answered with if its arguments do not fit.
    fn start(
        &mut self,
        arguments: &str,
        state: &Arc<CallState>,
        surroundings: &Arc<Surroundings>,
    ) -> Result<HandlerFuture, Outcome>;

    /// What a result comes to in the end.
    fn settle(&self, outcome: Outcome, state: &CallState) -> Outcome {
        let _ = state;
        outcome
    }

    /// Adds to the error that says what is wrong with the arguments.
    fn refusal(&self, error: ErrorObject) -> ErrorObject {
        error
    }

    /// Appends the members of a result of its own kind.
    fn write(&self, outcome: &Outcome, revision: Revision, out: &mut Vec<u8>);
}

impl std::fmt::Debug for dyn OtherTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} `{}`", self.noun(), self.name())
    }
}

impl Target {
    pub(crate) fn other(target: impl OtherTarget + 'static) -> Self {
        Self::Other(Box::new(target))
    }

    /// How its kind is called.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Tool(_) => tool::WORDS.noun,
            Self::Other(target) => target.noun(),
        }
    }

    /// Which one of its kind it is.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Tool(tool) => tool.name(),
            Self::Other(target) => target.name(),
        }
    }

    /// The URI of a resource.
    pub(crate) fn uri(&self) -> Option<&str> {
        match self {
            Self::Tool(_) => None,
            Self::Other(target) => target.uri(),
        }
    }

    /// What the state of a call in rounds is bound to, if there is one.
    #[cfg(feature = "ask")]
    pub(crate) fn binding<'a>(&'a self, arguments: &'a str, principal: Option<&'a str>) -> Option<Binding<'a>> {
        let method = match self {
            Self::Tool(_) => "tools/call",
            Self::Other(target) => target.asking_method()?,
        };
        Some(Binding { method, name: self.name(), arguments, principal })
    }

    /// How many bytes of the request it holds, besides the arguments.
    pub(crate) fn waiting_bytes(&self) -> usize {
        match self {
            Self::Tool(_) => 0,
            Self::Other(target) => target.waiting_bytes(),
        }
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        match self {
            Self::Tool(tool) => tool.pace(),
            Self::Other(target) => target.pace(),
        }
    }

    /// How a value that is returned becomes a result.
    pub(crate) fn shape(&self) -> ResultShape {
        match self {
            Self::Tool(tool) => tool.output_schema().shape,
            Self::Other(_) => ResultShape::Nothing,
        }
    }

    /// Makes the body ready to run. A call of a tool goes through the middleware, which does so at its end.
    ///
    /// # Errors
    /// What the call is answered with if its arguments do not fit.
    pub(crate) fn start(
        &mut self,
        arguments: &str,
        state: &Arc<CallState>,
        dispatch: &Dispatch,
    ) -> Result<HandlerFuture, Outcome> {
        let surroundings = &dispatch.surroundings;
        match self {
            Self::Tool(tool) => match &dispatch.middleware {
                None => tool.prepare(arguments, state, surroundings),
                Some(middleware) => {
                    let (state, tool, surroundings) = (Arc::clone(state), Arc::clone(tool), Arc::clone(surroundings));
                    Ok(Box::pin(middleware.clone().call(state, tool, arguments.into(), surroundings)))
                }
            },
            Self::Other(target) => target.start(arguments, state, surroundings),
        }
    }

    /// What a call comes to whose arguments do not fit: a fault of the client, and not of the handler.
    pub(crate) fn refuse(&self, refusal: Outcome, dispatch: &Dispatch, state: &CallState) -> Outcome {
        match (self, refusal) {
            (Self::Tool(_), refusal) => refusal,
            (_, Outcome::Failure(text)) => self.refusal(&text).into(),
            (_, refusal) => self.settle(refusal, dispatch, state),
        }
    }

    /// What a call comes to in the end. Only tools have failures that are results.
    pub(crate) fn settle(&self, outcome: Outcome, dispatch: &Dispatch, state: &CallState) -> Outcome {
        let outcome = match (self, outcome) {
            (Self::Tool(_), Outcome::Failed(text)) if dispatch.masks_errors => {
                return Outcome::Failure(self.masked(&text, state));
            }
            // A result that breaks its own schema is a failure: clients that check it would drop it without a word.
            (Self::Tool(tool), outcome) => {
                return outcome.misfit(tool.output_schema()).map_or(outcome, Outcome::Failure);
            }
            (Self::Other(target), outcome) => target.settle(outcome, state),
        };
        match outcome {
            Outcome::Failed(text) if dispatch.masks_errors => ErrorObject::internal(self.masked(&text, state)).into(),
            Outcome::Failure(text) | Outcome::Failed(text) => ErrorObject::internal(text).into(),
            Outcome::Full(result) => {
                let text = result.content.iter().find_map(ContentBlock::as_text).unwrap_or_default();
                let mut error = ErrorObject::internal(text);
                error.data = result.structured_content;
                error.into()
            }
            outcome => outcome,
        }
    }

    /// What a client reads in the place of an error, whose text goes to the log.
    fn masked(&self, text: &str, state: &CallState) -> String {
        tracing::warn!(id = %state.origin.id, error = %text, "a {} failed", self.noun());
        format!("the {} failed", self.noun())
    }

    /// The error that says what is wrong with the arguments: a line of its own for each problem is for models, and an error
    /// is for programs.
    fn refusal(&self, text: &str) -> ErrorObject {
        let mut lines = text.split("\n- ");
        let what = lines.next().unwrap_or_default();
        let problems: Vec<&str> = lines.collect();
        let message = if problems.is_empty() { what.to_owned() } else { format!("{what} {}", problems.join("; ")) };
        let error = ErrorObject::invalid_params(message);
        match self {
            Self::Tool(_) => error,
            Self::Other(target) => target.refusal(error),
        }
    }
}
