//! What a tool can know and do about the call it serves.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::Notify;

use crate::batch::Batch;
#[cfg(feature = "http")]
use crate::http::HttpOrigin;
use crate::json::View;
use crate::jsonrpc::{self, RequestId};
use crate::outlet::{self, Outlet};
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::progress::ProgressNotification;
use crate::protocol::{Implementation, Revision};

/// What a request says about itself that its call may need later.
#[derive(Debug, Clone)]
pub(crate) struct CallOrigin {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    pub(crate) progress_token: Option<RequestId>,
    pub(crate) outlet: Arc<dyn Outlet>,
    /// `_meta` of the request, unread.
    pub(crate) meta: Option<Box<RawValue>>,
    /// What the client of a legacy session says it is.
    pub(crate) client: Option<Arc<Implementation>>,
    /// What the request came with, if it came over HTTP.
    #[cfg(feature = "http")]
    pub(crate) http: Option<Arc<HttpOrigin>>,
}

impl CallOrigin {
    /// How many bytes it holds besides itself.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let token = self.progress_token.as_ref().map_or(0, |token| token.as_json().len());
        self.id.as_json().len() + token + self.meta.as_ref().map_or(0, |meta| meta.get().len())
    }

    /// `_meta` of the request; without members if there is none.
    pub(crate) fn meta(&self) -> Map<String, Value> {
        let Some(View::Object(members)) = self.meta.as_ref().and_then(|meta| View::of(meta.get())) else {
            return Map::new();
        };
        // Each by itself: one that cannot be read, such as a number beyond all floats, must not hide the others.
        let read = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or_default();
        members.into_iter().map(|(name, raw)| (name.into_owned(), read(raw))).collect()
    }

    /// The head of the request, if it came over HTTP.
    #[cfg(feature = "http")]
    pub(crate) fn head(&self) -> Option<&http::request::Parts> {
        self.http.as_deref().map(HttpOrigin::head)
    }

    /// The other end of the connection, if it is one of the server's own.
    #[cfg(feature = "http")]
    pub(crate) fn peer(&self) -> Option<std::net::SocketAddr> {
        self.http.as_ref()?.peer()
    }

    /// What the client says it is: that of the session, or in the modern era the request itself. There it need not be, and
    /// what is malformed proves no more than what is missing.
    pub(crate) fn client(&self) -> Option<Implementation> {
        if self.revision.is_modern() {
            return meta::object::<RequestMeta<'_>>(self.meta.as_ref()?, "_meta").ok()?.client();
        }
        self.client.as_deref().cloned()
    }
}

/// A call in flight, as seen by those who may end it and by its tool.
#[derive(Debug)]
pub(crate) struct CallState {
    pub(crate) origin: CallOrigin,
    cancelled: AtomicBool,
    cancellation: Notify,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// The last value that was sent. The protocol wants each to be greater than the one before.
    last: f64,
    /// Whether the call has ended, so that nothing may be sent for it any more.
    closed: bool,
    /// Where the response goes if the call came in a batch. A cancelled call has none, and the batch need not wait for it.
    batch: Option<Arc<Batch>>,
}

impl CallState {
    pub(crate) fn new(origin: CallOrigin) -> Self {
        Self {
            origin,
            cancelled: AtomicBool::new(false),
            cancellation: Notify::new(),
            progress: Mutex::new(Progress { last: f64::NEG_INFINITY, closed: false, batch: None }),
        }
    }

    /// Makes the call part of a batch.
    pub(crate) fn join(&self, batch: Arc<Batch>) {
        self.progress().batch = Some(batch);
    }

    /// Asks the call to end. Nothing more is sent for it from here on.
    pub(crate) fn cancel(&self) {
        match self.close() {
            // The batch may have other calls.
            Some(batch) => drop(batch),
            None => self.origin.outlet.give_up(),
        }
        self.cancelled.store(true, Ordering::Release);
        self.cancellation.notify_waiters();
    }

    /// Lets no more notifications of this call through; to be called before its response is sent. Returns the batch that
    /// the response belongs to, if there is one; the last to drop it sends it.
    pub(crate) fn close(&self) -> Option<Arc<Batch>> {
        let mut progress = self.progress();
        progress.closed = true;
        progress.batch.take()
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

    /// Nothing panics while the lock is held, and a number and a flag cannot be half written.
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The call that a tool serves: take `&Context` as a parameter, in any position, and it is there.
///
/// It is not part of the tool's schema.
///
/// # Examples
/// ```
/// use mcp_runtime::{Context, tool};
///
/// /// Counts the words of many files.
/// #[tool]
/// async fn count_words(files: Vec<String>, ctx: &Context) -> usize {
///     let mut words = 0;
///     for (done, file) in (1_u32..).zip(&files) {
///         words += file.split_whitespace().count();
///         ctx.progress(done.into(), Some(files.len() as f64), Some(file));
///     }
///     words
/// }
/// ```
#[derive(Debug)]
pub struct Context {
    state: Arc<CallState>,
}

impl Context {
    pub(crate) fn new(state: Arc<CallState>) -> Self {
        Self { state }
    }

    /// The id of the request, as it stands in JSON.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.state.origin.id
    }

    /// The protocol revision that the client speaks.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.state.origin.revision
    }

    /// `_meta` of the request, with the members that the protocol defines and those that it does not; empty if there is
    /// none. A value that cannot be read, such as one that is nested too deeply, is null. It is never part of the
    /// arguments.
    ///
    /// # Spec
    /// 2026-07-28, `basic/index`, "_meta".
    #[must_use]
    pub fn meta(&self) -> Map<String, Value> {
        self.state.origin.meta()
    }

    /// What the client says it is, if it does. Nothing proves it.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        self.state.origin.client()
    }

    /// Tells the client how far the call is: `progress` of `total`, in any unit, with a sentence if there is one to say.
    ///
    /// Only a client that asked for progress gets it. The protocol wants each value to be greater than the one before,
    /// so a report that is not is dropped, and so is one that is no finite number. A client that does not read loses
    /// reports too, and no responses.
    ///
    /// # Spec
    /// 2026-07-28, `basic/utilities/progress`.
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let origin = &self.state.origin;
        let Some(token) = &origin.progress_token else { return };
        let params = ProgressNotification {
            progress_token: token.as_raw(),
            progress,
            total: total.filter(|total| total.is_finite()),
            message: message.filter(|_| origin.revision.has_annotations()),
        };
        let mut frame = outlet::frame();
        jsonrpc::write_notification(&mut frame, "notifications/progress", &params);
        // Under the lock, so that no report is sent after the response, and none overtakes another.
        let mut last = self.state.progress();
        if progress.is_finite() && progress > last.last && !last.closed {
            last.last = progress;
            origin.outlet.offer(&frame);
        }
    }

    /// What the request came with over HTTP, but for its body: headers, method, path, and the extensions that layers in
    /// front of the server have put there. `None` on every other transport.
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn http(&self) -> Option<&http::request::Parts> {
        self.state.origin.head()
    }

    /// The other end of the connection that the request has come by, which behind a proxy is that of the proxy. `None` if
    /// the connection is not the server's own, as in an application that it is nested in, and on every other transport. axum
    /// tells it in an extension, `ConnectInfo<SocketAddr>`, where it is asked to.
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn peer_addr(&self) -> Option<std::net::SocketAddr> {
        self.state.origin.peer()
    }

    /// Ends the stream that the client awaits the answer on, so that a call which takes long holds no connection. The
    /// client asks for the rest after `retry`, and gets it then: the call goes on.
    ///
    /// Returns whether the stream is ended. That can only be over HTTP, in a session of revision 2025-11-25 whose client
    /// takes event streams; everywhere else nothing happens.
    ///
    /// # Spec
    /// 2025-11-25, `basic/transports`, "Sending Messages to the Server".
    #[expect(clippy::must_use_candidate, reason = "most tools do the same in either case")]
    pub fn close_stream(&self, retry: Duration) -> bool {
        let closing = self.state.progress();
        !closing.closed && self.state.origin.outlet.close_stream(retry)
    }

    /// Whether the client has cancelled the call. The future of an `async` tool is dropped then; a tool that computes
    /// without awaiting asks here from time to time.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled()
    }

    /// Waits until the client cancels the call, for work that has to be told.
    ///
    /// # Cancel safety
    /// May be dropped and called again.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.state.cancelled()
    }
}
