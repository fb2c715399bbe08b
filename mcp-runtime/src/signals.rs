//! The signals that ask a process to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals, which are taken in the way of the end of input.
pub(crate) const ENDING: [i32; 2] = [SIGTERM, SIGINT];

/// Notes that a signal has come, and ends the process at once if one has been noted before, whatever blocks its threads.
/// For the rest of the process.
pub(crate) fn end_at_second(signal: i32, has_come: &Arc<AtomicBool>) -> io::Result<()> {
    // In this order: the second signal finds the flag set by the first.
    flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(has_come))?;
    flag::register(signal, Arc::clone(has_come))?;
    Ok(())
}
