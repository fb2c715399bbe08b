//! A session of the legacy era: what one client has agreed on, its calls, and its streams.
//!
//! Spec: 2025-11-25, `basic/transports`, "Session Management".

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::events::{EventStream, Reader, Track};
use super::store::{EventId, EventStore, guarded};
use crate::calls::Calls;
use crate::dispatch::Dispatch;
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::limits::Limits;
use crate::peer::Peer;
use crate::protocol::Revision;
use crate::request::{Handshake, Watch};
use crate::subscriber::Subscriber;

/// What all sessions share.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) dispatch: Arc<Dispatch>,
    pub(super) limits: Limits,
    pub(super) store: Arc<dyn EventStore>,
}

/// A session. Most of it is made when it is first needed, since many sessions idle.
pub(super) struct Session {
    id: Arc<str>,
    common: Arc<Common>,
    revision: Revision,
    peer: Arc<Peer>,
    /// Whose it is.
    principal: Option<Box<str>>,
    calls: OnceLock<Arc<Calls>>,
    /// How many calls may run at a time.
    places: OnceLock<Arc<Semaphore>>,
    changes: OnceLock<Changes>,
    /// Answers of calls that can be gone on with after a loss.
    answers: Mutex<HashMap<u64, Arc<EventStream>>>,
    last_stream: AtomicU64,
    was_used: AtomicBool,
    /// How many requests and streams use it.
    users: AtomicUsize,
    last_used: Mutex<Instant>,
    has_ended: Arc<AtomicBool>,
}

/// What the client is told of changes.
struct Changes {
    stream: Arc<EventStream>,
    subscriber: Arc<Subscriber>,
}

impl Session {
    pub(super) fn new(id: Arc<str>, common: Arc<Common>, handshake: Handshake, principal: Option<String>) -> Self {
        let session = Self {
            id,
            common,
            revision: handshake.revision,
            peer: Arc::new(handshake.peer),
            principal: principal.map(Into::into),
            calls: OnceLock::new(),
            places: OnceLock::new(),
            changes: OnceLock::new(),
            answers: Mutex::default(),
            last_stream: AtomicU64::new(0),
            was_used: AtomicBool::new(false),
            users: AtomicUsize::new(0),
            last_used: Mutex::new(Instant::now()),
            has_ended: Arc::default(),
        };
        if session.common.dispatch.sets.changes.are_expected() {
            session.changes();
        }
        session
    }

    pub(super) fn id(&self) -> &Arc<str> {
        &self.id
    }

    pub(super) fn revision(&self) -> Revision {
        self.revision
    }

    pub(super) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    pub(super) fn is_of(&self, principal: Option<&str>) -> bool {
        self.principal.as_deref() == principal
    }

    /// The calls in flight.
    pub(super) fn calls(&self) -> &Arc<Calls> {
        let limits = &self.common.limits;
        self.calls.get_or_init(|| Arc::new(Calls::new(limits.max_calls_in_flight, limits.max_waiting_bytes)))
    }

    pub(super) fn places(&self) -> &Arc<Semaphore> {
        let most = self.common.limits.max_calls_in_flight;
        self.places.get_or_init(|| Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// Whether a call in flight has that id.
    pub(super) fn has_call(&self, id: &RequestId) -> bool {
        self.calls.get().is_some_and(|calls| calls.has(id))
    }

    /// The client is ready to be asked and to be told of changes.
    pub(super) fn ready(&self) {
        self.peer.ready();
        if let Some(changes) = self.changes.get() {
            changes.subscriber.ready();
        }
    }

    /// Watches a resource, or no more.
    ///
    /// # Errors
    /// `-32600` if the session watches too many.
    pub(super) fn watch(&self, watch: Watch) -> Result<(), ErrorObject> {
        self.changes().subscriber.watch(watch)
    }

    /// A number for a stream that can be gone on with, and where its events are kept.
    pub(super) fn track(&self) -> Track {
        self.track_of(self.last_stream.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn track_of(&self, stream: u64) -> Track {
        let (store, session) = (Arc::clone(&self.common.store), Arc::clone(&self.id));
        let has_ended = Arc::clone(&self.has_ended);
        Track { store, session, stream, is_primed: self.revision.has_primed_streams(), has_ended }
    }

    /// Remembers an answer that the client may lose on the way: one of events that goes on. Those that have ended are in
    /// the store.
    pub(super) fn remember(&self, stream: Option<u64>, answer: &Arc<EventStream>) {
        let Some(stream) = stream.filter(|_| answer.goes_on()) else { return };
        let mut answers = self.answers();
        answers.retain(|_, answer| !answer.has_ended());
        answers.insert(stream, Arc::clone(answer));
    }

    /// The stream of changes.
    pub(super) fn changes_stream(&self) -> &Arc<EventStream> {
        &self.changes().stream
    }

    /// Opens the stream of changes, or goes on with it after an event; whoever has read it before does so no more.
    pub(super) fn read_changes(&self, after: Option<EventId>) -> Reader {
        let Changes { stream, subscriber } = self.changes();
        let reader = after.map_or_else(|| stream.read(), |event| stream.read_after(event));
        subscriber.catch_up();
        reader
    }

    /// The answer with that number; one that has ended is what was kept of it. `None` if there never was one.
    pub(super) fn answer(&self, stream: u64) -> Option<Arc<EventStream>> {
        if let Some(answer) = self.answers().get(&stream) {
            return Some(Arc::clone(answer));
        }
        let is_known = stream <= self.last_stream.load(Ordering::Relaxed);
        is_known.then(|| Arc::new(EventStream::ended(self.track_of(stream))))
    }

    fn changes(&self) -> &Changes {
        self.changes.get_or_init(|| {
            let Common { dispatch, limits, .. } = &*self.common;
            let stream = Arc::new(EventStream::changes(Some(self.track_of(0)), limits.max_output_bytes));
            let subscriber = Subscriber::new(Arc::clone(dispatch), Arc::clone(&stream) as _, limits);
            subscriber.open();
            Changes { stream, subscriber }
        })
    }

    /// Marks the session as used, until what is returned is dropped.
    pub(super) fn use_it(self: &Arc<Self>) -> InUse {
        self.users.fetch_add(1, Ordering::Relaxed);
        self.was_used.store(true, Ordering::Relaxed);
        InUse(Arc::clone(self))
    }

    /// Whether a request has come after the handshake.
    pub(super) fn was_used(&self) -> bool {
        self.was_used.load(Ordering::Relaxed)
    }

    /// How long the session has been idle: without a request, a stream and a call.
    pub(super) fn idle(&self, now: Instant) -> Option<Duration> {
        // A call that runs uses it too.
        let is_idle = self.users.load(Ordering::Relaxed) == 0;
        is_idle.then(|| now.saturating_duration_since(*self.last_used()))
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst)
    }

    /// Ends everything: calls are cancelled, streams are closed, events are forgotten.
    pub(super) fn end(&self) {
        if self.has_ended.swap(true, Ordering::SeqCst) {
            return;
        }
        if let Some(calls) = self.calls.get() {
            calls.cancel_all();
        }
        self.peer.lost();
        if let Some(changes) = self.changes.get() {
            changes.stream.end();
        }
        for answer in std::mem::take(&mut *self.answers()).into_values() {
            answer.end();
        }
        guarded(|| self.common.store.forget(&self.id));
    }

    /// Nothing panics under the lock.
    fn answers(&self) -> MutexGuard<'_, HashMap<u64, Arc<EventStream>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_used(&self) -> MutexGuard<'_, Instant> {
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody uses a session.
pub(super) struct InUse(Arc<Session>);

impl InUse {
    /// Somebody else uses it too.
    pub(super) fn again(&self) -> Self {
        self.0.use_it()
    }
}

impl Deref for InUse {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        *self.0.last_used() = Instant::now();
        self.0.users.fetch_sub(1, Ordering::Relaxed);
    }
}
