//! The messages of panics, on the way that waits for no reader: the hook of std would block a tool that panics for ever
//! where nobody reads stderr, and its call would have no answer.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::fmt::Write as _;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::stderr;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// Whether the reader knows how to get a backtrace.
static HAS_HINTED: AtomicBool = AtomicBool::new(false);

/// Installs the hook, unless the program has one of its own, which knows better.
pub(crate) fn install() {
    if std::thread::panicking() {
        // No hook can be taken, and there is more to worry about.
        return;
    }
    let found = panic::take_hook();
    // Taking a hook leaves that of std behind, so this is it for certain.
    let default = panic::take_hook();
    let hook = if is_same(&found, &default) { Box::new(report) } else { found };
    panic::set_hook(hook);
}

/// Whether two hooks without captures are one function. The hook of std is boxed in one place, so that it has one vtable; if
/// it ever had two, the program would keep the hook of std.
fn is_same(one: &Hook, other: &Hook) -> bool {
    std::ptr::eq(&raw const **one, &raw const **other)
}

/// Says what the hook of std says.
fn report(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let mut text = stderr::line();
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\nthread '{}' {panic}", thread.name().unwrap_or("<unnamed>"));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = write!(text, "stack backtrace:\n{backtrace}");
    } else if !HAS_HINTED.swap(true, Ordering::Relaxed) {
        text += "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
    }
    stderr::write(&text);
    // The program may end with this panic, unless it is caught for certain.
    if cfg!(panic = "abort") || !IS_CONTAINED.get() {
        stderr::drain();
    }
}

thread_local! {
    /// Whether a panic of this thread is caught.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Does something whose panics are caught around it.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(bool);

    impl Drop for Restore {
        fn drop(&mut self) {
            IS_CONTAINED.set(self.0);
        }
    }

    let _restore = Restore(IS_CONTAINED.replace(true));
    work()
}
