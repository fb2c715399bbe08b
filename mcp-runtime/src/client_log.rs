//! Events of `tracing` on their way to the client in whose call they happen.
//!
//! Which call that is, is known while its handler is polled: what it spawns elsewhere logs for nobody.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::Arc;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata};

use crate::call_state::CallState;
use crate::protocol::LogLevel;

thread_local! {
    static CURRENT: RefCell<Option<Arc<CallState>>> = const { RefCell::new(None) };
}

/// The call that is polled on this thread, until it is dropped.
pub(crate) struct Entered(Option<Arc<CallState>>);

/// Events belong to the call from here on, if the server logs to its clients.
pub(crate) fn enter(call: &Arc<CallState>) -> Option<Entered> {
    call.origin.logs_to_client.then(|| Entered(CURRENT.replace(Some(Arc::clone(call)))))
}

/// Events belong to no call until this is dropped.
#[cfg(feature = "http")]
pub(crate) fn leave() -> Entered {
    Entered(CURRENT.take())
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Which events are for clients: those whose targets begin with one of these paths. What other crates log, such as a client of
/// a database, may be for nobody else to see.
#[derive(Debug, Clone, Default)]
pub(crate) struct Targets(Arc<[String]>);

impl Targets {
    pub(crate) fn new(targets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(targets.into_iter().map(Into::into).collect())
    }

    /// The same and others.
    pub(crate) fn and(&self, targets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(self.0.iter().cloned().chain(targets.into_iter().map(Into::into)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn have(&self, target: &str) -> bool {
        let is_within = |rest: &str| rest.is_empty() || rest.starts_with("::");
        self.0.iter().any(|path| target.strip_prefix(path.as_str()).is_some_and(is_within))
    }

    /// Whether the client of the current call wants to have what an event says.
    pub(crate) fn want(&self, metadata: &Metadata<'_>) -> bool {
        let may_be_sent = metadata.is_event() && *metadata.level() != Level::TRACE && self.have(metadata.target());
        may_be_sent && current().is_some_and(|call| call.wants_log(level(*metadata.level())))
    }
}

/// Sends an event to the client of the current call, if there is one that wants it.
pub(crate) fn forward(event: &Event<'_>, targets: &Targets) {
    let metadata = event.metadata();
    if !targets.want(metadata) {
        return;
    }
    let mut fields = Fields::default();
    event.record(&mut fields);
    if let Some(call) = current() {
        call.send_log(level(*metadata.level()), Some(metadata.target()), &fields.into_data());
    }
}

fn current() -> Option<Arc<CallState>> {
    // Something may log while the thread ends.
    CURRENT.try_with(|current| current.try_borrow().ok()?.clone()).ok().flatten()
}

fn level(level: Level) -> LogLevel {
    match level {
        Level::ERROR => LogLevel::Error,
        Level::WARN => LogLevel::Warning,
        Level::INFO => LogLevel::Info,
        _ => LogLevel::Debug,
    }
}

/// What an event says.
#[derive(Default)]
struct Fields {
    message: String,
    others: Map<String, Value>,
}

impl Fields {
    /// The message alone, or an object if there is more.
    fn into_data(self) -> Value {
        if self.others.is_empty() {
            return self.message.into();
        }
        let mut data = Map::new();
        if !self.message.is_empty() {
            data.insert("message".to_owned(), self.message.into());
        }
        data.extend(self.others);
        Value::Object(data)
    }

    fn add(&mut self, field: &Field, value: Value) {
        match (field.name(), value) {
            ("message", Value::String(text)) => self.message = text,
            (name, value) => drop(self.others.insert(name.to_owned(), value)),
        }
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, format!("{value:?}").into());
    }
}

/// A layer of `tracing-subscriber` that sends the events of a call to its client, for programs with a subscriber of their
/// own; in others [`Server::forward_events`](crate::Server::forward_events) does so without it. Only with the feature
/// `tracing-subscriber`, and for servers that [log to their clients](crate::Server::client_logging).
///
/// Only events whose target is one of those that are named, or inside of one, are sent: name the crates whose events may be
/// read by whoever uses the server. Those of the level `TRACE` never are.
///
/// An event belongs to the call whose handler is polled while it happens; what a handler has spawned logs for nobody. Its
/// level is that of the protocol with the same name, its target is the logger, and its fields are the data. Which levels a
/// client gets, it says itself, as for [`Context::log`](crate::Context::log).
///
/// # Examples
/// ```
/// use mcp_runtime::ClientLogLayer;
/// use tracing_subscriber::layer::SubscriberExt as _;
///
/// let subscriber = tracing_subscriber::registry().with(ClientLogLayer::new(["my_server"]));
/// # let _ = subscriber;
/// ```
#[cfg(feature = "tracing-subscriber")]
#[derive(Debug, Clone)]
pub struct ClientLogLayer(Targets);

#[cfg(feature = "tracing-subscriber")]
impl ClientLogLayer {
    /// A layer for the events with these targets, such as `my_server` or `my_server::orders`.
    pub fn new(targets: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(Targets::new(targets))
    }
}

#[cfg(feature = "tracing-subscriber")]
impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for ClientLogLayer {
    fn on_event(&self, event: &Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        forward(event, &self.0);
    }
}
