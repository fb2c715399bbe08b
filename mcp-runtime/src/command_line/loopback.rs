//! The connection of the command line to the server of its own program.
//!
//! What the client writes is served at once, and every call runs on the threads to which those go on that wait where the program
//! serves stdin and stdout: a tool that is tried from a terminal finds what it will find there.

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::calls::Calls;
use crate::client::Client;
use crate::codec::{Frame, LineBuffer};
use crate::executor::reactor::Reactor;
use crate::executor::workers::Workers;
use crate::handle::ServerHandle;
use crate::outlet::Outlet;
use crate::protocol::Revision;
use crate::reply;
use crate::run::Run;
use crate::session::Session;
use crate::wire;

/// Connects a client, which is not opened yet.
pub(super) fn connect(server: &ServerHandle, reactor: &Arc<Reactor>, revision: Revision) -> Client {
    let limits = server.limits();
    let frames = Arc::new(Frames { max_bytes: limits.max_output_bytes, state: Mutex::default() });
    let calls = Arc::new(Calls::new(limits.max_calls_in_flight, limits.max_waiting_bytes));
    let outlet: Arc<dyn Outlet> = Arc::clone(&frames) as Arc<dyn Outlet>;
    let session = Session::new(Arc::clone(server.dispatch()), Arc::clone(&calls), outlet, limits);
    let run = Run { calls, spawner: Workers::new(limits.max_worker_threads, Arc::clone(reactor)) };
    let lines = LineBuffer::new(limits.max_line_bytes);
    let requests = Requests { lines, session, run, frames: Arc::clone(&frames), grace: limits.shutdown_grace };
    Client::new((Answers(frames), requests), revision)
}

/// Where the client writes to: the server.
struct Requests {
    lines: LineBuffer,
    session: Session,
    run: Run,
    frames: Arc<Frames>,
    grace: Duration,
}

impl Requests {
    fn serve(&mut self) {
        loop {
            let mut out = Vec::new();
            let first = match self.lines.next() {
                Frame::Line(line) => {
                    wire::received(line);
                    self.session.receive(line, &mut out)
                }
                Frame::TooLong => {
                    reply::write_too_long(&mut out, self.lines.max_line_bytes());
                    None
                }
                Frame::Incomplete => return,
            };
            self.frames.send(&out);
            self.run.begin_all(first, &mut self.session);
        }
    }
}

impl AsyncWrite for Requests {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let requests = self.get_mut();
        let count = requests.lines.space().write(bytes)?;
        requests.lines.filled(count);
        requests.serve();
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Drop for Requests {
    /// What was answered may still be dropped on another thread, with the last hold of the server's states.
    fn drop(&mut self) {
        self.run.calls.cancel_all();
        self.run.calls.wait_idle(self.grace);
    }
}

/// Where the client reads from.
struct Answers(Arc<Frames>);

impl AsyncRead for Answers {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut state = self.0.state();
        if state.bytes.is_empty() {
            state.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let count = state.bytes.read(into.initialize_unfilled())?;
        into.advance(count);
        Poll::Ready(Ok(()))
    }
}

/// Frames on their way to the client.
#[derive(Debug)]
struct Frames {
    /// How many bytes may wait before what may be lost is.
    max_bytes: usize,
    state: Mutex<FramesState>,
}

#[derive(Debug, Default)]
struct FramesState {
    bytes: VecDeque<u8>,
    reader: Option<Waker>,
}

impl Frames {
    /// Nothing panics under the lock.
    fn state(&self) -> MutexGuard<'_, FramesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Frames {
    fn send(&self, frames: &[u8]) {
        if frames.is_empty() {
            return;
        }
        wire::sent(frames);
        let mut state = self.state();
        state.bytes.extend(frames);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    fn offer(&self, frames: &[u8]) -> bool {
        let has_room = self.state().bytes.len() < self.max_bytes;
        if has_room {
            self.send(frames);
        }
        has_room
    }
}
