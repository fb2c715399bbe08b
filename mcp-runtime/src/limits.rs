//! The bounds of a server, each with its default.

use std::time::Duration;

/// The longest line that is read, in bytes, without its newline: 16 MiB. A longer one is skipped and answered with an
/// error.
pub const DEFAULT_MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// How many messages a batch may have, in the revision that has batches: 100.
pub const DEFAULT_MAX_BATCH_MESSAGES: usize = 100;

/// How many calls of one connection run at a time: 256. Further ones wait.
pub const DEFAULT_MAX_CALLS_IN_FLIGHT: usize = 256;

/// How many bytes of calls may wait for their turn: 16 MiB. Then reading stops until some have run. While the client is asked
/// something it goes on, and further calls are refused.
pub const DEFAULT_MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;

/// How many bytes of responses may wait for the client to read them: 16 MiB. Then reading stops until it has, and no call
/// begins; what calls in flight still answer comes on top.
pub const DEFAULT_MAX_OUTPUT_BYTES: usize = 16 * 1024 * 1024;

/// How many requests to be told of changes (`subscriptions/listen`) one connection may have open: 64.
pub const DEFAULT_MAX_SUBSCRIPTIONS: usize = 64;

/// How many resources one connection may want to be told of, and one request to be told of changes: 1,024.
pub const DEFAULT_MAX_WATCHED_RESOURCES: usize = 1024;

/// The longest URI that names a resource, in bytes: 64 KiB. Each URI is compared with every template, and remembered where a
/// client watches it. There is no setting for it.
pub const MAX_URI_BYTES: usize = 64 * 1024;

/// How many threads go on with calls that have to wait: 64. So many calls may block their thread at once before others
/// have to wait for one of them. Four are started as calls come, further ones when a call has waited for 5 milliseconds.
pub const DEFAULT_MAX_WORKER_THREADS: usize = 64;

/// How long calls in flight may take to end after the client has closed its end: 1.5 seconds. Clients kill a server
/// after two.
pub const DEFAULT_SHUTDOWN_GRACE: Duration = Duration::from_millis(1500);

/// How long a client may take to answer a question in a session: 10 minutes, since a person may have to think.
#[cfg(feature = "ask")]
pub const DEFAULT_ASK_TIMEOUT: Duration = Duration::from_secs(600);

/// How long a call can be gone on with after it has asked, since 2026-07-28: 1 hour.
#[cfg(feature = "ask")]
pub const DEFAULT_STATE_TTL: Duration = Duration::from_secs(3600);

/// How many bytes of answers and results a call may remember between its rounds, since 2026-07-28: 64 KiB. They travel through
/// the client.
#[cfg(feature = "ask")]
pub const DEFAULT_MAX_STATE_BYTES: usize = 64 * 1024;

/// How many questions to its client a call may have open at a time: 100.
#[cfg(feature = "ask")]
pub const DEFAULT_MAX_OPEN_QUESTIONS: usize = 100;

/// How many entries a page of a list holds: 5,000, since some clients never ask for the next page.
pub const DEFAULT_PAGE_SIZE: usize = 5000;

/// How long a client that reads what is left may pause at the end.
pub(crate) const DRAIN_GRACE: Duration = Duration::from_millis(200);

/// The bounds of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) max_line_bytes: usize,
    pub(crate) max_batch_messages: usize,
    pub(crate) max_calls_in_flight: usize,
    pub(crate) max_waiting_bytes: usize,
    pub(crate) max_output_bytes: usize,
    pub(crate) max_subscriptions: usize,
    pub(crate) max_watched_resources: usize,
    pub(crate) max_worker_threads: usize,
    pub(crate) shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_line_bytes: DEFAULT_MAX_LINE_BYTES,
            max_batch_messages: DEFAULT_MAX_BATCH_MESSAGES,
            max_calls_in_flight: DEFAULT_MAX_CALLS_IN_FLIGHT,
            max_waiting_bytes: DEFAULT_MAX_WAITING_BYTES,
            max_output_bytes: DEFAULT_MAX_OUTPUT_BYTES,
            max_subscriptions: DEFAULT_MAX_SUBSCRIPTIONS,
            max_watched_resources: DEFAULT_MAX_WATCHED_RESOURCES,
            max_worker_threads: DEFAULT_MAX_WORKER_THREADS,
            shutdown_grace: DEFAULT_SHUTDOWN_GRACE,
        }
    }
}
