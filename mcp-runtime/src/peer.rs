//! The client of a legacy session: what `initialize` and later requests have said of it.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::protocol::{Implementation, LogLevel};

/// From which level on a client has log messages until it says what it wants.
pub(crate) const DEFAULT_LOG_LEVEL: LogLevel = LogLevel::Info;

/// The client of a session.
#[derive(Debug)]
pub(crate) struct Peer {
    /// What it says it is.
    pub(crate) info: Implementation,
    /// From which level on it wants to have log messages.
    log_level: AtomicU8,
}

impl Peer {
    pub(crate) fn new(info: Implementation) -> Self {
        Self { info, log_level: AtomicU8::new(DEFAULT_LOG_LEVEL as u8) }
    }

    pub(crate) fn log_level(&self) -> LogLevel {
        LogLevel::of_number(self.log_level.load(Ordering::Relaxed))
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        self.log_level.store(level as u8, Ordering::Relaxed);
    }
}
