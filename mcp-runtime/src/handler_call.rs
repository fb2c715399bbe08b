//! A call of what a user has written, from its raw arguments to its response.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::call_state::CallState;
use crate::client_log;
use crate::dispatch::Dispatch;
use crate::handler::{HandlerFuture, Pace};
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::outlet;
use crate::panic_hook;
use crate::protocol::call::ResultShape;
use crate::reply;
use crate::result::Outcome;
use crate::target::Target;

/// How many bytes of arguments are few enough to be kept as long as their call: to let them go sooner costs more than it saves.
const KEPT_ARGUMENT_BYTES: usize = 4096;

/// A call that waits to run, or runs.
///
/// The arguments are taken in the first poll and not before: deserializing runs code of the user, which may panic or take
/// its time like the handler itself.
pub(crate) struct HandlerCall {
    state: Arc<CallState>,
    dispatch: Arc<Dispatch>,
    target: Target,
    arguments: Box<str>,
    /// The running body, once the arguments are taken.
    future: Option<HandlerFuture>,
    shape: ResultShape,
}

impl std::fmt::Debug for HandlerCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HandlerCall").field("id", self.id()).field("target", &self.target).finish_non_exhaustive()
    }
}

impl HandlerCall {
    pub(crate) fn new(state: Arc<CallState>, dispatch: Arc<Dispatch>, target: Target, arguments: Box<str>) -> Self {
        Self { state, dispatch, target, arguments, future: None, shape: ResultShape::Nothing }
    }

    pub(crate) fn id(&self) -> &RequestId {
        &self.state.origin.id
    }

    /// What the call shares with those who may cancel it.
    pub(crate) fn state(&self) -> &Arc<CallState> {
        &self.state
    }

    /// The arguments that clients mirror in headers.
    #[cfg(feature = "http")]
    pub(crate) fn mirrored(&self) -> &[crate::tool::headers::Mirrored] {
        match &self.target {
            Target::Tool(tool) => tool.mirrored(),
            Target::Other(_) => &[],
        }
    }

    /// The arguments object, until the tool takes it.
    pub(crate) fn arguments(&self) -> &str {
        &self.arguments
    }

    pub(crate) fn pace(&self) -> Pace {
        self.target.pace()
    }

    /// How much memory the call takes while it waits, in bytes.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let own = size_of::<Self>() + size_of::<CallState>();
        #[cfg(feature = "ask")]
        let own = own + self.state.asking().waiting_bytes();
        self.arguments.len() + self.state.origin.waiting_bytes() + self.target.waiting_bytes() + own
    }

    /// Polls the handler once. A panic is the outcome of its own call and of no other.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let _entered = client_log::enter(&self.state);
        let advance = AssertUnwindSafe(|| panic_hook::contained(|| self.advance(cx)));
        catch_unwind(advance).unwrap_or_else(|payload| {
            forget(payload);
            // The panic hook has printed what happened; the client is told no internals.
            let noun = self.target.noun();
            tracing::error!(id = %self.id(), name = self.target.name(), "a {noun} panicked");
            let message = format!("the {noun} failed unexpectedly");
            Poll::Ready(ErrorObject::internal(message).into())
        })
    }

    fn advance(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let future = if let Some(future) = &mut self.future {
            future
        } else {
            self.shape = self.target.shape();
            match self.target.start(&self.arguments, &self.state, &self.dispatch) {
                Ok(future) => {
                    // The body has what it needs of them, and may run for long.
                    if self.arguments.len() > KEPT_ARGUMENT_BYTES && !self.asks_in_rounds() {
                        self.arguments = Box::default();
                    }
                    self.future.insert(future)
                }
                Err(refusal) => return Poll::Ready(self.target.refuse(refusal, &self.dispatch, &self.state)),
            }
        };
        let poll = future.as_mut().poll(cx);
        #[cfg(feature = "ask")]
        let poll = self.asked(poll, cx);
        if poll.is_ready() {
            // Here and not later: what the body held may panic or block when it is dropped.
            self.future = None;
        }
        poll.map(|outcome| self.target.settle(outcome, &self.dispatch, &self.state))
    }

    /// Whether what the call asks is bound to its arguments.
    fn asks_in_rounds(&self) -> bool {
        cfg!(feature = "ask") && self.state.origin.revision.is_modern()
    }

    /// In the modern era a call that has asked ends with its questions, and one that fails for what the client has to mend ends
    /// with that. One whose answers are malformed ends in any case: what the handler makes of them is of no use.
    #[cfg(feature = "ask")]
    fn asked(&self, poll: Poll<Outcome>, cx: &Context<'_>) -> Poll<Outcome> {
        if !self.asks_in_rounds() {
            return poll;
        }
        let principal = self.state.origin.caller.principal.as_deref();
        let Some(binding) = self.target.binding(&self.arguments, principal) else { return poll };
        let asking = self.state.asking();
        if let Some(error) = asking.take_final_verdict() {
            return Poll::Ready(error.into());
        }
        match poll {
            Poll::Pending => asking.input_required(&binding, cx.waker()).map_or(Poll::Pending, Poll::Ready),
            Poll::Ready(outcome) if outcome.is_failure() => {
                Poll::Ready(asking.take_verdict().map_or(outcome, Outcome::from))
            }
            ready @ Poll::Ready(_) => ready,
        }
    }

    /// Runs the handler to its end; `None` if the call is cancelled before.
    pub(crate) async fn run(&mut self) -> Option<Outcome> {
        let state = Arc::clone(&self.state);
        let mut cancelled = pin!(state.cancelled());
        poll_fn(|cx| {
            if cancelled.as_mut().poll(cx).is_ready() {
                return Poll::Ready(None);
            }
            self.poll(cx).map(Some)
        })
        .await
    }

    /// Appends the response, or adds it to the batch, and closes the call, so that nothing follows it.
    pub(crate) fn write(&self, outcome: &Outcome, out: &mut Vec<u8>) {
        let batch = self.state.close();
        let write = |out: &mut Vec<u8>| {
            reply::write_outcome(out, &self.dispatch, &self.state.origin, &self.target, self.shape, outcome);
        };
        match batch {
            Some(batch) => batch.add(write),
            None => write(out),
        }
    }

    /// Sends the response, unless the batch that the call came in does so.
    pub(crate) fn respond(&self, outcome: &Outcome) {
        let mut frame = outlet::frame();
        self.write(outcome, &mut frame);
        if frame.is_empty() {
            return;
        }
        match outcome {
            Outcome::Error(error)
                if error.code == ErrorObject::MISSING_CLIENT_CAPABILITY && self.state.origin.revision.is_modern() =>
            {
                self.state.origin.caller.outlet.refuse(frame);
            }
            _ => self.state.origin.caller.outlet.respond(frame),
        }
    }

    /// Drops the handler's future. A panic in a destructor is caught like one in the body.
    pub(crate) fn discard(self) {
        let id = self.id().clone();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(self))) {
            forget(payload);
            tracing::error!(%id, "a handler panicked while it was dropped");
        }
    }
}

/// Drops the payload of a panic if it is a text, as that of nearly every panic is. Any other is kept for ever: its
/// destructor could panic again.
pub(crate) fn forget(payload: Box<dyn Any + Send>) {
    if !(payload.is::<String>() || payload.is::<&'static str>()) {
        std::mem::forget(payload);
    }
}
