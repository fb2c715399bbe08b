//! stderr, for the log and for what the program says.
//!
//! A server never waits for whoever reads it: some hosts do not, and once the pipe is full, the next line would stop the
//! server for ever. What does not go at once is kept for the reader, up to a bound, and lines beyond it are counted instead.
//! Everything is written in order, and a line is written whole or not at all. Nothing is opened before the first line, and no
//! thread is started before something has to wait.
//!
//! What tools and their child processes print themselves does not come through here; where nobody reads stderr, that still
//! blocks them, and nothing but them.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::timestamp;
use crate::transport::sink::Sink;
use crate::transport::writer::{Losable, Writer};

/// How many bytes wait for the reader before lines are lost.
const MAX_BACKLOG_BYTES: usize = 1024 * 1024;

/// How long a line waits for room if none was lost before it: a reader who only is slower than the log loses nothing, and
/// one who does not read is waited for once.
const READER_PATIENCE: Duration = Duration::from_millis(10);

/// How long the end of the program waits for the reader.
const DRAIN_GRACE: Duration = Duration::from_millis(200);

static LOSABLE: Losable = Losable { max_bytes: MAX_BACKLOG_BYTES, patience: READER_PATIENCE, notice };

static IS_SERVING: AtomicBool = AtomicBool::new(false);

/// Where the lines go; nothing if stderr cannot be opened.
static WRITER: OnceLock<Option<Arc<Writer>>> = OnceLock::new();

/// From now on nobody waits for the reader of stderr. Until then it is written to as any program does, so that a tool that
/// is tried with `--trace … 2>&1 | less` shows everything.
pub(crate) fn never_wait() {
    IS_SERVING.store(true, Ordering::Relaxed);
}

/// Writes whole lines. That nobody listens is no failure, and no reason to panic, as `eprintln!` would.
pub(crate) fn write(lines: &str) {
    if !IS_SERVING.load(Ordering::Relaxed) {
        let _ = std::io::stderr().write_all(lines.as_bytes());
    } else if let Some(writer) = WRITER.get_or_init(|| Sink::stderr().ok().map(Writer::open)) {
        // Without a thread, what waits goes with the next line.
        let _ = writer.send_or_lose(lines.as_bytes(), &LOSABLE);
    }
}

/// How many bytes of a line fit into its buffer at first.
const LINE_BYTES: usize = 512;

/// A buffer for a line. Nearly all are of one size, for the reason that those of [frames](crate::outlet::frame) are.
pub(crate) fn line() -> String {
    String::with_capacity(LINE_BYTES)
}

/// Waits until everything is written, for as long as the grace time.
pub(crate) fn drain() {
    if let Some(Some(writer)) = WRITER.get() {
        writer.wait_below(1, DRAIN_GRACE);
    }
}

fn notice(lines: u64) -> String {
    format!(
        "{} WARN {}: {lines} lines of the log were lost, since nobody read them\n",
        timestamp::now(),
        module_path!()
    )
}
