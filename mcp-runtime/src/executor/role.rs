//! The reader role and the threads that hold it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use super::alarm::Alarm;
use super::handover::{self, Handover};
use super::reactor::Reactor;
use crate::call_state::CallState;
use crate::codec::{Frame, LineBuffer};
use crate::handler::Pace;
use crate::handler_call::HandlerCall;
use crate::limits::Limits;
use crate::reply;
use crate::run::Run;
use crate::session::Session;
use crate::slack::Slack;
use crate::threads;
use crate::transport::stdio::{Input, Output};
use crate::wire;

/// How many bytes of responses are collected before they are written, even if more input is at hand: so the client can read
/// while the rest is served.
const FLUSH_BYTES: usize = 4096;

/// The same where the client has no processor to read on meanwhile: it would take ours, and both would wait for each other.
const FLUSH_BYTES_OF_ONE: usize = 64 * 1024;

/// How long a wait for room lasts before it is looked whether the client is still there.
const PATIENCE: Duration = Duration::from_millis(100);

/// What only one thread at a time may have.
#[derive(Debug)]
pub(super) struct Role {
    input: Input,
    lines: LineBuffer,
    session: Session,
    /// Responses that are not written yet.
    out: Vec<u8>,
    slack: Slack,
    /// At how many of them they are written, once there have been so many that it matters.
    flush_bytes: Option<usize>,
}

/// What all threads share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) handover: Handover<Box<Role>, Arc<CallState>>,
    /// Wakes the watchdog.
    pub(super) alarm: Alarm,
    /// How reading ended.
    ended: Mutex<Option<io::Result<()>>>,
    /// Counts the beginnings and the ends of reads, so that the watchdog can see when polls keep the reader from reading.
    /// Odd while a read is under way.
    pub(super) reads: AtomicU64,
    /// Whether nothing more is to be served. Sequentially consistent, like the count of reads: a reader counts and then
    /// looks here, before and after each read; the watchdog stores here and then looks at the count. So one of the two sees
    /// the other, and a read that is seen under way is served no more.
    pub(super) is_stopping: AtomicBool,
    /// Whether polls keep the reader from reading: further calls are then polled elsewhere until it has caught up.
    pub(super) is_behind: AtomicBool,
    /// How many bytes of arguments the call has that was polled last.
    pub(super) argument_bytes: AtomicUsize,
    output: Arc<Output>,
    run: Run,
    pub(super) reactor: Arc<Reactor>,
    max_output_bytes: usize,
    grace: Duration,
}

impl Shared {
    pub(super) fn new(output: Arc<Output>, run: Run, reactor: Arc<Reactor>, limits: &Limits, alarm: Alarm) -> Self {
        Self {
            handover: Handover::new(),
            alarm,
            ended: Mutex::new(None),
            reads: AtomicU64::new(0),
            is_stopping: AtomicBool::new(false),
            is_behind: AtomicBool::new(false),
            argument_bytes: AtomicUsize::new(0),
            output,
            run,
            reactor,
            max_output_bytes: limits.max_output_bytes,
            grace: limits.shutdown_grace,
        }
    }

    /// Lays the role down for the length of a poll.
    fn lay_down(&self, role: Box<Role>, call: &HandlerCall) -> handover::Poll {
        self.argument_bytes.store(call.arguments().len(), Ordering::Relaxed);
        let (poll, watchdog_sleeps) = self.handover.lay_down(role, Arc::clone(call.state()));
        if watchdog_sleeps {
            self.alarm.ring();
        }
        poll
    }

    /// Takes the role from under a poll that takes too long. From here on the polled call is in the table, like every
    /// call that is not answered at once.
    pub(super) fn take_away(&self, poll: handover::Poll) -> Option<Box<Role>> {
        self.handover.take_away(poll, |state| self.run.calls.enter(&state))
    }

    /// Says that there is nothing more to read.
    fn end(&self, result: io::Result<()>) {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.alarm.ring();
    }

    /// How reading ended, if it has.
    pub(super) fn ended(&self) -> Option<io::Result<()>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether a read is under way.
    pub(super) fn is_reading(&self) -> bool {
        self.reads.load(Ordering::SeqCst) % 2 == 1
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }
}

/// Ends the server if the thread that holds the role panics, which only a fault of ours can do: better than to hang.
struct EndOnPanic<'s>(&'s Shared);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Err(io::Error::other("reading has panicked")));
        }
    }
}

/// Gives the role to a thread of its own.
///
/// # Errors
/// If no thread can be started; the role is lost then, so this is for the beginning only.
pub(super) fn hand_over(shared: &Arc<Shared>, role: Box<Role>) -> io::Result<()> {
    let shared = Arc::clone(shared);
    threads::start("mcp-reader", move || lead(&shared, role))
}

/// Holds the role: reads, answers, and polls calls, until the input ends or the role is lost.
pub(super) fn lead(shared: &Shared, mut role: Box<Role>) {
    let _guard = EndOnPanic(shared);
    // Entered with the first call, since the runtime is built by then, and for good: to enter it for each call takes longer than
    // some calls do.
    let mut context = None;
    loop {
        let call = match role.session.next_batched() {
            Some(call) => Some(call),
            None => match role.next_call(shared) {
                Ok(call) => call,
                Err(ended) => return end(shared, role, ended),
            },
        };
        if let Some(call) = call.and_then(|call| shared.run.calls.admit(call)) {
            context.get_or_insert_with(|| shared.reactor.enter());
            let Some(kept) = serve(shared, role, call) else { return };
            role = kept;
        }
        if role.is_full() {
            role.flush(shared);
            if !role.wait_for_reader(shared) {
                return end(shared, role, Ok(()));
            }
        }
    }
}

/// Ends the reading. What the role holds goes first, so that whoever waits for the end is the last to hold the server.
fn end(shared: &Shared, role: Box<Role>, result: io::Result<()>) {
    drop(role);
    shared.end(result);
}

impl Role {
    pub(super) fn new(input: Input, lines: LineBuffer, session: Session) -> Box<Self> {
        Box::new(Self { input, lines, session, out: Vec::new(), slack: Slack::default(), flush_bytes: None })
    }

    /// Whether enough is collected to be written. How many processors there are stands in files, so it is looked up late.
    fn is_full(&mut self) -> bool {
        if self.out.len() < FLUSH_BYTES {
            return false;
        }
        let flush_bytes = self.flush_bytes.get_or_insert_with(|| match std::thread::available_parallelism() {
            Ok(processors) if processors.get() == 1 => FLUSH_BYTES_OF_ONE,
            _ => FLUSH_BYTES,
        });
        self.out.len() >= *flush_bytes
    }

    /// Serves the next line, or reads more. Returns the call that the line asks for, if it does.
    ///
    /// # Errors
    /// How reading has ended, which may be as it should.
    fn next_call(&mut self, shared: &Shared) -> Result<Option<HandlerCall>, io::Result<()>> {
        match self.lines.next() {
            Frame::Line(line) => {
                wire::received(line);
                let call = self.session.receive(line, &mut self.out);
                if self.session.take_just_opened() {
                    self.flush(shared);
                }
                Ok(call)
            }
            Frame::TooLong => {
                reply::write_too_long(&mut self.out, self.lines.max_line_bytes());
                Ok(None)
            }
            Frame::Incomplete => match self.read_more(shared) {
                Ok(true) => Ok(None),
                ended => Err(ended.map(drop)),
            },
        }
    }

    /// Writes what is ready, and reads once there is room for what it may bring. Returns whether there is more to come.
    fn read_more(&mut self, shared: &Shared) -> io::Result<bool> {
        self.flush(shared);
        if !self.wait_for_reader(shared) || !self.wait_for_calls(shared) {
            return Ok(false);
        }
        shared.is_behind.store(false, Ordering::Relaxed);
        shared.reads.fetch_add(1, Ordering::SeqCst);
        let count = if shared.is_stopping() { Ok(0) } else { self.input.read(self.lines.space()) };
        // Counted first: whoever has seen the read under way has asked to stop before, which is seen here.
        shared.reads.fetch_add(1, Ordering::SeqCst);
        if shared.is_stopping() {
            return Ok(false);
        }
        let count = count?;
        self.lines.filled(count);
        if count == 0 {
            self.serve_last(shared);
        }
        Ok(count > 0)
    }

    /// Waits until the client has read enough of the output. Returns whether it may still read more.
    fn wait_for_reader(&self, shared: &Shared) -> bool {
        let output = &shared.output;
        self.wait(shared, |patience| output.wait_below(shared.max_output_bytes, patience)) && !output.is_broken()
    }

    /// Waits until enough of the calls that wait have run, or until one of those that run waits for an answer.
    fn wait_for_calls(&self, shared: &Shared) -> bool {
        self.wait(shared, |patience| self.session.awaits_answers() || shared.run.calls.wait_for_room(patience))
    }

    /// Waits for room, for ever if it has to be: but once the client has closed its end, nothing it could say would make
    /// any, and the grace time is all that is left.
    fn wait(&self, shared: &Shared, has_room: impl Fn(Duration) -> bool) -> bool {
        let mut deadline = None;
        while !has_room(PATIENCE) {
            if shared.is_stopping() {
                return false;
            }
            if self.input.is_closed() {
                let now = Instant::now();
                let deadline = deadline.get_or_insert_with(|| now.checked_add(shared.grace));
                if deadline.is_some_and(|deadline| now >= deadline) {
                    return false;
                }
            }
        }
        true
    }

    /// At the end of input, serves a last line that has no newline.
    fn serve_last(&mut self, shared: &Shared) {
        if let Frame::Line(line) = self.lines.last() {
            wire::received(line);
            let first = self.session.receive(line, &mut self.out);
            // Nothing is read after it, so none need be polled here.
            shared.run.begin_all(first, &mut self.session);
        }
        self.flush(shared);
    }

    pub(super) fn flush(&mut self, shared: &Shared) {
        let used = self.out.len();
        shared.output.send_all(&mut self.out);
        self.slack.settle(&mut self.out, used);
    }
}

/// Serves a call that may run now; returns the role if this thread still holds it.
fn serve(shared: &Shared, mut role: Box<Role>, call: HandlerCall) -> Option<Box<Role>> {
    // Whatever was answered elsewhere counts too. That the client has gone is found when there is nothing left to read.
    if shared.output.is_over(shared.max_output_bytes) {
        role.flush(shared);
        role.wait_for_reader(shared);
    }
    if call.pace() == Pace::Blocking || shared.is_behind.load(Ordering::Relaxed) {
        role.flush(shared);
        shared.run.begin(call);
        return Some(role);
    }
    poll_in_place(shared, role, call)
}

/// Polls a call with the role laid down, in the context of the runtime.
fn poll_in_place(shared: &Shared, role: Box<Role>, mut call: HandlerCall) -> Option<Box<Role>> {
    let laid_down = shared.lay_down(role, &call);
    let poll = call.poll(&mut Context::from_waker(Waker::noop()));
    let role = shared.handover.take_up(laid_down);
    match (role, poll) {
        (Some(mut role), Poll::Ready(outcome)) => {
            call.write(&outcome, &mut role.out);
            Some(role)
        }
        (Some(role), Poll::Pending) => {
            shared.run.begin(call);
            Some(role)
        }
        // Whoever has taken the role has entered the call.
        (None, Poll::Ready(outcome)) => {
            shared.run.ended(call, Some(outcome));
            None
        }
        (None, Poll::Pending) => {
            shared.run.go_on(call);
            None
        }
    }
}
