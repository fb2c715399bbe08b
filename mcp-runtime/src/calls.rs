//! The calls in flight of one connection: who may run, who has to wait, and how one is cancelled.
//!
//! Spec: 2026-07-28, `basic/patterns/cancellation`.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::context::{CallOrigin, CallState};
use crate::dispatch::Dispatch;
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::protocol::call::ResultShape;
use crate::reply;
use crate::result::Outcome;
use crate::tool::ToolFuture;

/// A call that is ready to run or running.
pub(crate) struct PendingCall {
    pub(crate) origin: CallOrigin,
    pub(crate) dispatch: Arc<Dispatch>,
    pub(crate) shape: ResultShape,
    /// Tells the call from a later one with the same id.
    pub(crate) serial: u64,
    pub(crate) future: ToolFuture,
    pub(crate) state: Option<Arc<CallState>>,
    /// Whether the body computes without ever awaiting.
    pub(crate) is_sync: bool,
    /// The bytes of its frame, for the bound on what waits.
    pub(crate) frame_bytes: usize,
}

impl std::fmt::Debug for PendingCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingCall").field("id", &self.origin.id).field("serial", &self.serial).finish_non_exhaustive()
    }
}

impl PendingCall {
    /// Polls the tool once. A panic is the outcome of its own call and of no other.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(cx))).unwrap_or_else(|_| {
            // The panic hook has printed what happened; the client is told no internals.
            tracing::error!(id = %self.origin.id, "a tool panicked");
            let error = ErrorObject::new(ErrorObject::INTERNAL_ERROR, "the tool failed unexpectedly");
            Poll::Ready(Outcome::Error(error))
        })
    }

    /// Appends the response and closes the call, so that nothing follows it.
    pub(crate) fn write(&self, outcome: &Outcome, out: &mut Vec<u8>) {
        if let Some(state) = &self.state {
            state.close();
        }
        reply::write_outcome(out, &self.dispatch, &self.origin, self.shape, outcome);
    }

    /// The state through which the call can be cancelled.
    fn shared_state(&mut self) -> Arc<CallState> {
        let state = self.state.get_or_insert_with(|| Arc::new(CallState::new(self.origin.clone())));
        Arc::clone(state)
    }

    /// Runs the tool to its end; `None` if the call is cancelled before.
    async fn run(&mut self) -> Option<Outcome> {
        let state = self.shared_state();
        let mut cancelled = pin!(state.cancelled());
        poll_fn(|cx| {
            if cancelled.as_mut().poll(cx).is_ready() {
                return Poll::Ready(None);
            }
            self.poll(cx).map(Some)
        })
        .await
    }

    /// Drops the tool's future. A panic in a destructor is caught like one in the body.
    pub(crate) fn discard(self) {
        let id = self.origin.id.clone();
        if catch_unwind(AssertUnwindSafe(|| drop(self))).is_err() {
            tracing::error!(%id, "a tool panicked while it was dropped");
        }
    }
}

/// Whether a call may run now.
#[derive(Debug)]
pub(crate) enum Admission {
    /// It may be polled in place. It is not in the table yet; most calls end before they need to be.
    Now(PendingCall),
    /// As many as may run do; it waits in the table.
    Waits,
    /// Another call in flight has its id.
    Duplicate(PendingCall),
}

/// The table of calls in flight.
#[derive(Debug)]
pub(crate) struct Calls {
    table: Mutex<Table>,
    /// Told at each change, for those who wait on threads.
    changed: Condvar,
    /// Told at each change, for those who wait in tasks.
    notify: Notify,
    max_in_flight: usize,
    max_waiting_bytes: usize,
}

#[derive(Debug, Default)]
struct Table {
    /// Every call that a client can still cancel. One that was cancelled is not here, even while its last poll runs.
    entries: HashMap<RequestId, Entry>,
    /// How many calls run, cancelled ones included until they have stopped.
    running: usize,
    waiting: VecDeque<PendingCall>,
    waiting_bytes: usize,
}

#[derive(Debug)]
struct Entry {
    serial: u64,
    /// How to tell the tool; without it the tool is being polled for the first time, and its result is discarded.
    state: Option<Arc<CallState>>,
}

impl Calls {
    pub(crate) fn new(max_in_flight: usize, max_waiting_bytes: usize) -> Self {
        Self {
            table: Mutex::default(),
            changed: Condvar::new(),
            notify: Notify::new(),
            max_in_flight: max_in_flight.max(1),
            max_waiting_bytes,
        }
    }

    /// Decides what becomes of a new call.
    pub(crate) fn admit(&self, call: PendingCall) -> Admission {
        let mut table = self.table();
        if table.entries.contains_key(&call.origin.id) {
            return Admission::Duplicate(call);
        }
        if table.running < self.max_in_flight && table.waiting.is_empty() {
            return Admission::Now(call);
        }
        table.entries.insert(call.origin.id.clone(), Entry { serial: call.serial, state: call.state.clone() });
        table.waiting_bytes += call.frame_bytes;
        table.waiting.push_back(call);
        Admission::Waits
    }

    /// Enters a call while it is polled for the first time, so that it can be found from here on.
    pub(crate) fn enter(&self, id: RequestId, serial: u64, state: Option<Arc<CallState>>) {
        let mut table = self.table();
        table.running += 1;
        table.entries.insert(id, Entry { serial, state });
    }

    /// Makes the state of an entered call known, or learns that the call is cancelled already.
    pub(crate) fn attach(&self, call: &mut PendingCall) -> bool {
        let state = call.shared_state();
        let mut table = self.table();
        match table.entries.get_mut(&call.origin.id) {
            Some(entry) if entry.serial == call.serial => {
                entry.state = Some(state);
                true
            }
            _ => false,
        }
    }

    /// Takes an entered call out; whether it is there tells whether its response may be sent. To be followed by
    /// [`release`](Self::release) once it is.
    pub(crate) fn claim(&self, call: &PendingCall) -> bool {
        let mut table = self.table();
        let is_there = table.entries.get(&call.origin.id).is_some_and(|entry| entry.serial == call.serial);
        if is_there {
            table.entries.remove(&call.origin.id);
        }
        is_there
    }

    /// Gives back the place of a call that has ended. The call that has waited longest gets it, if one has.
    pub(crate) fn release(&self) -> Option<PendingCall> {
        let mut table = self.table();
        table.running = table.running.saturating_sub(1);
        let next = self.next_waiting(&mut table);
        self.changed.notify_all();
        self.notify.notify_waiters();
        next
    }

    /// The next call that waits and was not cancelled meanwhile.
    fn next_waiting(&self, table: &mut Table) -> Option<PendingCall> {
        while table.running < self.max_in_flight {
            let mut call = table.waiting.pop_front()?;
            table.waiting_bytes -= call.frame_bytes;
            let state = call.shared_state();
            if let Some(entry) = table.entries.get_mut(&call.origin.id).filter(|entry| entry.serial == call.serial) {
                entry.state = Some(state);
                table.running += 1;
                return Some(call);
            }
        }
        None
    }

    /// Cancels the call with that id, if it is in flight; otherwise nothing happens.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let entry = self.table().entries.remove(id);
        if let Some(state) = entry.and_then(|entry| entry.state) {
            state.cancel();
        }
    }

    /// Cancels every call.
    pub(crate) fn cancel_all(&self) {
        let (entries, waiting) = {
            let mut table = self.table();
            table.waiting_bytes = 0;
            (std::mem::take(&mut table.entries), std::mem::take(&mut table.waiting))
        };
        for state in entries.into_values().filter_map(|entry| entry.state) {
            state.cancel();
        }
        waiting.into_iter().for_each(PendingCall::discard);
    }

    /// Whether more may be read: what waits is under its bound.
    pub(crate) fn has_room(&self) -> bool {
        self.table().waiting_bytes < self.max_waiting_bytes
    }

    fn is_idle(table: &Table) -> bool {
        table.running == 0 && table.waiting.is_empty()
    }

    /// Blocks the thread until there is room.
    pub(crate) fn wait_for_room(&self) {
        let table = self.table();
        let full = |table: &mut Table| table.waiting_bytes >= self.max_waiting_bytes;
        drop(self.changed.wait_while(table, full).unwrap_or_else(PoisonError::into_inner));
    }

    /// Blocks the thread until no call is in flight, or until `grace` has passed.
    pub(crate) fn wait_idle(&self, grace: Duration) -> bool {
        let table = self.table();
        let busy = |table: &mut Table| !Self::is_idle(table);
        let (table, _) = self.changed.wait_timeout_while(table, grace, busy).unwrap_or_else(PoisonError::into_inner);
        Self::is_idle(&table)
    }

    /// Waits in a task until `done` holds for what is in flight, or until the deadline if there is one.
    pub(crate) async fn wait_until(&self, done: impl Fn(&Self) -> bool, deadline: Option<Instant>) {
        loop {
            // The future exists before the condition is looked at, so a change between the two is not missed.
            let changed = self.notify.notified();
            if done(self) {
                return;
            }
            match deadline {
                None => changed.await,
                Some(deadline) => {
                    if tokio::time::timeout_at(deadline.into(), changed).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Whether no call is in flight.
    pub(crate) fn is_empty(&self) -> bool {
        Self::is_idle(&self.table())
    }

    /// No user code runs under the lock, so a poisoned one is as good as any.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a future somewhere else than where it was made.
pub(crate) trait Spawn: Send + Sync + std::fmt::Debug {
    fn spawn(&self, call: PendingCall, run: Run);
}

/// How a call that has to wait goes on: everything that its end needs.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) calls: Arc<Calls>,
    pub(crate) spawner: Arc<dyn Spawn>,
}

impl Run {
    /// Goes on with a call that was polled in place and has to wait. `entered` tells whether it is in the table.
    pub(crate) fn later(&self, mut call: PendingCall, entered: bool) {
        if !entered {
            self.calls.enter(call.origin.id.clone(), call.serial, call.state.clone());
        }
        if self.calls.attach(&mut call) {
            self.spawner.spawn(call, self.clone());
        } else {
            call.discard();
            self.release();
        }
    }

    /// Runs a call in the table to its end and sends its response.
    pub(crate) async fn finish(self, mut call: PendingCall) {
        let outcome = call.run().await;
        self.ended(call, outcome);
    }

    /// Sends the response of a call in the table, unless it was cancelled, and lets the next one run.
    pub(crate) fn ended(&self, call: PendingCall, outcome: Option<Outcome>) {
        if self.calls.claim(&call) {
            if let Some(outcome) = outcome {
                let mut frame = Vec::new();
                call.write(&outcome, &mut frame);
                call.origin.outlet.send(&frame);
            }
        }
        call.discard();
        self.release();
    }

    fn release(&self) {
        if let Some(next) = self.calls.release() {
            self.spawner.spawn(next, self.clone());
        }
    }
}
