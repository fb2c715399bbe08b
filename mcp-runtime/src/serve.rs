//! Serving a [`Transport`](crate::transport::Transport) with the tasks of the user's own runtime.
//!
//! A plain `fn` tool runs on the runtime's blocking pool. An `async` tool is a task: one that blocks its thread delays
//! whatever the runtime would have run there.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::calls::Calls;
use crate::codec::{Frame, LineBuffer};
use crate::dispatch::Dispatch;
use crate::handler::Pace;
use crate::handler_call::HandlerCall;
use crate::limits::{DRAIN_GRACE, Limits};
use crate::outlet::Outlet;
use crate::reply;
use crate::run::{Run, Spawn};
use crate::session::Session;
use crate::transport::{BoxedReader, BoxedWriter};
use crate::wire;

/// How many bytes of responses are collected before they are passed on, even if more input is at hand.
const FLUSH_BYTES: usize = 64 * 1024;

/// How long a wait for room lasts before it is looked whether a call waits for an answer.
const PATIENCE: Duration = Duration::from_millis(100);

/// Serves one connection until its input ends, then lets the calls in flight end.
pub(crate) async fn serve(
    dispatch: Arc<Dispatch>,
    limits: Limits,
    reader: BoxedReader,
    writer: BoxedWriter,
) -> io::Result<()> {
    let queue = Arc::new(Queue::new(limits.max_output_bytes));
    let calls = CancelOnDrop(Arc::new(Calls::new(limits.max_calls_in_flight, limits.max_waiting_bytes)));
    let writing = AbortOnDrop(tokio::spawn(write(Arc::clone(&queue), writer)));
    let outlet: Arc<dyn Outlet> = Arc::clone(&queue) as Arc<dyn Outlet>;
    let session = Session::new(dispatch, Arc::clone(&calls.0), outlet, &limits);
    let subscriber = Arc::clone(session.subscriber());
    let run = Run { calls: Arc::clone(&calls.0), spawner: Arc::new(Tasks) };

    let read = read(reader, session, &run, &queue, &limits).await;
    let deadline = Instant::now().checked_add(limits.shutdown_grace);
    calls.0.wait_until(Calls::is_empty, deadline).await;
    calls.0.cancel_all();
    subscriber.end();
    queue.close();
    read.and(drain(&queue, writing, deadline).await)
}

/// Lets everything be written. A client that reads no more does not keep the connection open beyond the deadline; one that
/// goes on reading does.
async fn drain(queue: &Queue, mut writing: AbortOnDrop, deadline: Option<Instant>) -> io::Result<()> {
    let (mut until, mut left) = (deadline, usize::MAX);
    while let Some(instant) = until {
        if let Ok(ended) = tokio::time::timeout_at(instant.into(), writing.ended()).await {
            return ended;
        }
        let now = queue.len();
        if now >= left {
            return Ok(());
        }
        (left, until) = (now, Instant::now().checked_add(DRAIN_GRACE));
    }
    writing.ended().await
}

/// Reads and answers until the input ends, or until nobody reads the answers any more.
async fn read(
    mut reader: BoxedReader,
    mut session: Session,
    run: &Run,
    queue: &Queue,
    limits: &Limits,
) -> io::Result<()> {
    let mut lines = LineBuffer::new(limits.max_line_bytes);
    let mut out = Vec::new();
    loop {
        let count = reader.read(lines.space()).await?;
        lines.filled(count);
        loop {
            let frame = lines.next();
            let frame = if frame == Frame::Incomplete && count == 0 { lines.last() } else { frame };
            match frame {
                Frame::Line(line) => {
                    wire::received(line);
                    let first = session.receive(line, &mut out);
                    if session.take_just_opened() {
                        queue.send(&out);
                        out.clear();
                    }
                    run.begin_all(first, &mut session);
                }
                Frame::TooLong => reply::write_too_long(&mut out, lines.max_line_bytes()),
                Frame::Incomplete => break,
            }
            if out.len() >= FLUSH_BYTES {
                queue.send(&out);
                out.clear();
                if !queue.wait_below(limits.max_output_bytes).await {
                    return Ok(());
                }
            }
        }
        queue.send(&out);
        out.clear();
        if count == 0 || !queue.wait_below(limits.max_output_bytes).await {
            return Ok(());
        }
        wait_for_room(&run.calls, &mut session).await;
    }
}

/// Waits until enough of the calls that wait have run, or until one of those that run waits for an answer.
async fn wait_for_room(calls: &Calls, session: &mut Session) {
    while !calls.has_room() && !session.awaits_answers() {
        if tokio::time::timeout(PATIENCE, calls.wait_until(Calls::has_room, None)).await.is_ok() {
            return;
        }
    }
}

/// Calls as tasks of the current runtime.
#[derive(Debug)]
struct Tasks;

impl Spawn for Tasks {
    fn spawn(&self, call: HandlerCall, run: Run) {
        // The table of calls owns it: whoever wants a call to end asks there.
        match call.pace() {
            Pace::Async => drop(tokio::spawn(run.finish(call))),
            Pace::Sync | Pace::Blocking => drop(tokio::task::spawn_blocking(move || run.finish_blocking(call))),
        }
    }
}

/// Frames on their way to the task that writes them.
#[derive(Debug)]
struct Queue {
    /// How many bytes may wait before what may be lost is.
    max_bytes: usize,
    state: Mutex<QueueState>,
    /// Told at each change.
    changed: Notify,
}

#[derive(Debug, Default)]
struct QueueState {
    bytes: Vec<u8>,
    /// How many bytes the writer has in hand.
    writing: usize,
    /// Nothing more will come; the writer ends when the queue is empty.
    closed: bool,
    /// Nobody reads any more; all further output is dropped.
    broken: bool,
}

impl Queue {
    fn new(max_bytes: usize) -> Self {
        Self { max_bytes, state: Mutex::default(), changed: Notify::new() }
    }

    /// Waits until `ready` gives something.
    async fn wait<T>(&self, mut ready: impl FnMut(&mut QueueState) -> Option<T>) -> T {
        loop {
            // The future exists before the state is looked at, so a change between the two is not missed.
            let changed = self.changed.notified();
            let found = ready(&mut self.state());
            match found {
                Some(found) => return found,
                None => changed.await,
            }
        }
    }

    /// Waits until fewer than `bytes` wait to be written. Returns whether the client still reads.
    async fn wait_below(&self, bytes: usize) -> bool {
        self.wait(|state| (state.broken || state.bytes.len() + state.writing < bytes.max(1)).then_some(!state.broken))
            .await
    }

    /// The next bytes to write; `None` when there will be no more.
    async fn next(&self) -> Option<Vec<u8>> {
        self.wait(|state| {
            let bytes = std::mem::take(&mut state.bytes);
            state.writing = bytes.len();
            if bytes.is_empty() { state.closed.then_some(None) } else { Some(Some(bytes)) }
        })
        .await
    }

    /// So much of what was taken is written.
    fn wrote(&self, count: usize) {
        let mut state = self.state();
        state.writing = state.writing.saturating_sub(count);
        drop(state);
        self.changed.notify_waiters();
    }

    /// How many bytes wait to be written.
    fn len(&self) -> usize {
        let state = self.state();
        state.bytes.len() + state.writing
    }

    fn close(&self) {
        self.state().closed = true;
        self.changed.notify_waiters();
    }

    fn broke(&self) {
        let mut state = self.state();
        state.broken = true;
        state.bytes = Vec::new();
        drop(state);
        self.changed.notify_waiters();
    }

    /// Nothing panics under the lock.
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Queue {
    fn send(&self, frames: &[u8]) {
        if frames.is_empty() {
            return;
        }
        wire::sent(frames);
        let mut state = self.state();
        if !state.broken {
            state.bytes.extend_from_slice(frames);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    fn offer(&self, frames: &[u8]) -> bool {
        let has_room = self.len() < self.max_bytes;
        if has_room {
            self.send(frames);
            // What is offered comes from within a poll, which may take its time.
            release_woken();
        }
        has_room
    }
}

/// Lets any worker of the runtime run the task that was woken last.
///
/// tokio keeps it for the worker that runs now, until the task there yields: a tool that reports progress and then blocks
/// its thread would hold up the writer, and with it all other responses. A further task takes that place, and has nothing
/// else to do.
fn release_woken() {
    if let Ok(runtime) = Handle::try_current() {
        if runtime.runtime_flavor() != RuntimeFlavor::CurrentThread {
            drop(runtime.spawn(async {}));
        }
    }
}

/// The only writer of a connection.
async fn write(queue: Arc<Queue>, mut writer: BoxedWriter) -> io::Result<()> {
    while let Some(bytes) = queue.next().await {
        // In pieces, so that it can be seen whether the client reads.
        for piece in bytes.chunks(FLUSH_BYTES) {
            let written = match writer.write_all(piece).await {
                Ok(()) => writer.flush().await,
                Err(error) => Err(error),
            };
            if let Err(error) = written {
                queue.broke();
                return Err(error);
            }
            queue.wrote(piece.len());
        }
    }
    // Some clients wait for the end of the stream; that they are gone already is no error.
    let _ = writer.shutdown().await;
    Ok(())
}

/// A task that does not outlive the one who waits for it.
struct AbortOnDrop(JoinHandle<io::Result<()>>);

impl AbortOnDrop {
    async fn ended(&mut self) -> io::Result<()> {
        (&mut self.0).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Calls that do not outlive their connection.
struct CancelOnDrop(Arc<Calls>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel_all();
    }
}
