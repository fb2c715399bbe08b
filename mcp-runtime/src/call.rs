//! A call of a tool, from its raw arguments to its response.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::context::CallState;
use crate::dispatch::Dispatch;
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::outlet;
use crate::panic_hook;
use crate::protocol::call::ResultShape;
use crate::reply;
use crate::result::Outcome;
use crate::tool::{Pace, Registered, ToolFuture};

/// A call that waits to run, or runs.
///
/// The arguments are taken in the first poll and not before: deserializing runs code of the user, which may panic or take
/// its time like the tool itself.
pub(crate) struct ToolCall {
    state: Arc<CallState>,
    dispatch: Arc<Dispatch>,
    tool: Arc<Registered>,
    arguments: Box<str>,
    /// The running body, once the arguments are taken.
    future: Option<ToolFuture>,
    shape: ResultShape,
}

impl std::fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolCall").field("id", self.id()).field("tool", &self.tool.name()).finish_non_exhaustive()
    }
}

impl ToolCall {
    pub(crate) fn new(state: CallState, dispatch: Arc<Dispatch>, tool: Arc<Registered>, arguments: &str) -> Self {
        let shape = ResultShape::Nothing;
        Self { state: Arc::new(state), dispatch, tool, arguments: arguments.into(), future: None, shape }
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
        self.tool.mirrored()
    }

    /// The arguments object, until the tool takes it.
    #[cfg(feature = "http")]
    pub(crate) fn arguments(&self) -> &str {
        &self.arguments
    }

    pub(crate) fn pace(&self) -> Pace {
        self.tool.pace()
    }

    /// How much memory the call takes while it waits, in bytes.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.arguments.len() + self.state.origin.waiting_bytes() + size_of::<Self>() + size_of::<CallState>()
    }

    /// Polls the tool once. A panic is the outcome of its own call and of no other.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let advance = AssertUnwindSafe(|| panic_hook::contained(|| self.advance(cx)));
        catch_unwind(advance).unwrap_or_else(|payload| {
            forget(payload);
            // The panic hook has printed what happened; the client is told no internals.
            tracing::error!(id = %self.id(), tool = self.tool.name(), "a tool panicked");
            let error = ErrorObject::new(ErrorObject::INTERNAL_ERROR, "the tool failed unexpectedly");
            Poll::Ready(Outcome::Error(error))
        })
    }

    fn advance(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let future = if let Some(future) = &mut self.future {
            future
        } else {
            self.shape = self.tool.output_schema().shape;
            match self.start() {
                Ok(future) => self.future.insert(future),
                Err(refusal) => return Poll::Ready(refusal),
            }
        };
        let poll = future.as_mut().poll(cx);
        if poll.is_ready() {
            // Here and not later: what the body held may panic or block when it is dropped.
            self.future = None;
        }
        poll.map(|outcome| self.checked(outcome))
    }

    /// Makes the body ready to run, or sends the call through the middleware, which does so at its end.
    ///
    /// # Errors
    /// What the call is answered with if its arguments do not fit.
    fn start(&mut self) -> Result<ToolFuture, Outcome> {
        let Some(middleware) = &self.dispatch.middleware else {
            return self.tool.prepare(&self.arguments, &self.state, &self.dispatch.surroundings);
        };
        let arguments = std::mem::take(&mut self.arguments);
        let (state, tool) = (Arc::clone(&self.state), Arc::clone(&self.tool));
        let surroundings = Arc::clone(&self.dispatch.surroundings);
        Ok(Box::pin(middleware.clone().call(state, tool, arguments, surroundings)))
    }

    /// A result that breaks its own schema is a failure: clients that check it would drop it without a word.
    fn checked(&self, outcome: Outcome) -> Outcome {
        outcome.misfit(self.tool.output_schema()).map_or(outcome, Outcome::Failure)
    }

    /// Runs the tool to its end; `None` if the call is cancelled before.
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
            reply::write_outcome(out, &self.dispatch, &self.state.origin, self.shape, outcome);
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
        if !frame.is_empty() {
            self.state.origin.outlet.respond(frame);
        }
    }

    /// Drops the tool's future. A panic in a destructor is caught like one in the body.
    pub(crate) fn discard(self) {
        let id = self.id().clone();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(self))) {
            forget(payload);
            tracing::error!(%id, "a tool panicked while it was dropped");
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
