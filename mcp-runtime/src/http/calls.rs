//! Running the calls that come over HTTP, on the tasks of the runtime.
//!
//! A call is polled once where it came in, which is all that most need; then it is a task. A plain `fn` runs on the
//! blocking pool.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::call::ToolCall;
use crate::context::CallState;
use crate::outlet;
use crate::result::Outcome;
use crate::run::{Run, Spawn, block_on};
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
        self.at_a_place(move |place| {
            let is_async = call.pace() == Pace::Async;
            let run = async move {
                let _place = place;
                let outcome = call.run().await;
                end_alone(call, outcome);
            };
            spawn(is_async, run);
        });
    }

    /// Goes on as soon as there is a place for one more call.
    fn at_a_place(&self, go_on: impl FnOnce(OwnedSemaphorePermit) + Send + 'static) {
        let places = Arc::clone(&self.places);
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => go_on(place),
            Err(_) => drop(tokio::spawn(async move {
                // The places are never closed.
                if let Ok(place) = places.acquire_owned().await {
                    go_on(place);
                }
            })),
        }
    }
}

/// The tasks of the current runtime, for calls of sessions.
impl Spawn for CallRunner {
    fn spawn(&self, call: ToolCall, run: Run) {
        self.at_a_place(move |place| {
            let is_async = call.pace() == Pace::Async;
            let run = async move {
                let _place = place;
                run.finish(call).await;
            };
            spawn(is_async, run);
        });
    }
}

/// Runs a call as a task, or on the blocking pool.
fn spawn(is_async: bool, call: impl Future<Output = ()> + Send + 'static) {
    if is_async {
        drop(tokio::spawn(call));
    } else {
        drop(tokio::task::spawn_blocking(|| block_on(call)));
    }
}

/// Sends the response, unless the call was cancelled.
fn end_alone(call: ToolCall, outcome: Option<Outcome>) {
    if let Some(outcome) = outcome.filter(|_| !call.state().is_cancelled()) {
        let mut frame = outlet::frame();
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
