//! Running the calls that come over HTTP, on the tasks of the runtime.
//!
//! A call is polled once where it came in, which is all that most need; then it is a task. A plain `fn` runs on the
//! blocking pool.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tokio::sync::Semaphore;

use crate::call::ToolCall;
use crate::context::CallState;
use crate::reply;
use crate::result::Outcome;
use crate::run::{Run, Spawn};
use crate::tool::Pace;

/// Runs calls, so many at a time.
#[derive(Debug, Clone)]
pub(super) struct CallRunner {
    places: Arc<Semaphore>,
}

impl CallRunner {
    pub(super) fn new(max_calls: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(max_calls.clamp(1, Semaphore::MAX_PERMITS))) }
    }

    /// Runs a call of a session, which is in its table. The response goes where the call says.
    pub(super) fn run(&self, mut call: ToolCall, run: &Run) {
        match self.poll_once(&mut call) {
            Poll::Ready(outcome) => run.ended(call, Some(outcome)),
            Poll::Pending => run.go_on(call),
        }
    }

    /// Runs a call that belongs to no session: whoever waits for its answer is the only one who can cancel it.
    pub(super) fn run_alone(&self, mut call: ToolCall) {
        match self.poll_once(&mut call) {
            Poll::Ready(outcome) => end_alone(call, Some(outcome)),
            Poll::Pending => self.spawn_alone(call),
        }
    }

    /// Polls a call here, if it awaits what takes long and there is a place for it.
    fn poll_once(&self, call: &mut ToolCall) -> Poll<Outcome> {
        if call.pace() != Pace::Async {
            return Poll::Pending;
        }
        let Ok(_place) = self.places.try_acquire() else { return Poll::Pending };
        // Whoever goes on with it polls at once, so nothing that happens in between is missed.
        call.poll(&mut Context::from_waker(Waker::noop()))
    }

    fn spawn_alone(&self, mut call: ToolCall) {
        let places = Arc::clone(&self.places);
        drop(tokio::spawn(async move {
            let place = places.acquire_owned().await;
            if call.pace() == Pace::Async {
                let outcome = call.run().await;
                end_alone(call, outcome);
                return;
            }
            drop(tokio::task::spawn_blocking(move || {
                let _place = place;
                let outcome = crate::run::block_on(call.run());
                end_alone(call, outcome);
            }));
        }));
    }
}

/// The tasks of the current runtime, for calls of sessions.
impl Spawn for CallRunner {
    fn spawn(&self, call: ToolCall, run: Run) {
        let places = Arc::clone(&self.places);
        drop(tokio::spawn(async move {
            let place = places.acquire_owned().await;
            if call.pace() == Pace::Async {
                return run.finish(call).await;
            }
            drop(tokio::task::spawn_blocking(move || {
                let _place = place;
                run.finish_blocking(call);
            }));
        }));
    }
}

/// Sends the response, unless the call was cancelled.
fn end_alone(call: ToolCall, outcome: Option<Outcome>) {
    if let Some(outcome) = outcome.filter(|_| !call.state().is_cancelled()) {
        let mut frame = Vec::with_capacity(reply::USUAL_BYTES);
        call.write(&outcome, &mut frame);
        // That of a batch goes with the others.
        if !frame.is_empty() {
            call.state().origin.outlet.respond(frame);
        }
    }
    call.discard();
}

/// Cancels a call that nobody waits for any more. One that has ended is not touched by it.
#[derive(Debug)]
pub(super) struct CancelOnDrop(pub(super) Arc<CallState>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
