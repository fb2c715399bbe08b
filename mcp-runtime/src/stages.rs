//! The stages of a call, each by itself, for the benchmarks in `benches/`; nothing of it is for direct use, and any of it may
//! change in any release.
//!
//! What can be measured from outside is measured there. This is for what only happens together otherwise: to read a message,
//! to take the arguments, to write the result. They are what a reader does that polls a call where it comes in, without the
//! bytes coming from anywhere and going anywhere.

use std::hint::black_box;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::calls::Calls;
use crate::dispatch::Dispatch;
use crate::handle::ServerHandle;
use crate::handler_call::HandlerCall;
use crate::jsonrpc::{self, Message};
use crate::outlet::Outlet;
use crate::protocol::meta::RequestParams;
use crate::reply;
use crate::result::Outcome;
use crate::session::Session;
use crate::target::Target;
use crate::tool::Registered;

/// Reads a line as a message. Returns whether it is a request.
#[must_use]
pub fn decode(line: &[u8]) -> bool {
    let mut found = None;
    let message = jsonrpc::decode_with(line, |walk| RequestParams::walk(&mut found, walk));
    black_box(found);
    matches!(black_box(message), Message::Request { .. })
}

/// A connection without a transport.
#[derive(Debug)]
pub struct Connection {
    dispatch: Arc<Dispatch>,
    calls: Arc<Calls>,
    session: Session,
}

impl Connection {
    /// Connects to a server.
    #[must_use]
    pub fn open(server: &ServerHandle) -> Self {
        let (dispatch, limits) = (Arc::clone(server.dispatch()), server.limits());
        let calls = Arc::new(Calls::new(limits.max_calls_in_flight, limits.max_waiting_bytes));
        let session = Session::new(Arc::clone(&dispatch), Arc::clone(&calls), Arc::new(Nowhere), limits);
        Self { dispatch, calls, session }
    }

    /// Serves a line to its end: appends what it is answered with, if the handler does not wait for anything.
    pub fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let call = self.session.receive(line, out).and_then(|call| self.calls.admit(call));
        let Some(mut call) = call else { return };
        if let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) {
            call.write(&outcome, out);
        }
    }

    /// Receives a line that calls the tool with that name; `None` if it does not.
    pub fn receive(&mut self, tool: &str, line: &[u8]) -> Option<Received> {
        let call = self.session.receive(line, &mut Vec::new())?;
        let tool = self.dispatch.sets.tools.read()?.get(tool).cloned()?;
        let target = Target::Tool(Arc::clone(&tool));
        Some(Received { dispatch: Arc::clone(&self.dispatch), call, tool, target })
    }
}

/// A call that does not run.
#[derive(Debug)]
pub struct Received {
    dispatch: Arc<Dispatch>,
    call: HandlerCall,
    tool: Arc<Registered>,
    target: Target,
}

impl Received {
    /// Takes the arguments and makes the handler ready to run. Returns whether they fit; the problems are found and told if
    /// they do not.
    #[must_use]
    pub fn take(&self, arguments: &str) -> bool {
        black_box(self.tool.prepare(arguments, self.call.state(), &self.dispatch.surroundings)).is_ok()
    }

    /// Appends the response with what the handler has returned.
    pub fn write(&self, outcome: &Outcome, out: &mut Vec<u8>) {
        let shape = self.tool.output_schema().shape;
        reply::write_outcome(out, &self.dispatch, &self.call.state().origin, &self.target, shape, outcome);
    }
}

/// Where nothing is sent.
#[derive(Debug)]
pub(crate) struct Nowhere;

impl Outlet for Nowhere {
    fn send(&self, _: &[u8]) {}

    fn offer(&self, _: &[u8]) -> bool {
        true
    }
}
