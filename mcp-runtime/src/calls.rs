//! The calls in flight of one connection: who may run, who has to wait, and how one is cancelled.
//!
//! Spec: 2026-07-28, `basic/patterns/cancellation`.

use std::collections::{HashMap, VecDeque, hash_map};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::call_state::CallState;
use crate::handler_call::HandlerCall;
use crate::jsonrpc::RequestId;
use crate::result::Outcome;

/// The table of calls in flight.
#[derive(Debug)]
pub(crate) struct Calls {
    table: Mutex<Table>,
    /// Whether nothing is in flight: no call that runs or waits, and so no entry. So it is most often, since most calls end
    /// before they need to be in the table.
    is_idle: AtomicBool,
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
    /// The calls that wait, in the order of their tickets.
    waiting: VecDeque<(u64, Box<HandlerCall>)>,
    waiting_bytes: usize,
    last_ticket: u64,
}

#[derive(Debug)]
struct Entry {
    state: Arc<CallState>,
    /// Where the call waits, if it does.
    ticket: Option<u64>,
}

impl Table {
    fn take_waiting(&mut self, ticket: u64) -> Option<HandlerCall> {
        let place = self.waiting.binary_search_by_key(&ticket, |(ticket, _)| *ticket).ok()?;
        let (_, call) = self.waiting.remove(place)?;
        self.waiting_bytes = self.waiting_bytes.saturating_sub(call.waiting_bytes());
        Some(*call)
    }

    fn is_idle(&self) -> bool {
        self.running == 0 && self.waiting.is_empty()
    }
}

/// The table while it is locked. What it comes to is told before anyone else has it.
struct Locked<'a> {
    table: MutexGuard<'a, Table>,
    is_idle: &'a AtomicBool,
}

impl Deref for Locked<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.is_idle.store(self.table.is_idle(), Ordering::Release);
    }
}

impl Calls {
    pub(crate) fn new(max_in_flight: usize, max_waiting_bytes: usize) -> Self {
        Self {
            table: Mutex::default(),
            is_idle: AtomicBool::new(true),
            changed: Condvar::new(),
            notify: Notify::new(),
            max_in_flight: max_in_flight.max(1),
            max_waiting_bytes: max_waiting_bytes.max(1),
        }
    }

    /// Whether a call in flight has that id.
    pub(crate) fn has(&self, id: &RequestId) -> bool {
        !self.seems_idle() && self.lock().entries.contains_key(id)
    }

    /// Decides what becomes of a new call, whose id is not in flight. One that may run now is returned; it is not in the
    /// table yet, since most calls end before they need to be. One for which there is no place waits in the table.
    pub(crate) fn admit(&self, call: HandlerCall) -> Option<HandlerCall> {
        if self.seems_idle() {
            return Some(call);
        }
        let mut table = self.table();
        if table.running < self.max_in_flight && table.waiting.is_empty() {
            return Some(call);
        }
        table.last_ticket += 1;
        let ticket = table.last_ticket;
        let entry = Entry { state: Arc::clone(call.state()), ticket: Some(ticket) };
        table.entries.insert(call.id().clone(), entry);
        table.waiting_bytes += call.waiting_bytes();
        table.waiting.push_back((ticket, Box::new(call)));
        None
    }

    /// Enters a call where several may come at once, if no other in flight has its id. Whoever calls this minds how many run.
    #[cfg(feature = "http")]
    pub(crate) fn enter_new(&self, state: &Arc<CallState>) -> bool {
        let mut table = self.table();
        let hash_map::Entry::Vacant(place) = table.entries.entry(state.origin.id.clone()) else { return false };
        place.insert(Entry { state: Arc::clone(state), ticket: None });
        table.running += 1;
        true
    }

    /// Enters a call that runs, so that it can be found from here on.
    pub(crate) fn enter(&self, state: &Arc<CallState>) {
        let mut table = self.table();
        table.running += 1;
        table.entries.insert(state.origin.id.clone(), Entry { state: Arc::clone(state), ticket: None });
    }

    /// Ends an entered call: sends its response, unless it was cancelled, and gives back its place. The call that has waited
    /// longest gets it, if one has.
    pub(crate) fn end(&self, call: HandlerCall, outcome: Option<Outcome>) -> Option<HandlerCall> {
        if self.claim(call.state()) {
            if let Some(outcome) = outcome {
                call.respond(&outcome);
            }
        }
        call.discard();
        self.release()
    }

    /// Takes an entered call out; whether it is there tells whether its response may be sent.
    fn claim(&self, state: &Arc<CallState>) -> bool {
        let mut table = self.table();
        match table.entries.entry(state.origin.id.clone()) {
            // The id may be that of a later call, if this one was cancelled.
            hash_map::Entry::Occupied(entry) if Arc::ptr_eq(&entry.get().state, state) => {
                entry.remove();
                true
            }
            _ => false,
        }
    }

    /// Gives back the place of a call that has ended. The call that has waited longest gets it, if one has.
    fn release(&self) -> Option<HandlerCall> {
        let mut table = self.table();
        table.running = table.running.saturating_sub(1);
        let ticket = table.waiting.front().map(|(ticket, _)| *ticket);
        let next = ticket.filter(|_| table.running < self.max_in_flight).and_then(|ticket| table.take_waiting(ticket));
        if let Some(next) = &next {
            table.running += 1;
            if let Some(entry) = table.entries.get_mut(next.id()) {
                entry.ticket = None;
            }
        }
        drop(table);
        self.tell();
        next
    }

    /// Cancels the call with that id, if it is in flight; otherwise nothing happens.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let (entry, waiting) = {
            let mut table = self.table();
            let entry = table.entries.remove(id);
            let waiting = entry.as_ref().and_then(|entry| entry.ticket).and_then(|ticket| table.take_waiting(ticket));
            (entry, waiting)
        };
        if let Some(entry) = entry {
            entry.state.cancel();
        }
        // One that waits has run no code of the user yet, and holds none of its values.
        if waiting.is_some() {
            self.tell();
        }
    }

    /// Cancels every call. Returns how many there were.
    pub(crate) fn cancel_all(&self) -> usize {
        let (entries, waiting) = {
            let mut table = self.table();
            table.waiting_bytes = 0;
            (std::mem::take(&mut table.entries), std::mem::take(&mut table.waiting))
        };
        let count = entries.len();
        for entry in entries.into_values() {
            entry.state.cancel();
        }
        drop(waiting);
        self.tell();
        count
    }

    /// Whether more may be read: what waits is under its bound.
    pub(crate) fn has_room(&self) -> bool {
        self.lock().waiting_bytes < self.max_waiting_bytes
    }

    /// Blocks the thread until there is room, or until `patience` has passed. Returns whether there is.
    pub(crate) fn wait_for_room(&self, patience: Duration) -> bool {
        if self.seems_idle() {
            return true;
        }
        let full = |table: &mut Table| table.waiting_bytes >= self.max_waiting_bytes;
        let waited = self.changed.wait_timeout_while(self.lock(), patience, full);
        let (mut table, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !full(&mut table)
    }

    /// Blocks the thread until no call is in flight, or until `grace` has passed.
    pub(crate) fn wait_idle(&self, grace: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), grace, |table| !table.is_idle());
        let (table, _) = waited.unwrap_or_else(PoisonError::into_inner);
        table.is_idle()
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
        self.lock().is_idle()
    }

    fn tell(&self) {
        self.changed.notify_all();
        self.notify.notify_waiters();
    }

    /// Whether nothing is in flight, as far as can be seen without the lock. One who reads a connection sees right: nobody
    /// else enters its calls, but for the one from whom the reading was taken over. Over HTTP, whoever enters a call looks
    /// again.
    fn seems_idle(&self) -> bool {
        self.is_idle.load(Ordering::Acquire)
    }

    /// The table, to be changed.
    fn table(&self) -> Locked<'_> {
        Locked { table: self.lock(), is_idle: &self.is_idle }
    }

    /// No code of the user runs under the lock: what it may run in, such as the destructor of a call that has begun, is
    /// taken out first. So a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
