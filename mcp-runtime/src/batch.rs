//! Batches: several messages in one line, answered by one.
//!
//! Spec: 2025-03-26, `basic/index`, "Batching". No other revision has them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::outlet::Outlet;

/// The responses to a batch. They are sent when the last one who may add to it has dropped it, as one line, unless there
/// is none: each call of the batch shares it until it is answered or cancelled.
#[derive(Debug)]
pub(crate) struct Batch {
    outlet: Arc<dyn Outlet>,
    /// The responses so far, a line each.
    lines: Mutex<Vec<u8>>,
}

impl Batch {
    pub(crate) fn new(outlet: Arc<dyn Outlet>) -> Self {
        Self { outlet, lines: Mutex::default() }
    }

    /// Adds what `write` appends: responses, a line each.
    pub(crate) fn add(&self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut lines = Vec::new();
        write(&mut lines);
        self.lines().extend_from_slice(&lines);
    }

    /// A vector is whole at every step.
    fn lines(&self) -> MutexGuard<'_, Vec<u8>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let lines = std::mem::take(&mut *self.lines());
        let Some(responses) = lines.strip_suffix(b"\n") else { return self.outlet.give_up() };
        let mut frame = Vec::with_capacity(lines.len() + 2);
        frame.push(b'[');
        // A response has no other newline than the one at its end.
        frame.extend(responses.iter().map(|byte| if *byte == b'\n' { b',' } else { *byte }));
        frame.extend_from_slice(b"]\n");
        self.outlet.respond(frame);
    }
}
