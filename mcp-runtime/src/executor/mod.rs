//! Serving the standard streams with threads of our own.
//!
//! One thread at a time holds the *reader role*: the input, the buffers and the session. It polls a new call once in
//! place, which is all that most calls need. Before the poll it lays the role down; a watchdog that finds a poll to
//! outlast two of its ticks, or some more where arguments are large, hands the role to another thread. So a call that blocks
//! or spins delays neither a ping nor a cancellation nor another call, and a call that does not costs no change of thread.
//!
//! A task for each call with channels between them would be simpler; it was a third as fast, and a ping behind four
//! blocking calls took as long as they did.

mod alarm;
mod handover;
pub(crate) mod reactor;
mod role;
mod sync;
mod watchdog;
pub(crate) mod workers;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::alarm::Alarm;
use self::reactor::Reactor;
use self::role::{Role, Shared};
use self::workers::Workers;
use crate::calls::Calls;
use crate::codec::LineBuffer;
use crate::handle::ServerHandle;
use crate::outlet::Outlet;
use crate::run::Run;
use crate::session::Session;
use crate::subscriber::Subscriber;
use crate::transport::stdio;

/// Serves the standard streams of the process until the client closes stdin or a signal asks the process to end, then lets
/// the calls in flight end. A second signal ends it at once.
///
/// # Errors
/// If the streams cannot be taken over or read.
pub(crate) fn serve_stdio(server: &ServerHandle, reactor: Arc<Reactor>) -> io::Result<()> {
    let limits = server.limits();
    let (input, output) = stdio::take(limits.max_output_bytes)?;
    let calls = Arc::new(Calls::new(limits.max_calls_in_flight, limits.max_waiting_bytes));
    let workers = Workers::new(limits.max_worker_threads, Arc::clone(&reactor));
    let outlet: Arc<dyn Outlet> = Arc::clone(&output) as Arc<dyn Outlet>;
    let session = Session::new(Arc::clone(server.dispatch()), Arc::clone(&calls), outlet, limits);
    let subscriber = Arc::clone(session.subscriber());
    let role = Role::new(input, LineBuffer::new(limits.max_line_bytes), session);
    let run = Run { calls: Arc::clone(&calls), spawner: workers };
    let shared = Arc::new(Shared::new(Arc::clone(&output), run, reactor, limits, Alarm::new()?));
    let result = role::hand_over(&shared, role).and_then(|()| watchdog::watch(&shared));
    let finished = finish(&calls, &subscriber, &output, limits.shutdown_grace);
    // Here and not with the last who holds it, which may be a thread that is about to end.
    shared.alarm.retire();
    result.and(finished)
}

/// Lets the calls in flight end and their responses be written, for as long as the grace time.
fn finish(calls: &Calls, subscriber: &Subscriber, output: &stdio::Output, grace: Duration) -> io::Result<()> {
    let deadline = Instant::now().checked_add(grace);
    if !calls.wait_idle(grace) {
        let count = calls.cancel_all();
        tracing::warn!(
            "calls did not end within {} s of the end of reading, and are given up ({count}); `Server::shutdown_grace` sets \
             how long they have",
            grace.as_secs_f64()
        );
    }
    subscriber.end();
    output.drain(deadline)
}
