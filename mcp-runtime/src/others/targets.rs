//! What a call can be for besides a tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::call_state::CallState;
use crate::context::Context;
use crate::handler::completer::{AnyCompleter, CompletionRequest};
use crate::handler::{HandlerFuture, Pace, Surroundings};
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;
use crate::protocol::resources::not_found;
use crate::result::Outcome;
use crate::target::OtherTarget;
use crate::{prompt, resource};

/// A prompt to get.
#[derive(Debug)]
pub(super) struct PromptTarget(pub(super) Arc<prompt::Registered>);

/// A resource to read.
#[derive(Debug)]
pub(super) struct ResourceTarget {
    pub(super) resource: Arc<resource::Registered>,
    pub(super) uri: Box<str>,
}

/// An argument to complete.
#[derive(Debug)]
pub(super) struct CompletionTarget {
    pub(super) completer: Arc<AnyCompleter>,
    pub(super) value: String,
    pub(super) others: BTreeMap<String, String>,
}

impl OtherTarget for PromptTarget {
    fn noun(&self) -> &'static str {
        prompt::WORDS.noun
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    #[cfg(feature = "ask")]
    fn asking_method(&self) -> Option<&'static str> {
        Some("prompts/get")
    }

    fn waiting_bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn pace(&self) -> Pace {
        self.0.pace()
    }

    fn start(
        &mut self,
        arguments: &str,
        state: &Arc<CallState>,
        surroundings: &Arc<Surroundings>,
    ) -> Result<HandlerFuture, Outcome> {
        self.0.prepare(arguments, state, surroundings)
    }

    fn settle(&self, outcome: Outcome, _: &CallState) -> Outcome {
        match outcome {
            Outcome::Prompt(mut result) => {
                result.description = result.description.take().or_else(|| self.0.description().map(str::to_owned));
                // Spec: 2026-07-28, `server/prompts`, "Embedded Resources": they have a MIME type.
                result.messages.iter_mut().for_each(|message| message.content.fill_in());
                Outcome::Prompt(result)
            }
            outcome => outcome,
        }
    }

    fn write(&self, outcome: &Outcome, revision: Revision, out: &mut Vec<u8>) {
        if let Outcome::Prompt(result) = outcome {
            result.write(out, revision);
        }
    }
}

impl OtherTarget for ResourceTarget {
    fn noun(&self) -> &'static str {
        resource::WORDS.noun
    }

    fn name(&self) -> &str {
        &self.uri
    }

    fn uri(&self) -> Option<&str> {
        Some(&self.uri)
    }

    #[cfg(feature = "ask")]
    fn asking_method(&self) -> Option<&'static str> {
        Some("resources/read")
    }

    fn waiting_bytes(&self) -> usize {
        size_of::<Self>() + self.uri.len()
    }

    fn pace(&self) -> Pace {
        self.resource.pace()
    }

    fn start(
        &mut self,
        arguments: &str,
        state: &Arc<CallState>,
        surroundings: &Arc<Surroundings>,
    ) -> Result<HandlerFuture, Outcome> {
        self.resource.prepare(arguments, state, surroundings)
    }

    fn settle(&self, outcome: Outcome, state: &CallState) -> Outcome {
        match outcome {
            Outcome::Resource(mut result) => {
                self.resource.fill_in(&mut result, &self.uri);
                // What depends on an answer of the client is for nobody else.
                #[cfg(feature = "ask")]
                if state.asking().has_answers() {
                    result.cache = crate::protocol::pages::CacheHint::default();
                }
                Outcome::Resource(result)
            }
            Outcome::NotFound => not_found(&self.uri, state.origin.revision).into(),
            outcome => outcome,
        }
    }

    fn refusal(&self, error: ErrorObject) -> ErrorObject {
        error.with_data(json!({ "uri": self.uri }))
    }

    fn write(&self, outcome: &Outcome, revision: Revision, out: &mut Vec<u8>) {
        if let Outcome::Resource(result) = outcome {
            result.write(out, revision);
        }
    }
}

impl OtherTarget for CompletionTarget {
    fn noun(&self) -> &'static str {
        "completion"
    }

    fn name(&self) -> &'static str {
        ""
    }

    /// It cannot ask, so it has no state to bind.
    #[cfg(feature = "ask")]
    fn asking_method(&self) -> Option<&'static str> {
        None
    }

    fn waiting_bytes(&self) -> usize {
        let others = self.others.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        size_of::<Self>() + self.value.len() + others
    }

    fn pace(&self) -> Pace {
        self.completer.pace
    }

    fn start(
        &mut self,
        _: &str,
        state: &Arc<CallState>,
        surroundings: &Arc<Surroundings>,
    ) -> Result<HandlerFuture, Outcome> {
        Ok(self.completer.complete(CompletionRequest {
            value: std::mem::take(&mut self.value),
            others: std::mem::take(&mut self.others),
            context: Context::new(Arc::clone(state)),
            surroundings: Arc::clone(surroundings),
        }))
    }

    fn write(&self, outcome: &Outcome, _: Revision, out: &mut Vec<u8>) {
        if let Outcome::Completion(completion) = outcome {
            completion.write(out);
        }
    }
}
