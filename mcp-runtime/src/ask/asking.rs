//! What a call asks its client, whichever era it belongs to.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::AskError;
use super::canonical::canonical;
use super::questions::Question;
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
    /// What the client has to mend, if it is something.
    verdict: Option<Verdict>,
    /// Whoever polls the call, to be told that a question is open.
    waker: Option<Waker>,
    /// Those who wait for answers that come with the next round, to be told that this one has ended: they may be in tasks that
    /// outlive it.
    waiting: Vec<Waker>,
    /// The questions that are open in the session.
    open: HashMap<u64, Question>,
    /// Whether the call has ended, so that nothing can be asked for it any more.
    has_ended: bool,
    steps: Steps,
}

/// The steps that are to run once.
#[derive(Debug, Default)]
struct Steps {
    /// How many have begun and not ended.
    running: usize,
    /// How many are polled right now.
    polled: usize,
    /// Whether one of them asks, so that it cannot end in this round.
    asks: bool,
}

#[derive(Debug)]
struct Verdict {
    error: ErrorObject,
    /// Whether the call is answered with it whatever its handler comes to, and not only if that fails.
    is_final: bool,
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
        // A step that has begun ends in this round, or it would be done again in the next.
        let is_held_back = state.steps.running > 0 && !state.steps.asks;
        let required = if is_held_back { None } else { state.round.required(&self.asks, binding) };
        if required.is_none() {
            state.waker = Some(waker.clone());
        }
        required.map(|required| required.map_or_else(Outcome::from, Outcome::InputRequired))
    }

    /// What the call is answered with if its handler fails, whatever the handler says.
    pub(crate) fn take_verdict(&self) -> Option<ErrorObject> {
        self.state().verdict.take().map(|verdict| verdict.error)
    }

    /// What the call is answered with in any case.
    pub(crate) fn take_final_verdict(&self) -> Option<ErrorObject> {
        self.state().verdict.take_if(|verdict| verdict.is_final).map(|verdict| verdict.error)
    }

    /// The call ends: what is open is withdrawn, and nothing is asked any more.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        let (open, waiting) = (std::mem::take(&mut state.open), std::mem::take(&mut state.waiting));
        drop(state);
        drop(open);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Asks in the modern era: ready once the client has answered, in this round or an earlier one.
    async fn ask_in_rounds(
        &self,
        key: &str,
        method: &str,
        params: impl Fn() -> Value,
    ) -> Result<Box<RawValue>, AskError> {
        let question = || match params() {
            Value::Null => json!({ "method": method }),
            params => json!({ "method": method, "params": params }),
        };
        let mut open = None;
        poll_fn(|cx| {
            let mut state = self.state();
            if state.has_ended {
                return Poll::Ready(Err(AskError::ConnectionLost));
            }
            if open.is_none() {
                if let Some(answer) = state.round.answer(key, &self.asks, question).transpose() {
                    return Poll::Ready(answer);
                }
                state.steps.asks |= state.steps.polled > 0;
                open = Some(InRound { asking: self, key });
            }
            state.wait(cx);
            Poll::Pending
        })
        .await
    }

    /// Asks in a session: ready once the client has answered.
    async fn ask_in_session(
        &self,
        peer: &Peer,
        outlet: &Arc<dyn Outlet>,
        method: &str,
        params: impl Fn() -> Value,
    ) -> Result<Box<RawValue>, AskError> {
        let answered = async {
            peer.questions.wait_until_ready().await;
            let (receiver, open) = {
                // Sent under the lock, so that no question comes after the response of the call.
                let mut state = self.state();
                let max_questions = self.asks.max_open_questions;
                if state.has_ended {
                    return Err(AskError::ConnectionLost);
                }
                if state.open.len() >= max_questions {
                    return Err(AskError::TooMany { max_questions });
                }
                let (question, receiver) = peer.questions.open(outlet, method, &params())?;
                let id = question.id();
                state.open.insert(id, question);
                (receiver, InSession { asking: self, id })
            };
            let answer = receiver.await;
            drop(open);
            match answer {
                Ok(Ok(result)) => Ok(result),
                Ok(Err(error)) => Err(AskError::Refused(error)),
                Err(_) => Err(AskError::ConnectionLost),
            }
        };
        tokio::time::timeout(self.asks.timeout, answered).await.unwrap_or(Err(AskError::TimedOut))
    }

    /// Asks the client. `params` makes the params of the question; null stands for none.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question.
    pub(super) async fn ask(
        &self,
        way: Way<'_>,
        key: &str,
        method: &str,
        params: impl Fn() -> Value,
    ) -> Result<Box<RawValue>, AskError> {
        match way {
            Way::Rounds => self.ask_in_rounds(key, method, params).await,
            Way::Session { peer, outlet } => self.ask_in_session(peer, outlet, method, params).await,
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
            let error = refusal.with_data(json!({ "requiredCapabilities": required.to_json() }));
            self.state().pass(Verdict { error, is_final: false });
        }
        Err(error)
    }

    /// An answer that is none: the client has sent something else.
    pub(super) fn malformed(&self, key: &str, problem: String, revision: Revision) -> AskError {
        if revision.is_modern() {
            let what = format!("the answer `{key}` in `inputResponses` is malformed: {problem}");
            self.state().pass(Verdict { error: ErrorObject::invalid_params(what), is_final: true });
        }
        AskError::Invalid(vec![problem])
    }

    /// Begins a step: which one of its key it is, and what it has come to in an earlier round.
    pub(super) fn begin_step(&self, key: &str) -> (usize, Option<Box<RawValue>>) {
        self.state().round.begin_step(key)
    }

    /// Runs a step, which holds back the end of the round until it has ended.
    pub(super) async fn run_step<T>(&self, step: impl Future<Output = T>) -> T {
        let running = RunningStep::new(self);
        let mut step = pin!(step);
        let result = poll_fn(|cx| {
            let _polled = PolledStep::new(self);
            step.as_mut().poll(cx)
        })
        .await;
        drop(running);
        result
    }

    /// Keeps what a step has come to.
    pub(super) fn keep_step(&self, key: &str, step: usize, value: serde_json::Result<Box<RawValue>>) {
        self.state().round.keep_step(key, step, value);
    }

    /// Whether the handler has got an answer of the client.
    pub(crate) fn has_answers(&self) -> bool {
        self.state().round.has_answers()
    }

    /// How many bytes of a request that waits it holds.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.state().round.bytes()
    }

    /// Nothing of the user's runs under the lock but the writing of params, which leaves the state whole if it panics.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets those who wait for the end know of it, and whoever polls the call that something is open: they need not be the
    /// same.
    fn wait(&mut self, cx: &Context<'_>) {
        if !self.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
            self.waiting.push(cx.waker().clone());
        }
        self.wake();
    }

    fn pass(&mut self, verdict: Verdict) {
        if verdict.is_final || self.verdict.as_ref().is_none_or(|verdict| !verdict.is_final) {
            self.verdict = Some(verdict);
        }
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// A step has begun, until this is dropped.
struct RunningStep<'a>(&'a Asking);

impl<'a> RunningStep<'a> {
    fn new(asking: &'a Asking) -> Self {
        asking.state().steps.running += 1;
        Self(asking)
    }
}

impl Drop for RunningStep<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.steps.running -= 1;
        // What was held back for it may end the round now.
        state.wake();
    }
}

/// A step is polled, until this is dropped.
struct PolledStep<'a>(&'a Asking);

impl<'a> PolledStep<'a> {
    fn new(asking: &'a Asking) -> Self {
        asking.state().steps.polled += 1;
        Self(asking)
    }
}

impl Drop for PolledStep<'_> {
    fn drop(&mut self) {
        self.0.state().steps.polled -= 1;
    }
}

/// Somebody waits for an answer that comes with the next round, until this is dropped.
struct InRound<'a> {
    asking: &'a Asking,
    key: &'a str,
}

impl Drop for InRound<'_> {
    fn drop(&mut self) {
        self.asking.state().round.withdraw(self.key);
    }
}

/// Somebody waits for the answer to a question in the session, until this is dropped.
struct InSession<'a> {
    asking: &'a Asking,
    id: u64,
}

impl Drop for InSession<'_> {
    fn drop(&mut self) {
        // Not under the lock: the client may have to be told.
        let question = self.asking.state().open.remove(&self.id);
        drop(question);
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
