//! Seeing the wire: each frame as a log line, `->` from the client and `<-` to it.

use tracing::Level;

use crate::text::on_one_line;

/// The target of the log lines.
const TARGET: &str = "mcp_runtime::wire";

/// Logs a line from the client.
pub(crate) fn received(line: &[u8]) {
    if tracing::enabled!(target: TARGET, Level::DEBUG) {
        // Over HTTP a message may have line breaks, and anything else may have what a terminal obeys.
        let line = on_one_line(String::from_utf8_lossy(line).into_owned());
        tracing::debug!(target: TARGET, "-> {line}");
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
