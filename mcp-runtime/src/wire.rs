//! Seeing the wire: each frame as a log line, `->` from the client and `<-` to it.

use tracing::Level;

/// The target of the log lines.
const TARGET: &str = "mcp_runtime::wire";

/// Logs a line from the client.
pub(crate) fn received(line: &[u8]) {
    if tracing::enabled!(target: TARGET, Level::DEBUG) {
        tracing::debug!(target: TARGET, "-> {}", String::from_utf8_lossy(line));
    }
}

/// Logs the frames that go to the client.
pub(crate) fn sent(frames: &[u8]) {
    if tracing::enabled!(target: TARGET, Level::DEBUG) {
        for frame in frames.split(|byte| *byte == b'\n').filter(|frame| !frame.is_empty()) {
            tracing::debug!(target: TARGET, "<- {}", String::from_utf8_lossy(frame));
        }
    }
}
