//! Where the messages of a request, or of a stream of changes, wait for the client, and how they become events.
//!
//! An answer is plain JSON as long as it is one message. A notification before it, or a client that takes nothing else,
//! makes it a stream of events.
//!
//! Spec: 2026-07-28, `basic/transports/streamable-http`, "Sending Messages to the Server".

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, Sleep};

use super::negotiate::Formats;
use super::store::{EventId, EventStore, guarded};
use crate::outlet::Outlet;
use crate::wire;

/// A comment, which every reader of events passes over.
const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// The messages for one stream, and who reads them.
#[derive(Debug)]
pub(super) struct EventStream {
    purpose: Purpose,
    /// Where the events are kept, if the stream can be gone on with.
    track: Option<Track>,
    /// How many bytes may wait for the client before what may be lost is.
    max_waiting_bytes: usize,
    state: Mutex<State>,
}

/// What a stream is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The answer to a request. It ends with the response.
    Answer(Formats),
    /// What the client is told of changes. It ends when the server ends it.
    Changes,
}

/// What makes a stream one that can be gone on with after a loss.
#[derive(Clone)]
pub(super) struct Track {
    pub(super) store: Arc<dyn EventStore>,
    pub(super) session: Arc<str>,
    pub(super) stream: u64,
    /// Whether the stream begins with an event without a message, from which on it can be gone on with. Clients of earlier
    /// revisions would take it for a message.
    pub(super) is_primed: bool,
    /// Whether the session has ended, so that nothing is to be kept for it.
    pub(super) has_ended: Arc<AtomicBool>,
}

impl Track {
    fn keep(&self, event: EventId, message: &str) {
        guarded(|| self.store.append(&self.session, event, message));
        // Whoever ends the session says so before it forgets the events, so one of the two sees the other.
        if self.has_ended.load(Ordering::SeqCst) {
            guarded(|| self.store.forget(&self.session));
        }
    }

    fn kept_after(&self, event: EventId) -> Vec<(EventId, String)> {
        guarded(|| self.store.after(&self.session, event))
    }
}

impl std::fmt::Debug for Track {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Track").field("stream", &self.stream).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    /// Events that the reader has not taken yet.
    waiting: Vec<u8>,
    /// The response, as long as nothing has made it an event.
    answer: Option<Head>,
    /// Whether the answer is a stream of events.
    is_events: bool,
    /// Nothing more will come.
    has_ended: bool,
    /// Which reader may read; each that goes on with the stream takes the place of the one before.
    reader: u64,
    has_reader: bool,
    waker: Option<Waker>,
    /// The number of the last event.
    last_event: u64,
}

/// How an answer begins.
#[derive(Debug)]
pub(super) enum Head {
    /// It is one message.
    Json(Vec<u8>),
    /// It is one message, which says what the request lacks.
    Refusal(Vec<u8>),
    /// It is a stream.
    Events,
    /// There is none: the client does not want it any more.
    Nothing,
}

impl EventStream {
    /// A stream for the answer to a request.
    pub(super) fn answer(formats: Formats, track: Option<Track>, max_waiting_bytes: usize) -> Self {
        Self { purpose: Purpose::Answer(formats), track, max_waiting_bytes, state: Mutex::default() }
    }

    /// A stream of changes.
    pub(super) fn changes(track: Option<Track>, max_waiting_bytes: usize) -> Self {
        let state = Mutex::new(State { is_events: true, ..State::default() });
        Self { purpose: Purpose::Changes, track, max_waiting_bytes, state }
    }

    /// A stream that has ended, of which only what was kept is left.
    pub(super) fn ended(track: Track) -> Self {
        let stream = Self::changes(Some(track), 0);
        stream.state().has_ended = true;
        stream
    }

    /// Begins to read, in place of whoever has read before. What is waiting is for the new reader.
    pub(super) fn read(self: &Arc<Self>) -> Reader {
        let mut state = self.state();
        if self.purpose == Purpose::Changes && state.waiting.is_empty() {
            // What waits has ids of its own.
            self.prime(&mut state, None);
        }
        self.reader(&mut state)
    }

    /// Goes on after an event that the client has got: with what was kept, and then with what comes.
    pub(super) fn read_after(self: &Arc<Self>, event: EventId) -> Reader {
        let mut state = self.state();
        // All that was sent is in the store, whether the last reader has taken it or not.
        state.waiting.clear();
        if let Some(track) = &self.track {
            for (event, message) in track.kept_after(event) {
                write_event(&mut state.waiting, Some(event), message.as_bytes());
            }
        }
        self.reader(&mut state)
    }

    fn reader(self: &Arc<Self>, state: &mut State) -> Reader {
        state.reader += 1;
        state.has_reader = true;
        // The last reader has to see that it is no more.
        state.wake();
        Reader { stream: Arc::clone(self), reader: state.reader }
    }

    /// Makes the answer a stream of events if it is not decided yet and the client takes one, since it takes long.
    pub(super) fn begin_events(&self) {
        let mut state = self.state();
        if self.takes_events() && !state.has_ended && !state.is_events {
            self.begin(&mut state, None);
            state.wake();
        }
    }

    /// Ends the stream.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        state.wake();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.state().has_ended
    }

    /// Whether the answer has become a stream of events that goes on.
    pub(super) fn goes_on(&self) -> bool {
        let state = self.state();
        state.is_events && !state.has_ended
    }

    fn takes_events(&self) -> bool {
        match self.purpose {
            Purpose::Answer(formats) => formats.events,
            Purpose::Changes => true,
        }
    }

    /// Makes the answer a stream of events, with when to come back if it is about to end.
    fn begin(&self, state: &mut State, retry: Option<Duration>) {
        state.is_events = true;
        self.prime(state, retry);
    }

    /// An event without a message, from which on a stream can be gone on with.
    fn prime(&self, state: &mut State, retry: Option<Duration>) {
        let Some(track) = self.track.as_ref().filter(|track| track.is_primed) else { return };
        write_retry(&mut state.waiting, retry);
        write_event(&mut state.waiting, Some(EventId { stream: track.stream, number: state.last_event }), b"");
    }

    /// Adds a message as an event.
    fn push(&self, state: &mut State, message: &[u8]) {
        if !state.is_events {
            self.begin(state, None);
        }
        let Some(track) = &self.track else { return write_event(&mut state.waiting, None, message) };
        state.last_event += 1;
        let event = EventId { stream: track.stream, number: state.last_event };
        if let Ok(message) = std::str::from_utf8(message) {
            track.keep(event, message);
        }
        if state.has_reader {
            write_event(&mut state.waiting, Some(event), message);
        }
    }

    /// Ends the answer with its response: the last event, or the one message that the head is made of.
    fn finish(&self, frame: Vec<u8>, head: fn(Vec<u8>) -> Head) {
        let mut state = self.state();
        if state.has_ended {
            return;
        }
        wire::sent(&frame);
        match self.purpose {
            Purpose::Answer(Formats { json: true, .. }) if !state.is_events => state.answer = Some(head(frame)),
            _ => self.push(&mut state, frame.strip_suffix(b"\n").unwrap_or(&frame)),
        }
        state.has_ended = true;
        state.wake();
    }

    /// Whether what is sent reaches anyone, now or later.
    fn is_heard(&self, state: &State) -> bool {
        state.has_reader || (self.track.is_some() && self.purpose != Purpose::Changes)
    }

    /// Nothing panics under the lock but a store of the user's, which has taken the message or not.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for EventStream {
    fn send(&self, frames: &[u8]) {
        wire::sent(frames);
        let mut state = self.state();
        if state.has_ended {
            return;
        }
        for message in frames.split(|byte| *byte == b'\n').filter(|message| !message.is_empty()) {
            self.push(&mut state, message);
        }
        state.wake();
    }

    fn offer(&self, frames: &[u8]) -> bool {
        {
            let state = self.state();
            let has_room = state.waiting.len() < self.max_waiting_bytes;
            if !self.takes_events() || state.has_ended || !has_room || !self.is_heard(&state) {
                return false;
            }
        }
        self.send(frames);
        true
    }

    fn respond(&self, frame: Vec<u8>) {
        self.finish(frame, Head::Json);
    }

    fn refuse(&self, frame: Vec<u8>) {
        self.finish(frame, Head::Refusal);
    }

    #[cfg(feature = "ask")]
    fn takes_requests(&self) -> bool {
        self.takes_events()
    }

    fn give_up(&self) {
        self.end();
    }

    fn close_stream(&self, retry: Duration) -> bool {
        let can_go_on = self.takes_events() && self.track.as_ref().is_some_and(|track| track.is_primed);
        let mut state = self.state();
        if !can_go_on || state.has_ended || !state.has_reader {
            return false;
        }
        if state.is_events {
            write_retry(&mut state.waiting, Some(retry));
            state.waiting.push(b'\n');
        } else {
            self.begin(&mut state, Some(retry));
        }
        // What the reader has not taken yet it still gets.
        state.has_reader = false;
        state.wake();
        true
    }
}

impl State {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// Appends a message as an event. A message is one line.
fn write_event(out: &mut Vec<u8>, event: Option<EventId>, message: &[u8]) {
    if let Some(event) = event {
        out.extend_from_slice(format!("id: {event}\n").as_bytes());
    }
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(message);
    out.extend_from_slice(b"\n\n");
}

/// Appends when the client should come back.
fn write_retry(out: &mut Vec<u8>, retry: Option<Duration>) {
    if let Some(retry) = retry {
        out.extend_from_slice(format!("retry: {}\n", retry.as_millis()).as_bytes());
    }
}

/// The only one who reads a stream, until another goes on with it.
#[derive(Debug)]
pub(super) struct Reader {
    stream: Arc<EventStream>,
    reader: u64,
}

impl Reader {
    /// How the answer begins, if it is clear already.
    pub(super) fn head_now(&self) -> Option<Head> {
        match self.poll_head(&Context::from_waker(Waker::noop())) {
            Poll::Ready(head) => Some(head),
            Poll::Pending => None,
        }
    }

    /// Waits until it is clear how the answer begins.
    pub(super) async fn head(&self) -> Head {
        poll_fn(|cx| self.poll_head(cx)).await
    }

    fn poll_head(&self, cx: &Context<'_>) -> Poll<Head> {
        let mut state = self.stream.state();
        if let Some(answer) = state.answer.take() {
            return Poll::Ready(answer);
        }
        if state.is_events {
            return Poll::Ready(Head::Events);
        }
        if state.has_ended {
            return Poll::Ready(Head::Nothing);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// The next events, as many as there are; `None` at the end.
    fn poll_events(&self, cx: &Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.stream.state();
        if state.reader != self.reader {
            return Poll::Ready(None);
        }
        if !state.waiting.is_empty() {
            return Poll::Ready(Some(std::mem::take(&mut state.waiting).into()));
        }
        if state.has_ended || !state.has_reader {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    /// The client has gone, or has got everything.
    fn drop(&mut self) {
        let mut state = self.stream.state();
        if state.reader == self.reader {
            state.has_reader = false;
            state.waker = None;
            // What has changed is still news to whoever reads next.
            if self.stream.purpose != Purpose::Changes {
                state.waiting = Vec::new();
            }
        }
    }
}

/// A response body of events.
pub(super) struct EventBody {
    reader: Reader,
    /// Ends a silence.
    alarm: Pin<Box<Sleep>>,
    keep_alive: Duration,
    /// What ends with the stream.
    _kept: Box<dyn Send + Sync>,
}

impl std::fmt::Debug for EventBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventBody").field("reader", &self.reader).finish_non_exhaustive()
    }
}

impl EventBody {
    /// The events that the reader gets. What is `kept` is dropped with the body: at the end, or when the client goes.
    pub(super) fn new(reader: Reader, keep_alive: Duration, kept: impl Send + Sync + 'static) -> Self {
        Self { reader, alarm: Box::pin(tokio::time::sleep(keep_alive)), keep_alive, _kept: Box::new(kept) }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let poll = match self.reader.poll_events(cx) {
            Poll::Pending => self.alarm.as_mut().poll(cx).map(|()| Some(COMMENT)),
            ready @ Poll::Ready(_) => ready,
        };
        if poll.is_ready() {
            if let Some(next) = Instant::now().checked_add(self.keep_alive) {
                self.alarm.as_mut().reset(next);
            }
        }
        poll
    }
}
