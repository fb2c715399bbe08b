//! What a client that has lost its connection can still get: the last events of each session.
//!
//! Spec: 2025-11-25, `basic/transports`, "Resumability and Redelivery".

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{client_log, handler_call};

/// How many bytes of events a [`MemoryEventStore`] keeps: 64 MiB.
pub const DEFAULT_MAX_EVENT_BYTES: usize = 64 * 1024 * 1024;

/// How many bytes of events a [`MemoryEventStore`] keeps for one session: 1 MiB.
pub const DEFAULT_MAX_SESSION_EVENT_BYTES: usize = 1024 * 1024;

/// Which event of a session: the stream, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The stream; 0 is the one that tells of changes.
    pub stream: u64,
    /// The place in the stream, from 1 on; 0 is its beginning.
    pub number: u64,
}

impl EventId {
    /// Reads an id as clients send it back.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, number) = text.split_once('-')?;
        let parse = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { digits.parse().ok() } else { None }
        };
        Some(Self { stream: parse(stream)?, number: parse(number)? })
    }
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.stream, self.number)
    }
}

/// Keeps the events of sessions for clients that ask for what they have missed. [`Http::event_store`] takes one.
///
/// A session lives in one process, and so do its streams: a store is asked for what this process has given to it. Its
/// methods are called where a message is sent, and must not wait for anything; where one panics, nothing is kept.
///
/// [`Http::event_store`]: super::Http::event_store
pub trait EventStore: Send + Sync + 'static {
    /// Keeps an event. The message is the JSON that was sent.
    fn append(&self, session: &str, event: EventId, message: &str);

    /// The events of the stream of `event` that came after it, in order, as far as they are still there.
    fn after(&self, session: &str, event: EventId) -> Vec<(EventId, String)>;

    /// Forgets a session, which has ended.
    fn forget(&self, session: &str);
}

/// Asks a store, which may be the user's and may panic: then nothing is kept, or nothing is found.
pub(super) fn guarded<T: Default>(ask: impl FnOnce() -> T) -> T {
    // What it logs is not about the call whose message it keeps, and would be kept by it in turn.
    let _left = client_log::leave();
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|payload| {
        handler_call::forget(payload);
        tracing::error!("the event store panicked");
        T::default()
    })
}

/// Keeps the newest events in memory, within bounds; the oldest go first.
#[derive(Debug)]
pub struct MemoryEventStore {
    max_bytes: usize,
    max_session_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    sessions: HashMap<Arc<str>, Events>,
    /// The session of each event, the oldest first; those of sessions that are forgotten are passed over.
    order: VecDeque<Arc<str>>,
    bytes: usize,
    count: usize,
}

#[derive(Debug, Default)]
struct Events {
    queue: VecDeque<(EventId, String)>,
    bytes: usize,
    /// How many entries of the order stand for events that are gone already.
    gone: usize,
}

impl Default for MemoryEventStore {
    fn default() -> Self {
        Self::new(DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_SESSION_EVENT_BYTES)
    }
}

impl MemoryEventStore {
    /// A store for so many bytes of messages, at most so many of them for one session. The newest event of a session is
    /// kept even if it is larger than that.
    #[must_use]
    pub fn new(max_bytes: usize, max_session_bytes: usize) -> Self {
        Self { max_bytes, max_session_bytes, kept: Mutex::default() }
    }

    /// Nothing panics under the lock.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventStore for MemoryEventStore {
    fn append(&self, session: &str, event: EventId, message: &str) {
        let mut kept = self.kept();
        let session: Arc<str> =
            kept.sessions.get_key_value(session).map_or_else(|| session.into(), |(key, _)| Arc::clone(key));
        let events = kept.sessions.entry(Arc::clone(&session)).or_default();
        events.queue.push_back((event, message.to_owned()));
        events.bytes += message.len();
        let (mut freed, mut dropped) = (0, 0);
        while events.bytes > self.max_session_bytes && events.queue.len() > 1 {
            let Some((_, oldest)) = events.queue.pop_front() else { break };
            events.bytes -= oldest.len();
            events.gone += 1;
            freed += oldest.len();
            dropped += 1;
        }
        kept.order.push_back(session);
        kept.bytes = (kept.bytes + message.len()).saturating_sub(freed);
        kept.count = (kept.count + 1).saturating_sub(dropped);
        while kept.bytes > self.max_bytes && kept.drop_oldest() {}
        kept.tidy();
    }

    fn after(&self, session: &str, event: EventId) -> Vec<(EventId, String)> {
        let kept = self.kept();
        let Some(events) = kept.sessions.get(session) else { return Vec::new() };
        let is_after = |other: &EventId| other.stream == event.stream && other.number > event.number;
        events.queue.iter().filter(|(other, _)| is_after(other)).cloned().collect()
    }

    fn forget(&self, session: &str) {
        let mut kept = self.kept();
        if let Some(events) = kept.sessions.remove(session) {
            kept.bytes = kept.bytes.saturating_sub(events.bytes);
            kept.count = kept.count.saturating_sub(events.queue.len());
        }
        kept.tidy();
    }
}

impl Kept {
    /// Drops the oldest event of all. Returns whether there may be another.
    fn drop_oldest(&mut self) -> bool {
        let Some(session) = self.order.pop_front() else { return false };
        let Some(events) = self.sessions.get_mut(&session) else { return true };
        if events.gone > 0 {
            events.gone -= 1;
            return true;
        }
        if let Some((_, oldest)) = events.queue.pop_front() {
            events.bytes -= oldest.len();
            self.bytes = self.bytes.saturating_sub(oldest.len());
            self.count = self.count.saturating_sub(1);
        }
        true
    }

    /// Keeps what stands for nothing any more from piling up.
    fn tidy(&mut self) {
        if self.order.len() <= 2 * self.count + 64 {
            return;
        }
        let Self { sessions, order, .. } = self;
        order.retain(|session| match sessions.get_mut(session) {
            None => false,
            Some(events) if events.gone > 0 => {
                events.gone -= 1;
                false
            }
            Some(_) => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(stream: u64, number: u64) -> EventId {
        EventId { stream, number }
    }

    fn numbers(store: &MemoryEventStore, session: &str, after: EventId) -> Vec<u64> {
        store.after(session, after).into_iter().map(|(event, _)| event.number).collect()
    }

    #[test]
    fn gives_what_came_later_on_the_same_stream() {
        let store = MemoryEventStore::default();
        for (stream, number) in [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)] {
            store.append("s", id(stream, number), "{}");
        }
        assert_eq!(numbers(&store, "s", id(1, 1)), [2, 3]);
        assert_eq!(numbers(&store, "s", id(2, 0)), [1, 2]);
        assert_eq!(numbers(&store, "other", id(1, 0)), [] as [u64; 0]);
        store.forget("s");
        assert_eq!(numbers(&store, "s", id(1, 0)), [] as [u64; 0]);
    }

    #[test]
    fn drops_the_oldest_of_a_session_and_keeps_its_newest() {
        let store = MemoryEventStore::new(1000, 10);
        for number in 1..=5 {
            store.append("s", id(1, number), "1234");
        }
        assert_eq!(numbers(&store, "s", id(1, 0)), [4, 5]);
        store.append("s", id(1, 6), &"x".repeat(100));
        assert_eq!(numbers(&store, "s", id(1, 0)), [6]);
        assert_eq!(store.kept().bytes, 100);
    }

    #[test]
    fn drops_the_oldest_of_all_sessions() {
        let store = MemoryEventStore::new(10, 8);
        store.append("a", id(1, 1), "1234");
        store.append("a", id(1, 2), "1234");
        store.append("a", id(1, 3), "1234");
        store.append("b", id(1, 1), "1234");
        assert_eq!(numbers(&store, "a", id(1, 0)), [3]);
        assert_eq!(numbers(&store, "b", id(1, 0)), [1]);
        let kept = store.kept();
        assert_eq!((kept.bytes, kept.count), (8, 2));
    }

    #[test]
    fn keeps_nothing_of_sessions_that_come_and_go() {
        let store = MemoryEventStore::default();
        for number in 0..1000 {
            let session = number.to_string();
            store.append(&session, id(1, 1), "{}");
            store.forget(&session);
        }
        let kept = store.kept();
        assert_eq!((kept.bytes, kept.count, kept.sessions.len()), (0, 0, 0));
        assert!(kept.order.len() <= 64);
    }
}
