//! The reader role and the threads that hold it.

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::Thread;

use super::handover::{self, Handover};
use super::reactor::Reactor;
use crate::calls::{Admission, PendingCall, Run};
use crate::codec::{Frame, LineBuffer};
use crate::context::CallState;
use crate::jsonrpc::RequestId;
use crate::outlet::Outlet as _;
use crate::reply;
use crate::session::Session;
use crate::transport::stdio::{Input, Output};
use crate::wire;

/// How many bytes of responses are collected before they are written, even if more input is at hand.
const FLUSH_BYTES: usize = 4096;

/// What only one thread at a time may have.
#[derive(Debug)]
pub(super) struct Role {
    pub(super) input: Input,
    pub(super) lines: LineBuffer,
    pub(super) session: Session,
    /// Responses that are not written yet.
    pub(super) out: Vec<u8>,
    pub(super) max_line_bytes: usize,
}

/// What all threads share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) handover: Handover<Box<Role>, Polled>,
    pub(super) watchdog: OnceLock<Thread>,
    /// How reading ended.
    pub(super) ended: Mutex<Option<io::Result<()>>>,
    output: Arc<Output>,
    run: Run,
    reactor: Arc<Reactor>,
    max_output_bytes: usize,
}

/// A call that is being polled for the first time, for the one who takes the role to enter it into the table.
#[derive(Debug)]
pub(super) struct Polled {
    id: RequestId,
    serial: u64,
    state: Option<Arc<CallState>>,
}

impl Shared {
    pub(super) fn new(output: Arc<Output>, run: Run, reactor: Arc<Reactor>, max_output_bytes: usize) -> Self {
        Self {
            handover: Handover::new(),
            watchdog: OnceLock::new(),
            ended: Mutex::new(None),
            output,
            run,
            reactor,
            max_output_bytes,
        }
    }

    /// Lays the role down for the length of a poll.
    fn lay_down(&self, role: Box<Role>, call: &PendingCall) -> handover::Poll {
        let polled = Polled { id: call.origin.id.clone(), serial: call.serial, state: call.state.clone() };
        let (poll, watchdog_sleeps) = self.handover.lay_down(role, polled);
        if watchdog_sleeps {
            self.wake_watchdog();
        }
        poll
    }

    /// Takes the role from under a poll that takes too long. From here on the polled call is in the table, like every
    /// call that is not answered at once.
    pub(super) fn take_away(&self) -> Option<Box<Role>> {
        self.handover.take_away(|Polled { id, serial, state }| self.run.calls.enter(id, serial, state))
    }

    /// Says that there is nothing more to read.
    fn end(&self, result: io::Result<()>) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.wake_watchdog();
    }

    fn wake_watchdog(&self) {
        if let Some(watchdog) = self.watchdog.get() {
            watchdog.unpark();
        }
    }
}

/// Gives the role to a thread of its own.
///
/// # Errors
/// If no thread can be started; the role is lost then, so this is for the beginning only.
pub(super) fn hand_over(shared: &Arc<Shared>, role: Box<Role>) -> io::Result<()> {
    let shared = Arc::clone(shared);
    std::thread::Builder::new().name("mcp-reader".into()).spawn(move || lead(&shared, role))?;
    Ok(())
}

/// Holds the role: reads, answers, and polls calls, until the input ends or the role is lost.
pub(super) fn lead(shared: &Shared, mut role: Box<Role>) {
    loop {
        let call = match role.lines.next() {
            Frame::Line(line) => {
                wire::received(line);
                role.session.receive(line, &mut role.out)
            }
            Frame::TooLong => {
                reply::write_too_long(&mut role.out, role.max_line_bytes);
                None
            }
            Frame::Incomplete => match role.read_more(shared) {
                Ok(true) => None,
                ended => return shared.end(ended.map(drop)),
            },
        };
        if let Some(call) = call {
            let Some(kept) = serve(shared, role, call) else { return };
            role = kept;
        }
        if role.out.len() >= FLUSH_BYTES {
            role.flush(shared);
        }
    }
}

impl Role {
    /// Writes what is ready, and reads once there is room for what it may bring. Returns whether there is more to come.
    fn read_more(&mut self, shared: &Shared) -> io::Result<bool> {
        self.flush(shared);
        if !shared.output.wait_below(shared.max_output_bytes) {
            return Ok(false);
        }
        shared.run.calls.wait_for_room();
        let count = self.input.read(self.lines.space())?;
        self.lines.filled(count);
        if count == 0 {
            self.serve_last(shared);
        }
        Ok(count > 0)
    }

    /// At the end of input, serves a last line that has no newline.
    fn serve_last(&mut self, shared: &Shared) {
        if let Frame::Line(line) = self.lines.last() {
            wire::received(line);
            if let Some(call) = self.session.receive(line, &mut self.out) {
                // Nothing is read after it, so it need not be polled here.
                match shared.run.calls.admit(call) {
                    Admission::Now(call) => shared.run.later(call, false),
                    Admission::Waits => {}
                    Admission::Duplicate(call) => {
                        reply::write_duplicate(&mut self.out, &call.origin.id);
                        call.discard();
                    }
                }
            }
        }
        self.flush(shared);
    }

    fn flush(&mut self, shared: &Shared) {
        shared.output.send(&self.out);
        self.out.clear();
        // A rare huge response does not keep its memory.
        self.out.shrink_to(16 * FLUSH_BYTES);
    }
}

/// Serves a call; returns the role if this thread still holds it.
fn serve(shared: &Shared, mut role: Box<Role>, call: PendingCall) -> Option<Box<Role>> {
    match shared.run.calls.admit(call) {
        Admission::Now(call) => poll_in_place(shared, role, call),
        Admission::Waits => Some(role),
        Admission::Duplicate(call) => {
            reply::write_duplicate(&mut role.out, &call.origin.id);
            call.discard();
            Some(role)
        }
    }
}

/// Polls a call with the role laid down.
fn poll_in_place(shared: &Shared, role: Box<Role>, mut call: PendingCall) -> Option<Box<Role>> {
    let laid_down = shared.lay_down(role, &call);
    let poll = {
        let _context = shared.reactor.enter();
        call.poll(&mut Context::from_waker(Waker::noop()))
    };
    match (shared.handover.take_up(laid_down), poll) {
        (Some(mut role), Poll::Ready(outcome)) => {
            call.write(&outcome, &mut role.out);
            call.discard();
            Some(role)
        }
        (Some(role), Poll::Pending) => {
            shared.run.later(call, false);
            Some(role)
        }
        (None, Poll::Ready(outcome)) => {
            shared.run.ended(call, Some(outcome));
            None
        }
        (None, Poll::Pending) => {
            shared.run.later(call, true);
            None
        }
    }
}
