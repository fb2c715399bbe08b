//! Seeing the wire: each frame as a log line, `->` from the client and `<-` to it.

use tracing::Level;

/// The target of the log lines.
const TARGET: &str = "mcp_runtime::wire";

/// Logs a line from the client.
pub(crate) fn received(line: &[u8]) {
    if tracing::enabled!(target: TARGET, Level::DEBUG) {
        tracing::debug!(target: TARGET, "-> {}", on_one_line(line));
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

/// What was received as one line of a log, whatever it holds.
fn on_one_line(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
