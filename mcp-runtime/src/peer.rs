//! The client of a legacy session: what `initialize` and later requests have said of it.

#[cfg(feature = "ask")]
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

#[cfg(feature = "ask")]
use crate::ask::questions::Questions;
use crate::jsonrpc::Response;
#[cfg(feature = "ask")]
use crate::protocol::ClientCapabilities;
use crate::protocol::lifecycle::InitializeRequest;
use crate::protocol::{Implementation, LogLevel, Revision};

/// From which level on a client has log messages until it says what it wants.
pub(crate) const DEFAULT_LOG_LEVEL: LogLevel = LogLevel::Info;

/// The client of a session.
#[derive(Debug)]
pub(crate) struct Peer {
    /// What it says it is.
    pub(crate) info: Implementation,
    /// From which level on it wants to have log messages.
    log_level: AtomicU8,
    /// What it has declared that it can be asked.
    #[cfg(feature = "ask")]
    pub(crate) capabilities: ClientCapabilities,
    /// What it is asked.
    #[cfg(feature = "ask")]
    pub(crate) questions: Arc<Questions>,
}

impl Peer {
    /// The client as `initialize` has introduced it.
    pub(crate) fn new(request: InitializeRequest<'_>, revision: Revision) -> Self {
        #[cfg(not(feature = "ask"))]
        let _ = revision;
        Self {
            info: request.client_info,
            log_level: AtomicU8::new(DEFAULT_LOG_LEVEL as u8),
            #[cfg(feature = "ask")]
            capabilities: ClientCapabilities::decode(request.capabilities, revision),
            #[cfg(feature = "ask")]
            questions: Arc::default(),
        }
    }

    pub(crate) fn log_level(&self) -> LogLevel {
        LogLevel::of_number(self.log_level.load(Ordering::Relaxed))
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        self.log_level.store(level as u8, Ordering::Relaxed);
    }
}

#[cfg(feature = "ask")]
impl Peer {
    /// The client has answered a question.
    pub(crate) fn answered(&self, response: &Response<'_>) {
        let Some(id) = &response.id else {
            return tracing::debug!(client = self.info.name, "dropped a response without an id");
        };
        self.questions.answer(id, || response.answer());
    }

    /// The client may be asked from here on.
    pub(crate) fn ready(&self) {
        self.questions.ready();
    }

    /// Whether the client is asked something.
    pub(crate) fn is_asked(&self) -> bool {
        self.questions.are_open()
    }

    /// Nothing more will come from the client: it answers no question any more.
    pub(crate) fn lost(&self) {
        self.questions.close();
    }
}

/// Without the feature the client is asked nothing.
#[cfg(not(feature = "ask"))]
#[expect(clippy::unused_self, reason = "with the feature they are about the client")]
impl Peer {
    pub(crate) fn answered(&self, response: &Response<'_>) {
        tracing::debug!(id = ?response.id, client = self.info.name, "dropped a response to no request");
    }

    pub(crate) fn ready(&self) {}

    pub(crate) fn is_asked(&self) -> bool {
        false
    }

    pub(crate) fn lost(&self) {}
}
