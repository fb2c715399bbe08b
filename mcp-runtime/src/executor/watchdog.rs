//! The watchdog: it looks every millisecond whether a poll takes too long, and sleeps while nothing is called.

use std::io;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::role::{self, Shared};

/// How often it looks. A poll that is seen twice loses the reader role, so that takes up to two ticks.
const TICK: Duration = Duration::from_millis(1);

/// How many ticks without a new poll make it sleep.
const TICKS_BEFORE_SLEEP: u32 = 100;

/// Watches until reading has ended; returns how it ended.
pub(super) fn watch(shared: &Arc<Shared>) -> io::Result<()> {
    // Set once, by the only thread that watches.
    let _ = shared.watchdog.set(std::thread::current());
    let (mut seen, mut quiet_ticks) = (0, 0);
    loop {
        if let Some(result) = shared.ended.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return result;
        }
        let (polls, is_polling) = shared.handover.progress();
        if polls == seen && is_polling {
            relieve(shared);
        }
        quiet_ticks = if polls == seen { quiet_ticks + 1 } else { 0 };
        seen = polls;
        if quiet_ticks > TICKS_BEFORE_SLEEP {
            quiet_ticks = 0;
            // An unpark before the park is not lost, so the end of reading is not missed either.
            shared.handover.doze(std::thread::park);
        } else {
            std::thread::park_timeout(TICK);
        }
    }
}

/// Hands the role from the thread whose poll takes too long to a new one.
fn relieve(shared: &Arc<Shared>) {
    let heir = Arc::clone(shared);
    // The new thread takes the role itself: if it cannot be started, the role stays where it is, and the next tick tries
    // again.
    let thread = std::thread::Builder::new().name("mcp-reader".into());
    let started = thread.spawn(move || {
        if let Some(role) = heir.take_away() {
            role::lead(&heir, role);
        }
    });
    if let Err(error) = started {
        tracing::error!(%error, "cannot start a thread to read with");
    }
}
