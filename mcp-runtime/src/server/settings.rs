//! How a server behaves: its manners and its bounds.

use std::time::Duration;

use super::Server;
#[cfg(feature = "ask")]
use crate::ask::StateKey;
#[cfg(feature = "http")]
use crate::http::Http;
use crate::protocol::CacheScope;
use crate::protocol::pages::CacheHint;

impl Server {
    /// Takes arguments exactly as the schema says. Default: a string that spells a number, a boolean, an array or an
    /// object is taken for it where the schema wants one and no string, since models quote things.
    ///
    /// Null for an optional argument stays accepted.
    pub fn strict_arguments(mut self) -> Self {
        self.strict_arguments = true;
        self
    }

    /// Ignores arguments that a tool or a prompt does not have, for clients that add their own, and lets the schemas say so. Default:
    /// they are refused, since a misspelt optional argument would be ignored too.
    pub fn allow_unknown_arguments(mut self) -> Self {
        self.open_arguments = true;
        self
    }

    /// Keeps the texts of errors from the client, which reads `the tool failed`, or the like, instead; they go to the log. Default:
    /// `false`. What a [`ToolError`](crate::ToolError) says, and what is wrong with arguments, is told all the same.
    pub fn mask_errors(mut self, mask: bool) -> Self {
        self.masks_errors = mask;
        self
    }

    /// Lets [`Context::log`](crate::Context::log) send to the clients, which are told that it may. Default: such messages go
    /// to the log of the server. Since 2026-07-28 it is deprecated that servers log to their clients.
    pub fn client_logging(mut self) -> Self {
        self.logs_to_clients = true;
        self
    }

    /// Sends events of `tracing` to the client in whose call they happen, as [`client_logging`](Self::client_logging) does with
    /// messages of its own: those whose target is one of these or inside of one, such as the name of the server's crate. May be
    /// called again. Only in a program of its own ([`run`](Self::run)) without a subscriber; for one that has its own, there is
    /// the layer `ClientLogLayer` of the feature `tracing-subscriber`. Default: none.
    ///
    /// Name crates whose events anyone may read who uses the server: what a client of a database logs is hardly for them.
    pub fn forward_events(mut self, targets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.events_for_clients = self.events_for_clients.and(targets);
        self.client_logging()
    }

    /// Gives the server a key to seal what a call that asks has to remember between its rounds, since 2026-07-28. Servers with
    /// the same key go on with each other's calls. May be called again: the first key seals, and all of them open. So a new key
    /// is put behind the old one on all servers, then in front of it, and the old one is taken away once the
    /// [`state_ttl`](Self::state_ttl) has passed. Default: a random key of this process.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn state_key(mut self, key: StateKey) -> Self {
        self.asks.keys.push(key);
        self
    }

    /// How long a call can be gone on with after it has asked, since 2026-07-28. Default:
    /// [`DEFAULT_STATE_TTL`](crate::limits::DEFAULT_STATE_TTL), 1 hour.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn state_ttl(mut self, ttl: Duration) -> Self {
        self.asks.state_ttl = ttl;
        self
    }

    /// How many bytes of answers and of results of [steps](crate::Context::once) a call may remember between its rounds, since
    /// 2026-07-28; a question or a step beyond them is an error. Default:
    /// [`DEFAULT_MAX_STATE_BYTES`](crate::limits::DEFAULT_MAX_STATE_BYTES), 64 KiB.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn max_state_bytes(mut self, bytes: usize) -> Self {
        self.asks.max_state_bytes = bytes;
        self
    }

    /// How many questions a call may have open at a time; a further one is
    /// [`AskError::TooMany`](crate::AskError::TooMany). Default:
    /// [`DEFAULT_MAX_OPEN_QUESTIONS`](crate::limits::DEFAULT_MAX_OPEN_QUESTIONS), 100.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn max_open_questions(mut self, questions: usize) -> Self {
        self.asks.max_open_questions = questions;
        self
    }

    /// How long a client may take to answer a question in a session. Then the question is withdrawn, and
    /// [`AskError::TimedOut`](crate::AskError::TimedOut). Default: [`DEFAULT_ASK_TIMEOUT`](crate::limits::DEFAULT_ASK_TIMEOUT),
    /// 10 minutes.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn ask_timeout(mut self, timeout: Duration) -> Self {
        self.asks.timeout = timeout;
        self
    }

    /// How long clients may keep the lists of tools, prompts and resources, and for whom; since 2026-07-28. Default: not at
    /// all, and for nobody else. A list that changes is told of in any case.
    ///
    /// [`CacheScope::Public`] is for lists that are the same for everyone who asks.
    pub fn cache_lists(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.list_cache = CacheHint { ttl, scope };
        self
    }

    /// How many entries a page of a list holds, of tools, prompts, resources or templates; at least 1. Default:
    /// [`DEFAULT_PAGE_SIZE`](crate::limits::DEFAULT_PAGE_SIZE), 5,000.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = entries;
        self
    }

    /// The longest line that is read, in bytes, without its newline. A longer one is skipped and answered with an error.
    /// Default: [`DEFAULT_MAX_LINE_BYTES`](crate::limits::DEFAULT_MAX_LINE_BYTES), 16 MiB.
    pub fn max_line_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_line_bytes = bytes;
        self
    }

    /// How many messages a batch may have; a longer one is answered with an error. Only revision 2025-03-26 has batches.
    /// Default: [`DEFAULT_MAX_BATCH_MESSAGES`](crate::limits::DEFAULT_MAX_BATCH_MESSAGES), 100.
    pub fn max_batch_messages(mut self, messages: usize) -> Self {
        self.limits.max_batch_messages = messages;
        self
    }

    /// How many calls of one connection run at a time, at least 1; further ones wait. Default:
    /// [`DEFAULT_MAX_CALLS_IN_FLIGHT`](crate::limits::DEFAULT_MAX_CALLS_IN_FLIGHT), 256.
    pub fn max_calls_in_flight(mut self, calls: usize) -> Self {
        self.limits.max_calls_in_flight = calls;
        self
    }

    /// How many bytes of calls may wait for their turn; then reading stops until some have run. Default:
    /// [`DEFAULT_MAX_WAITING_BYTES`](crate::limits::DEFAULT_MAX_WAITING_BYTES), 16 MiB.
    pub fn max_waiting_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_waiting_bytes = bytes;
        self
    }

    /// How many bytes of responses may wait for the client to read them; then reading stops until it has. Default:
    /// [`DEFAULT_MAX_OUTPUT_BYTES`](crate::limits::DEFAULT_MAX_OUTPUT_BYTES), 16 MiB.
    pub fn max_output_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_output_bytes = bytes;
        self
    }

    /// How many requests to be told of changes (`subscriptions/listen`) one connection may have open. Default:
    /// [`DEFAULT_MAX_SUBSCRIPTIONS`](crate::limits::DEFAULT_MAX_SUBSCRIPTIONS), 64.
    pub fn max_subscriptions(mut self, subscriptions: usize) -> Self {
        self.limits.max_subscriptions = subscriptions;
        self
    }

    /// How many resources one connection may want to be told of; further ones are refused in a session, and left out where a
    /// request lists them. Default: [`DEFAULT_MAX_WATCHED_RESOURCES`](crate::limits::DEFAULT_MAX_WATCHED_RESOURCES), 1,024.
    pub fn max_watched_resources(mut self, resources: usize) -> Self {
        self.limits.max_watched_resources = resources;
        self
    }

    /// How many threads [`run`](Self::run) uses for calls that have to wait, at least 1: so many may block their thread
    /// at once before others have to wait for one of them. Beyond the first four, a thread is started when a call has
    /// waited for 5 milliseconds. Default:
    /// [`DEFAULT_MAX_WORKER_THREADS`](crate::limits::DEFAULT_MAX_WORKER_THREADS), 64.
    pub fn max_worker_threads(mut self, threads: usize) -> Self {
        self.limits.max_worker_threads = threads;
        self
    }

    /// How long calls in flight may take to end after the client has closed its end. Default:
    /// [`DEFAULT_SHUTDOWN_GRACE`](crate::limits::DEFAULT_SHUTDOWN_GRACE), 1.5 seconds.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.limits.shutdown_grace = grace;
        self
    }

    /// How the server is served over HTTP. Default: [`Http::new`].
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    pub fn http(mut self, http: Http) -> Self {
        self.http = http;
        self
    }
}
