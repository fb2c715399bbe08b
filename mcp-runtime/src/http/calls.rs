//! Running the calls that come over HTTP, on the tasks of the runtime, so many at a time.
//!
//! A call is polled once where it came in, which is all that most need; then it is a task. A plain `fn` runs on the
//! blocking pool. A call that has begun keeps its place to its end: others may wait for what it holds.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{Instrument as _, Span};

use super::session::InUse;
use crate::call_state::CallState;
use crate::handler::Pace;
use crate::handler_call::HandlerCall;
use crate::result::Outcome;
use crate::run::block_on;

/// What a client is told that comes with too many others.
pub(super) const BUSY: &str = "too many calls are running already";

/// Runs calls, so many at a time.
#[derive(Debug, Clone)]
pub(super) struct CallRunner {
    places: Arc<Semaphore>,
    /// How many places there are.
    max_calls: u32,
    /// How many bytes of calls wait for a place.
    waiting_bytes: Arc<AtomicUsize>,
    max_waiting_bytes: usize,
}

/// What lets a call run, now or later.
#[derive(Debug)]
pub(super) enum Ticket {
    /// A place, which the call has to its end.
    Place(Place),
    /// It has to wait for one.
    Wait { places: Places, waiting: WaitingBytes },
}

/// A place among all calls, and one among those of the session.
#[derive(Debug)]
pub(super) struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_session: Option<OwnedSemaphorePermit>,
}

/// Where a call needs a place.
#[derive(Debug)]
pub(super) struct Places {
    all: Arc<Semaphore>,
    session: Option<Arc<Semaphore>>,
}

impl Places {
    /// A place, if there is one now.
    fn try_take(&self) -> Option<Place> {
        let of_session = match &self.session {
            Some(places) => Some(Arc::clone(places).try_acquire_owned().ok()?),
            None => None,
        };
        let of_all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(Place { _of_all: of_all, _of_session: of_session })
    }

    /// Waits for a place. Those of the session first, so that one session with many calls takes none from others while it
    /// waits for itself. Places are never closed.
    async fn take(self) -> Option<Place> {
        let of_session = match self.session {
            Some(places) => Some(places.acquire_owned().await.ok()?),
            None => None,
        };
        let of_all = self.all.acquire_owned().await.ok()?;
        Some(Place { _of_all: of_all, _of_session: of_session })
    }
}

/// So many bytes wait, until it is dropped.
#[derive(Debug)]
pub(super) struct WaitingBytes {
    all: Arc<AtomicUsize>,
    own: usize,
}

impl Drop for WaitingBytes {
    fn drop(&mut self) {
        self.all.fetch_sub(self.own, Ordering::Relaxed);
    }
}

/// Who has to know of the end of a call.
pub(super) enum Owner {
    /// The session whose table it is in, and which is in use as long as one of its calls waits or runs.
    Session(InUse),
    /// Nobody but the one who waits for its answer.
    Nobody,
}

impl Owner {
    /// Sends the response, unless the call was cancelled.
    fn ended(self, call: HandlerCall, outcome: Option<Outcome>) {
        match self {
            // No call waits in the table of a session: each waits for a place before it runs.
            Self::Session(session) => drop(session.calls().end(call, outcome)),
            Self::Nobody => {
                if let Some(outcome) = outcome.filter(|_| !call.state().is_cancelled()) {
                    call.respond(&outcome);
                }
                call.discard();
            }
        }
    }
}

impl CallRunner {
    pub(super) fn new(max_calls: usize, max_waiting_bytes: usize) -> Self {
        let max_calls = u32::try_from(max_calls.clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self {
            places: Arc::new(Semaphore::new(max_calls as usize)),
            max_calls,
            waiting_bytes: Arc::default(),
            max_waiting_bytes,
        }
    }

    /// Waits until no call runs.
    pub(super) async fn idle(&self) {
        // The places are never closed.
        let _ = self.places.acquire_many(self.max_calls).await;
    }

    /// A ticket for a call, which also needs one of the places of its session if it has one; `None` if too much waits
    /// already.
    pub(super) fn admit(&self, call: &HandlerCall, session: Option<&Arc<Semaphore>>) -> Option<Ticket> {
        let places = Places { all: Arc::clone(&self.places), session: session.cloned() };
        if let Some(place) = places.try_take() {
            return Some(Ticket::Place(place));
        }
        let own = call.waiting_bytes();
        let before = self.waiting_bytes.fetch_add(own, Ordering::Relaxed);
        let waiting = WaitingBytes { all: Arc::clone(&self.waiting_bytes), own };
        (before < self.max_waiting_bytes.max(1)).then_some(Ticket::Wait { places, waiting })
    }
}

/// Runs a call. The response goes where the call says. It may be polled here if it `may_begin_here`.
pub(super) fn run(call: HandlerCall, ticket: Ticket, owner: Owner, may_begin_here: bool) {
    match ticket {
        Ticket::Place(place) => start(call, place, owner, may_begin_here),
        Ticket::Wait { places, waiting } => {
            let state = Arc::clone(call.state());
            let task = async move {
                let place = place_for(&state, places).await;
                drop(waiting);
                match place {
                    Some(place) => start(call, place, owner, false),
                    None => owner.ended(call, None),
                }
            };
            drop(tokio::spawn(task.instrument(Span::current())));
        }
    }
}

/// Waits for a place; `None` if the call is cancelled before there is one.
async fn place_for(call: &CallState, places: Places) -> Option<Place> {
    let (mut place, mut cancelled) = (pin!(places.take()), pin!(call.cancelled()));
    poll_fn(|cx| {
        if cancelled.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        place.as_mut().poll(cx)
    })
    .await
}

/// Runs a call that has a place.
fn start(mut call: HandlerCall, place: Place, owner: Owner, may_begin_here: bool) {
    let is_async = call.pace() == Pace::Async;
    if is_async && may_begin_here {
        // Whoever goes on with it polls at once, so nothing that happens in between is missed.
        if let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) {
            drop(place);
            return owner.ended(call, Some(outcome));
        }
    }
    let run = async move {
        let outcome = call.run().await;
        drop(place);
        owner.ended(call, outcome);
    };
    // What the layers in front of the server say of the request holds for its call.
    let run = run.instrument(Span::current());
    if is_async {
        drop(tokio::spawn(run));
    } else {
        drop(tokio::task::spawn_blocking(|| block_on(run)));
    }
}

/// Cancels a call that nobody waits for any more. One that has ended is not touched by it.
#[derive(Debug)]
pub(super) struct CancelOnDrop(pub(super) Arc<CallState>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
