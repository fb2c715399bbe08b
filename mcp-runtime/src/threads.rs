//! Threads of our own.

use std::io;

/// Starts a thread. Its work is in a box, so that what the system library does around it is compiled once.
///
/// # Errors
/// If there can be no further thread now.
pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let work: Box<dyn FnOnce() + Send> = Box::new(work);
    std::thread::Builder::new().name(name.into()).spawn(work).map(drop)
}
