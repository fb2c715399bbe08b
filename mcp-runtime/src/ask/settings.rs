//! What a server has set about asking.

use std::sync::Arc;
use std::time::Duration;

use super::seal::{NoRandomness, Sealer, StateKey};
use crate::limits;

/// As the builder of a server holds it.
#[derive(Debug, Clone)]
pub(crate) struct AskSettings {
    pub(crate) keys: Vec<StateKey>,
    pub(crate) timeout: Duration,
    pub(crate) state_ttl: Duration,
    pub(crate) max_state_bytes: usize,
    pub(crate) max_open_questions: usize,
}

impl Default for AskSettings {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            timeout: limits::DEFAULT_ASK_TIMEOUT,
            state_ttl: limits::DEFAULT_STATE_TTL,
            max_state_bytes: limits::DEFAULT_MAX_STATE_BYTES,
            max_open_questions: limits::DEFAULT_MAX_OPEN_QUESTIONS,
        }
    }
}

/// As calls need it.
#[derive(Debug)]
pub(crate) struct Asks {
    pub(super) sealer: Sealer,
    pub(super) timeout: Duration,
    pub(super) state_ttl: Duration,
    pub(super) max_state_bytes: usize,
    pub(super) max_open_questions: usize,
}

impl Asks {
    /// With the keys that were given, or with one of this process.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub(crate) fn new(settings: AskSettings) -> Result<Arc<Self>, NoRandomness> {
        let AskSettings { keys, timeout, state_ttl, max_state_bytes, max_open_questions } = settings;
        let sealer = match Sealer::with_keys(keys) {
            Some(sealer) => sealer,
            None => Sealer::random()?,
        };
        Ok(Arc::new(Self { sealer, timeout, state_ttl, max_state_bytes, max_open_questions }))
    }
}
