//! The watchdog: it looks every millisecond whether a poll takes too long, and sleeps while nothing is called. It also
//! ends the reading when a signal asks for it, since the reader may be blocked.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::handover;
use super::role::{self, Shared};
use crate::threads;

/// How often it looks. A poll that is seen twice loses the reader role, so that takes up to two ticks; more where arguments are
/// large.
const TICK: Duration = Duration::from_millis(1);

/// How many ticks without a new poll make it sleep.
const TICKS_BEFORE_SLEEP: u32 = 100;

/// For how many bytes of arguments a call has a tick more.
const BYTES_PER_TICK: usize = 128 * 1024;

/// How many ticks more a call has at the most.
const MAX_EXTRA_TICKS: u32 = 50;

const _: () = assert!(MAX_EXTRA_TICKS < TICKS_BEFORE_SLEEP, "it does not sleep before the role is taken");

/// After how many ticks with polls and without a read the reader is behind.
const BUSY_TICKS: u32 = 3;

/// Watches until reading has ended or a signal ends it; returns how it ended.
pub(super) fn watch(shared: &Arc<Shared>) -> io::Result<()> {
    let (mut seen_poll, mut seen_reads) = (handover::Poll::default(), 0);
    // It begins awake: a client calls something soon, and the first call need not wake anybody.
    let (mut quiet_ticks, mut busy_ticks, mut stuck_ticks) = (0, 0, 0);
    loop {
        if let Some(result) = shared.ended() {
            return result;
        }
        if shared.alarm.has_signal() {
            return stop(shared);
        }
        let (poll, is_polling) = shared.handover.progress();
        let reads = shared.reads.load(Ordering::Relaxed);
        stuck_ticks = if poll == seen_poll && is_polling { stuck_ticks + 1 } else { 0 };
        if stuck_ticks > extra_ticks(shared.argument_bytes.load(Ordering::Relaxed)) {
            relieve(shared, poll);
        }
        // Many short polls keep the reader from reading like one long one.
        busy_ticks = if poll != seen_poll && reads == seen_reads { busy_ticks + 1 } else { 0 };
        if busy_ticks >= BUSY_TICKS {
            shared.is_behind.store(true, Ordering::Relaxed);
        }
        quiet_ticks = if poll == seen_poll { quiet_ticks + 1 } else { 0 };
        (seen_poll, seen_reads) = (poll, reads);
        if quiet_ticks > TICKS_BEFORE_SLEEP {
            quiet_ticks = 0;
            // It may ring before the wait begins, so the end of reading is not missed either.
            shared.handover.doze(|| shared.alarm.wait(None));
        } else {
            shared.alarm.wait(Some(TICK));
            // Here and not where it is built, which somebody waits for.
            shared.reactor.drive();
        }
    }
}

/// How many ticks more a call has whose arguments are so large: to read them takes its time, and to give the role to another
/// thread in the middle of it would cost more than the wait.
fn extra_ticks(argument_bytes: usize) -> u32 {
    u32::try_from(argument_bytes / BYTES_PER_TICK).unwrap_or(u32::MAX).min(MAX_EXTRA_TICKS)
}

/// Stops reading without the end of input. What is read from here on is not served, and what is ready is written.
fn stop(shared: &Shared) -> io::Result<()> {
    shared.is_stopping.store(true, Ordering::SeqCst);
    tracing::debug!("a signal ends the reading");
    loop {
        if let Some(result) = shared.ended() {
            return result;
        }
        // Whoever reads finds the flag before anything else.
        if shared.is_reading() {
            return Ok(());
        }
        if let (poll, true) = shared.handover.progress() {
            if let Some(mut role) = shared.take_away(poll) {
                role.flush(shared);
                return Ok(());
            }
        }
        shared.alarm.wait(Some(TICK));
    }
}

/// Hands the role from the thread whose poll takes too long to a new one.
fn relieve(shared: &Arc<Shared>, poll: handover::Poll) {
    let heir = Arc::clone(shared);
    // The new thread takes the role itself: if it cannot be started, the role stays where it is, and the next tick tries
    // again.
    let started = threads::start("mcp-reader", move || {
        if let Some(role) = heir.take_away(poll) {
            role::lead(&heir, role);
        }
    });
    if let Err(error) = started {
        tracing::debug!(%error, "cannot start a thread to read with");
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES_PER_TICK, MAX_EXTRA_TICKS, extra_ticks};

    #[test]
    fn has_patience_with_large_arguments_and_with_no_others() {
        assert_eq!([0, BYTES_PER_TICK - 1, BYTES_PER_TICK, 1 << 20].map(extra_ticks), [0, 0, 1, 8]);
        assert_eq!([1 << 30, usize::MAX].map(extra_ticks), [MAX_EXTRA_TICKS; 2]);
    }
}
