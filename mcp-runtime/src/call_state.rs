//! A call in flight: what its request says, and what its handler, its client and the server may do about it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::Notify;

#[cfg(feature = "ask")]
use crate::ask::Asking;
use crate::batch::Batch;
use crate::caller::Caller;
#[cfg(feature = "http")]
use crate::http::HttpOrigin;
use crate::json::{self, View};
use crate::jsonrpc::{self, RequestId};
use crate::outlet;
use crate::progress::Progress;
#[cfg(feature = "ask")]
use crate::protocol::ClientCapabilities;
use crate::protocol::logging::{LogLevel, MessageParams};
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::progress::ProgressNotification;
use crate::protocol::{Implementation, Revision};
use crate::text::on_one_line;

/// What a request says about itself that its call may need later.
#[derive(Debug, Clone)]
pub(crate) struct CallOrigin {
    pub(crate) caller: Arc<Caller>,
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    pub(crate) progress_token: Option<RequestId>,
    /// `_meta` of the request, unread.
    pub(crate) meta: Option<Box<RawValue>>,
    /// Whether the server sends log messages to its clients.
    pub(crate) logs_to_client: bool,
    /// In the modern era: from which level on the request wants to have log messages, if it does.
    pub(crate) log_level: Option<LogLevel>,
    /// Of a resource that is read.
    pub(crate) uri: Option<Box<str>>,
}

impl CallOrigin {
    /// How many bytes it holds besides itself.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let token = self.progress_token.as_ref().map_or(0, |token| token.as_json_bytes().len());
        let meta = self.meta.as_ref().map_or(0, |meta| meta.get().len());
        self.id.as_json_bytes().len() + token + meta + self.uri.as_ref().map_or(0, |uri| uri.len())
    }

    /// `_meta` of the request; without members if there is none.
    pub(crate) fn meta(&self) -> Map<String, Value> {
        let Some(View::Object(members)) = self.meta.as_ref().and_then(|meta| View::of(meta.get())) else {
            return Map::new();
        };
        // Each by itself: one that cannot be read, such as a number beyond all floats, must not hide the others.
        let read = |raw: &RawValue| json::parse(raw.get()).unwrap_or_default();
        members.into_iter().map(|(name, raw)| (name.into_owned(), read(raw))).collect()
    }

    /// The head of the request, if it came over HTTP.
    #[cfg(feature = "http")]
    pub(crate) fn head(&self) -> Option<&http::request::Parts> {
        self.caller.http.as_ref().map(HttpOrigin::head)
    }

    /// The other end of the connection, if it is one of the server's own.
    #[cfg(feature = "http")]
    pub(crate) fn peer(&self) -> Option<std::net::SocketAddr> {
        self.caller.http.as_ref()?.peer()
    }

    /// What the client says it is: that of the session, or in the modern era the request itself. There it need not be, and
    /// what is malformed proves no more than what is missing.
    pub(crate) fn client(&self) -> Option<Implementation> {
        if self.revision.is_modern() {
            return meta::object::<RequestMeta<'_>>(self.meta.as_ref()?, "_meta").ok()?.client();
        }
        self.caller.peer.as_ref().map(|peer| peer.info.clone())
    }
}

/// A call in flight, as seen by those who may end it and by its tool.
#[derive(Debug)]
pub(crate) struct CallState {
    pub(crate) origin: CallOrigin,
    #[cfg(feature = "ask")]
    asking: Asking,
    cancelled: AtomicBool,
    cancellation: Notify,
    sending: Mutex<Sending>,
}

/// What is sent for a call before its response.
#[derive(Debug)]
struct Sending {
    /// What has been reported. Most calls report nothing, so it is in a box.
    progress: Option<Box<Progress>>,
    /// Whether the call has ended, so that nothing may be sent for it any more.
    closed: bool,
    /// Where the response goes if the call came in a batch. A cancelled call has none, and the batch need not wait for it.
    batch: Option<Arc<Batch>>,
}

impl CallState {
    /// The state of a call, made where it stays: it is large to move.
    pub(crate) fn new(origin: CallOrigin, #[cfg(feature = "ask")] asking: Asking) -> Arc<Self> {
        Arc::new(Self {
            origin,
            #[cfg(feature = "ask")]
            asking,
            cancelled: AtomicBool::new(false),
            cancellation: Notify::new(),
            sending: Mutex::new(Sending { progress: None, closed: false, batch: None }),
        })
    }

    /// What the call asks its client.
    #[cfg(feature = "ask")]
    pub(crate) fn asking(&self) -> &Asking {
        &self.asking
    }

    /// What the client has declared that it can be asked, as far as questions reach it.
    #[cfg(feature = "ask")]
    pub(crate) fn client_capabilities(&self) -> ClientCapabilities {
        let origin = &self.origin;
        if origin.revision.is_modern() {
            let meta = origin.meta.as_ref().and_then(|meta| meta::object::<RequestMeta<'_>>(meta, "_meta").ok());
            let declared = meta.and_then(|meta| meta.client_capabilities);
            return declared.map(|raw| ClientCapabilities::decode(raw, origin.revision)).unwrap_or_default();
        }
        let Caller { peer, outlet, .. } = &*origin.caller;
        let peer = peer.as_ref().filter(|_| outlet.takes_requests());
        peer.map(|peer| peer.capabilities).unwrap_or_default()
    }

    /// Makes the call part of a batch.
    pub(crate) fn join(&self, batch: Arc<Batch>) {
        self.sending().batch = Some(batch);
    }

    /// Asks the call to end. Nothing more is sent for it from here on.
    pub(crate) fn cancel(&self) {
        match self.close_with(|_| ()) {
            // The batch may have other calls.
            Some(batch) => drop(batch),
            None => self.origin.caller.outlet.give_up(),
        }
        self.cancelled.store(true, Ordering::Release);
        self.cancellation.notify_waiters();
    }

    /// Lets no more notifications of this call through; to be called before its response is sent. Returns the batch that
    /// the response belongs to, if there is one; the last to drop it sends it.
    pub(crate) fn close(&self) -> Option<Arc<Batch>> {
        self.close_with(|sending| self.send_held(sending))
    }

    fn close_with(&self, last: impl FnOnce(&mut Sending)) -> Option<Arc<Batch>> {
        #[cfg(feature = "ask")]
        self.asking.end();
        let mut sending = self.sending();
        last(&mut sending);
        sending.closed = true;
        sending.batch.take()
    }

    /// Sends the last report of progress, if it has come too soon after others: it is the one that matters most.
    fn send_held(&self, sending: &mut Sending) {
        let Some(progress) = &mut sending.progress else { return };
        if let Some(frame) = progress.take_held().filter(|_| !sending.closed) {
            self.origin.caller.outlet.offer(&frame);
        }
    }

    /// Sends the last report of progress, before the call waits for long.
    #[cfg(feature = "ask")]
    pub(crate) fn flush_progress(&self) {
        self.send_held(&mut self.sending());
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled.
    pub(crate) async fn cancelled(&self) {
        // The future exists before the flag is read, so a cancellation between the two is not missed.
        let notified = self.cancellation.notified();
        if !self.is_cancelled() {
            notified.await;
        }
    }

    /// Sends a report of progress, unless it is no step forward.
    pub(crate) fn report(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.origin.progress_token else { return };
        let params = ProgressNotification {
            progress_token: token.as_raw(),
            progress,
            total: total.filter(|total| total.is_finite()),
            message: message.filter(|_| self.origin.revision.has_annotations()),
        };
        let mut frame = outlet::frame();
        jsonrpc::write_notification(&mut frame, "notifications/progress", &params);
        // Under the lock, so that no report is sent after the response, and none overtakes another.
        let mut sending = self.sending();
        if sending.closed {
            return;
        }
        let reports = sending.progress.get_or_insert_default();
        if let Some(frame) = reports.admit(progress, frame, Instant::now()) {
            self.origin.caller.outlet.offer(&frame);
        }
    }

    /// Sends a log message, if the client wants to have those of its level; otherwise it is for the log of the server.
    pub(crate) fn log<T: Serialize + ?Sized>(&self, level: LogLevel, logger: Option<&str>, data: &T) {
        if self.origin.logs_to_client && self.wants_log(level) {
            self.send_log(level, logger, data);
        } else {
            log_here(level, logger, data);
        }
    }

    /// Sends a log message that the client wants to have.
    pub(crate) fn send_log<T: Serialize + ?Sized>(&self, level: LogLevel, logger: Option<&str>, data: &T) {
        // A message is one line, and raw JSON of the user's can hold line breaks.
        let written = serde_json::to_string(data).and_then(|json| RawValue::from_string(on_one_line(json)));
        let data = match written {
            Ok(data) => data,
            Err(error) => return tracing::warn!(%error, "a log message cannot be written as JSON"),
        };
        let mut frame = outlet::frame();
        let params = MessageParams { level, logger, data: &data };
        jsonrpc::write_notification(&mut frame, "notifications/message", &params);
        let sending = self.sending();
        if !sending.closed {
            self.origin.caller.outlet.offer(&frame);
        }
    }

    /// Whether the client wants to have log messages of a level.
    pub(crate) fn wants_log(&self, level: LogLevel) -> bool {
        let least = if self.origin.revision.is_modern() {
            self.origin.log_level
        } else {
            self.origin.caller.peer.as_ref().map(|peer| peer.log_level())
        };
        least.is_some_and(|least| level >= least)
    }

    /// Ends the stream that the answer is awaited on. Returns whether it does.
    pub(crate) fn close_stream(&self, retry: Duration) -> bool {
        let sending = self.sending();
        !sending.closed && self.origin.caller.outlet.close_stream(retry)
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn sending(&self) -> MutexGuard<'_, Sending> {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a message to the log of the server.
fn log_here<T: Serialize + ?Sized>(level: LogLevel, logger: Option<&str>, data: &T) {
    let data = match serde_json::to_value(data) {
        Ok(data) => data,
        Err(error) => return tracing::warn!(%error, logger, "a log message cannot be written as JSON"),
    };
    // A line that a client has a part in must not look like several.
    let text = on_one_line(data.as_str().map_or_else(|| json::text(&data), str::to_owned));
    match level {
        LogLevel::Debug => tracing::debug!(logger, "{text}"),
        LogLevel::Info | LogLevel::Notice => tracing::info!(logger, "{text}"),
        LogLevel::Warning => tracing::warn!(logger, "{text}"),
        LogLevel::Error | LogLevel::Critical | LogLevel::Alert | LogLevel::Emergency => {
            tracing::error!(logger, "{text}");
        }
    }
}
