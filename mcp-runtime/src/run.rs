//! How a call that cannot be answered at once goes on.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use crate::calls::Calls;
use crate::handler_call::HandlerCall;
use crate::result::Outcome;
use crate::session::Session;

/// Runs calls somewhere else than where they were read.
pub(crate) trait Spawn: Send + Sync {
    fn spawn(&self, call: HandlerCall, run: Run);
}

/// Not of each spawner: what nobody prints would be part of every program for being in the table of its methods.
impl std::fmt::Debug for dyn Spawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Spawn")
    }
}

/// Everything that the end of a call needs.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) calls: Arc<Calls>,
    pub(crate) spawner: Arc<dyn Spawn>,
}

impl Run {
    /// Goes on with a call that is not in the table yet.
    pub(crate) fn begin(&self, call: HandlerCall) {
        self.calls.enter(call.state());
        self.go_on(call);
    }

    /// Begins every call that the last message of a session asks for, the first of which it has returned.
    pub(crate) fn begin_all(&self, first: Option<HandlerCall>, session: &mut Session) {
        let mut next = first;
        while let Some(call) = next {
            if let Some(call) = self.calls.admit(call) {
                self.begin(call);
            }
            next = session.next_batched();
        }
    }

    /// Goes on with a call in the table.
    pub(crate) fn go_on(&self, call: HandlerCall) {
        self.spawner.spawn(call, self.clone());
    }

    /// Runs a call in the table to its end and sends its response.
    pub(crate) async fn finish(self, mut call: HandlerCall) {
        let outcome = call.run().await;
        self.ended(call, outcome);
    }

    /// The same on a thread that may block, outside of any runtime, so that the body may start one of its own.
    pub(crate) fn finish_blocking(self, call: HandlerCall) {
        block_on(self.finish(call));
    }

    /// Sends the response of a call in the table, unless it was cancelled, and lets the next one run.
    pub(crate) fn ended(&self, call: HandlerCall, outcome: Option<Outcome>) {
        if let Some(next) = self.calls.end(call, outcome) {
            self.go_on(next);
        }
    }
}

/// Waits for a future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        // An unpark before the park is not lost.
        std::thread::park();
    }
}

/// Wakes a thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
