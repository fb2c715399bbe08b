//! What is open now, so that it can be ended in order when the server ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

use super::events::EventStream;
use crate::subscriber::Subscriber;

/// The requests that are served, and the streams that are open.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// No further requests are served.
    is_closing: AtomicBool,
    /// What is served now is given up.
    is_over: AtomicBool,
    /// How many requests wait for their answers.
    waiting: AtomicUsize,
    changed: Notify,
    streams: Mutex<HashMap<u64, Stream>>,
    last_stream: AtomicU64,
    /// How many streams tell of changes.
    listening: AtomicUsize,
}

/// A stream that is open, for as long as somebody reads it.
#[derive(Debug)]
pub(super) enum Stream {
    /// It ends with the answer of a call.
    Answer(Weak<EventStream>),
    /// It tells the client of a session of changes.
    Changes(Weak<EventStream>),
    /// It tells a client of the modern era of changes.
    Subscription(Weak<Subscriber>),
}

impl Stream {
    fn is_answer(&self) -> bool {
        matches!(self, Self::Answer(_))
    }

    fn end(&self) {
        match self {
            Self::Answer(stream) | Self::Changes(stream) => {
                if let Some(stream) = stream.upgrade() {
                    stream.end();
                }
            }
            Self::Subscription(subscriber) => {
                if let Some(subscriber) = subscriber.upgrade() {
                    subscriber.complete();
                }
            }
        }
    }
}

impl Gate {
    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::SeqCst)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// A request waits for its answer, until what is returned is dropped.
    pub(super) fn wait_in(self: &Arc<Self>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        Waiting(Arc::clone(self))
    }

    /// A stream of an answer is open, until what is returned is dropped.
    pub(super) fn open(self: &Arc<Self>, answer: Weak<EventStream>) -> Open {
        self.enter(Stream::Answer(answer))
    }

    /// A stream that tells of changes is open, until what is returned is dropped; `None` if there are `most` already.
    pub(super) fn listen(self: &Arc<Self>, stream: Stream, most: usize) -> Option<Open> {
        if self.listening.fetch_add(1, Ordering::SeqCst) >= most {
            self.listening.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        Some(self.enter(stream))
    }

    fn enter(self: &Arc<Self>, stream: Stream) -> Open {
        let (number, listens) = (self.last_stream.fetch_add(1, Ordering::Relaxed), !stream.is_answer());
        self.streams().insert(number, stream);
        // Whoever closes looks at the streams after the flag is set, so one of the two sees the other.
        if self.is_closing() {
            self.end_streams(|stream| self.is_over() || !stream.is_answer());
        }
        Open { gate: Arc::clone(self), number, listens }
    }

    /// Serves no further requests, and ends the streams that tell of changes.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::SeqCst);
        self.end_streams(|stream| !stream.is_answer());
    }

    /// Gives up what is still served.
    pub(super) fn give_up(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.end_streams(|_| true);
    }

    /// Waits until no request waits for its answer.
    pub(super) async fn idle(&self) {
        loop {
            // The future exists before the count is looked at, so a change between the two is not missed.
            let changed = self.changed.notified();
            if self.waiting.load(Ordering::SeqCst) == 0 {
                return;
            }
            changed.await;
        }
    }

    fn end_streams(&self, ends: impl Fn(&Stream) -> bool) {
        let mut ended = Vec::new();
        self.streams().retain(|_, stream| {
            let ends = ends(stream);
            if ends {
                ended.push(std::mem::replace(stream, Stream::Answer(Weak::new())));
            }
            !ends
        });
        // Not under the lock, which the reader of an ended stream may want.
        for stream in ended {
            stream.end();
        }
    }

    /// Nothing panics under the lock.
    fn streams(&self) -> MutexGuard<'_, HashMap<u64, Stream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Waiting(Arc<Gate>);

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.0.waiting.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.changed.notify_waiters();
        }
    }
}

/// A stream that is open.
#[derive(Debug)]
pub(super) struct Open {
    gate: Arc<Gate>,
    number: u64,
    listens: bool,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.gate.streams().remove(&self.number);
        if self.listens {
            self.gate.listening.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
