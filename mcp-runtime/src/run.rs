//! How a call that cannot be answered at once goes on.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::call::ToolCall;
use crate::calls::Calls;
use crate::result::Outcome;

/// Runs calls somewhere else than where they were read.
pub(crate) trait Spawn: Send + Sync + std::fmt::Debug {
    fn spawn(&self, call: ToolCall, run: Run);
}

/// Everything that the end of a call needs.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) calls: Arc<Calls>,
    pub(crate) spawner: Arc<dyn Spawn>,
}

impl Run {
    /// Goes on with a call that is not in the table yet.
    pub(crate) fn begin(&self, call: ToolCall) {
        self.calls.enter(call.state());
        self.go_on(call);
    }

    /// Goes on with a call in the table.
    pub(crate) fn go_on(&self, call: ToolCall) {
        self.spawner.spawn(call, self.clone());
    }

    /// Runs a call in the table to its end and sends its response.
    pub(crate) async fn finish(self, mut call: ToolCall) {
        let outcome = call.run().await;
        self.ended(call, outcome);
    }

    /// The same for a tool that never waits, on a thread where waiting would be allowed: its body ends with the first
    /// poll, outside of any runtime, so that it may start one.
    pub(crate) fn finish_sync(self, mut call: ToolCall) {
        if call.state().is_cancelled() {
            return self.ended(call, None);
        }
        match call.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => self.ended(call, Some(outcome)),
            // A body that never awaits is ready; should it not be, it goes on like any other.
            Poll::Pending => self.go_on(call),
        }
    }

    /// Sends the response of a call in the table, unless it was cancelled, and lets the next one run.
    pub(crate) fn ended(&self, call: ToolCall, outcome: Option<Outcome>) {
        if self.calls.claim(call.state()) {
            if let Some(outcome) = outcome {
                let mut frame = Vec::new();
                call.write(&outcome, &mut frame);
                call.state().origin.outlet.send(&frame);
            }
        }
        call.discard();
        if let Some(next) = self.calls.release() {
            self.go_on(next);
        }
    }
}
