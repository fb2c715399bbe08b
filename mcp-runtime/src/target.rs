//! What a call is for: a tool, a prompt, a resource, or the completion of an argument.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

#[cfg(feature = "ask")]
use crate::ask::Binding;
use crate::call_state::CallState;
use crate::context::Context;
use crate::dispatch::Dispatch;
use crate::handler::completer::{AnyCompleter, CompletionRequest};
use crate::handler::{HandlerFuture, Pace};
use crate::jsonrpc::ErrorObject;
use crate::protocol::ContentBlock;
use crate::protocol::call::ResultShape;
use crate::protocol::resources::not_found;
use crate::result::Outcome;
use crate::{prompt, resource, tool};

/// What a call is for.
#[derive(Debug)]
pub(crate) enum Target {
    Tool(Arc<tool::Registered>),
    Prompt(Arc<prompt::Registered>),
    Resource { resource: Arc<resource::Registered>, uri: Box<str> },
    Completion { completer: Arc<AnyCompleter>, value: String, others: BTreeMap<String, String> },
}

impl Target {
    /// How its kind is called.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Tool(_) => tool::WORDS.noun,
            Self::Prompt(_) => prompt::WORDS.noun,
            Self::Resource { .. } => resource::WORDS.noun,
            Self::Completion { .. } => "completion",
        }
    }

    /// Which one of its kind it is.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Tool(tool) => tool.name(),
            Self::Prompt(prompt) => prompt.name(),
            Self::Resource { uri, .. } => uri,
            Self::Completion { .. } => "",
        }
    }

    /// What the state of a call in rounds is bound to. A completion has none: it cannot ask.
    #[cfg(feature = "ask")]
    pub(crate) fn binding<'a>(&'a self, arguments: &'a str, principal: Option<&'a str>) -> Option<Binding<'a>> {
        let method = match self {
            Self::Tool(_) => "tools/call",
            Self::Prompt(_) => "prompts/get",
            Self::Resource { .. } => "resources/read",
            Self::Completion { .. } => return None,
        };
        Some(Binding { method, name: self.name(), arguments, principal })
    }

    /// How many bytes of the request it holds, besides the arguments.
    pub(crate) fn waiting_bytes(&self) -> usize {
        match self {
            Self::Tool(_) | Self::Prompt(_) => 0,
            Self::Resource { uri, .. } => uri.len(),
            Self::Completion { value, others, .. } => {
                value.len() + others.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
            }
        }
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        match self {
            Self::Tool(tool) => tool.pace(),
            Self::Prompt(prompt) => prompt.pace(),
            Self::Resource { resource, .. } => resource.pace(),
            Self::Completion { completer, .. } => completer.pace,
        }
    }

    /// How a value that is returned becomes a result.
    pub(crate) fn shape(&self) -> ResultShape {
        match self {
            Self::Tool(tool) => tool.output_schema().shape,
            _ => ResultShape::Nothing,
        }
    }

    /// Makes the body ready to run. A call of a tool goes through the middleware, which does so at its end.
    ///
    /// # Errors
    /// What the call is answered with if its arguments do not fit.
    pub(crate) fn start(
        &mut self,
        arguments: &mut Box<str>,
        state: &Arc<CallState>,
        dispatch: &Dispatch,
    ) -> Result<HandlerFuture, Outcome> {
        let surroundings = &dispatch.surroundings;
        match self {
            Self::Tool(tool) => match &dispatch.middleware {
                None => tool.prepare(arguments, state, surroundings),
                Some(middleware) => {
                    // A call that asks has to know later what it was called with.
                    let arguments = if cfg!(feature = "ask") { arguments.clone() } else { std::mem::take(arguments) };
                    let (state, tool, surroundings) = (Arc::clone(state), Arc::clone(tool), Arc::clone(surroundings));
                    Ok(Box::pin(middleware.clone().call(state, tool, arguments, surroundings)))
                }
            },
            Self::Prompt(prompt) => prompt.prepare(arguments, state, surroundings),
            Self::Resource { resource, .. } => resource.prepare(arguments, state, surroundings),
            Self::Completion { completer, value, others } => Ok(completer.complete(CompletionRequest {
                value: std::mem::take(value),
                others: std::mem::take(others),
                context: Context::new(Arc::clone(state)),
                surroundings: Arc::clone(surroundings),
            })),
        }
    }

    /// What a call comes to whose arguments do not fit: a fault of the client, and not of the handler.
    pub(crate) fn refuse(&self, refusal: Outcome, dispatch: &Dispatch, state: &CallState) -> Outcome {
        match (self, refusal) {
            (Self::Tool(_), refusal) => refusal,
            (_, Outcome::Failure(text)) => Outcome::Error(self.refusal(&text)),
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
            (Self::Prompt(prompt), Outcome::Prompt(mut result)) => {
                result.description = result.description.or_else(|| prompt.description().map(str::to_owned));
                // Spec: 2026-07-28, `server/prompts`, "Embedded Resources": they have a MIME type.
                result.messages.iter_mut().for_each(|message| message.content.fill_in());
                return Outcome::Prompt(result);
            }
            (Self::Resource { resource, uri }, Outcome::Resource(mut result)) => {
                resource.fill_in(&mut result, uri);
                // What depends on an answer of the client is for nobody else.
                #[cfg(feature = "ask")]
                if state.asking().has_answers() {
                    result.cache = crate::protocol::pages::CacheHint::default();
                }
                return Outcome::Resource(result);
            }
            (Self::Resource { uri, .. }, Outcome::NotFound) => {
                return Outcome::Error(not_found(uri, state.origin.revision));
            }
            (_, outcome) => outcome,
        };
        match outcome {
            Outcome::Failed(text) if dispatch.masks_errors => {
                Outcome::Error(ErrorObject::new(ErrorObject::INTERNAL_ERROR, self.masked(&text, state)))
            }
            Outcome::Failure(text) | Outcome::Failed(text) => {
                Outcome::Error(ErrorObject::new(ErrorObject::INTERNAL_ERROR, text))
            }
            Outcome::Full(result) => {
                let text = result.content.iter().find_map(ContentBlock::as_text).unwrap_or_default();
                let mut error = ErrorObject::new(ErrorObject::INTERNAL_ERROR, text);
                error.data = result.structured_content;
                Outcome::Error(error)
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
            Self::Resource { uri, .. } => error.with_data(json!({ "uri": uri })),
            _ => error,
        }
    }
}
