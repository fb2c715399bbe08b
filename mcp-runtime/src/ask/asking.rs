//! What a call asks its client, whichever era it belongs to.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::AskError;
use super::rounds::Round;
use super::seal::digest;
use super::settings::Asks;
use crate::jsonrpc::ErrorObject;
use crate::outlet::Outlet;
use crate::peer::Peer;
use crate::protocol::meta::RequestParams;
use crate::protocol::{ClientCapabilities, Revision};
use crate::result::Outcome;

/// What a call may ask, and what it has asked.
#[derive(Debug)]
pub(crate) struct Asking {
    asks: Arc<Asks>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    round: Round,
    /// What the call is answered with if its handler fails: the client has to mend something.
    verdict: Option<ErrorObject>,
    /// Whoever polls the call, to be told that a question is open.
    waker: Option<Waker>,
}

/// What a state is bound to: it is of no use for anything else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binding<'a> {
    pub(crate) method: &'static str,
    /// Of the tool or prompt, or the URI.
    pub(crate) name: &'a str,
    /// The arguments object.
    pub(crate) arguments: &'a str,
    /// Whose request it is, if the server can tell.
    pub(crate) principal: Option<&'a str>,
}

impl Binding<'_> {
    pub(super) fn digest(&self) -> [u8; 32] {
        let principal = self.principal.map(|name| format!("-{name}")).unwrap_or_default();
        let parts = [self.method, self.name, &canonical(self.arguments), &principal];
        digest(&parts.map(str::as_bytes))
    }
}

/// The same text for the same object, whatever the order of its members and the white space: a client may write it anew.
fn canonical(arguments: &str) -> String {
    fn sorted(value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut members: Vec<_> = members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                Value::Object(Map::from_iter(members))
            }
            Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
            value => value,
        }
    }
    serde_json::from_str(arguments).map_or_else(|_| arguments.to_owned(), |value| sorted(value).to_string())
}

impl Asking {
    /// A call without earlier rounds.
    pub(crate) fn new(asks: &Arc<Asks>) -> Self {
        Self { asks: Arc::clone(asks), state: Mutex::default() }
    }

    /// A call of the modern era, which may be the next round of one.
    ///
    /// # Errors
    /// `-32602` for what is malformed, and for a state that is none of this server for this request.
    pub(crate) fn of_request(
        params: &RequestParams<'_>,
        asks: &Arc<Asks>,
        binding: &Binding<'_>,
    ) -> Result<Self, ErrorObject> {
        let asking = Self::new(asks);
        if params.input_responses.is_some() || params.request_state.is_some() {
            asking.state().round = Round::read(params, asks, binding)?;
        }
        Ok(asking)
    }

    /// What the call ends with if a question is open; otherwise `waker` is told when one is.
    pub(crate) fn input_required(&self, binding: &Binding<'_>, waker: &Waker) -> Option<Outcome> {
        let mut state = self.state();
        let required = state.round.required(&self.asks, binding);
        if required.is_none() {
            state.waker = Some(waker.clone());
        }
        required.map(|required| required.map_or_else(Outcome::Error, Outcome::InputRequired))
    }

    /// What the call is answered with if its handler fails, whatever the handler says.
    pub(crate) fn take_verdict(&self) -> Option<ErrorObject> {
        self.state().verdict.take()
    }

    /// Asks in the modern era: ready once the client has answered, in this round or an earlier one.
    async fn ask_in_rounds(
        &self,
        key: &str,
        method: &str,
        params: impl Fn(u64) -> Value,
    ) -> Result<Box<RawValue>, AskError> {
        poll_fn(|_| {
            let mut state = self.state();
            let question = || match params(0) {
                Value::Null => json!({ "method": method }),
                params => json!({ "method": method, "params": params }),
            };
            match state.round.answer(key, self.asks.max_state_bytes, question) {
                Ok(Some(answer)) => Poll::Ready(Ok(answer)),
                Err(error) => Poll::Ready(Err(error)),
                Ok(None) => {
                    // The future may be polled by a task that the call waits for.
                    if let Some(waker) = state.waker.take() {
                        waker.wake();
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// Asks the client. `params` makes the params of the question of a number; null stands for none.
    pub(super) async fn ask(
        &self,
        way: Way<'_>,
        key: &str,
        method: &str,
        params: impl Fn(u64) -> Value,
    ) -> Result<Box<RawValue>, AskError> {
        match way {
            Way::Rounds => self.ask_in_rounds(key, method, params).await,
            Way::Session { peer, outlet } => peer.questions.ask(outlet, method, params, self.asks.timeout).await,
        }
    }

    /// Checks that the client has declared what it takes to ask.
    ///
    /// # Errors
    /// The first that is missing. In the modern era the call is answered so if its handler fails.
    pub(super) fn check(
        &self,
        declared: ClientCapabilities,
        required: ClientCapabilities,
        revision: Revision,
    ) -> Result<(), AskError> {
        let Some(missing) = required.iter().find(|capability| !declared.has(*capability)) else { return Ok(()) };
        let error = AskError::Unsupported(missing);
        if revision.is_modern() {
            let refusal = ErrorObject::new(ErrorObject::MISSING_CLIENT_CAPABILITY, error.to_string());
            self.state().verdict = Some(refusal.with_data(json!({ "requiredCapabilities": required.to_json() })));
        }
        Err(error)
    }

    /// An answer that is none: the client has sent something else.
    pub(super) fn malformed(&self, key: &str, problem: String, revision: Revision) -> AskError {
        if revision.is_modern() {
            let what = format!("the answer `{key}` in `inputResponses` is malformed: {problem}");
            self.state().verdict = Some(ErrorObject::invalid_params(what));
        }
        AskError::Invalid(vec![problem])
    }

    /// What a step has come to in an earlier round.
    pub(super) fn step(&self, key: &str) -> Option<Box<RawValue>> {
        self.state().round.step(key).map(RawValue::to_owned)
    }

    /// Keeps what a step has come to.
    ///
    /// # Errors
    /// If there is too much to be kept.
    pub(super) fn keep_step(&self, key: &str, value: Box<RawValue>) -> Result<(), AskError> {
        self.state().round.keep_step(key, value, self.asks.max_state_bytes)
    }

    /// Nothing of the user's runs under the lock but the writing of params, which leaves the state whole if it panics.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a client is asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way<'a> {
    /// By a request of the server.
    Session { peer: &'a Peer, outlet: &'a Arc<dyn Outlet> },
    /// By the result of its own request.
    Rounds,
}
