//! What a handler can know and do about the call it serves.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::call_state::CallState;
use crate::jsonrpc::RequestId;
use crate::protocol::{Implementation, LogLevel, Revision};

/// The call that a tool, a prompt or a resource serves: take `&Context` as a parameter, in any position, and it is there.
///
/// It is not part of the schema.
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

    /// The call.
    #[cfg(feature = "ask")]
    pub(crate) fn state(&self) -> &CallState {
        &self.state
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
    /// so a report that is not is dropped, and so is one that is no finite number. Of many in a row, most are left out: one
    /// in 20 milliseconds is sent after the first 16, and the last one in any case. A client that does not read loses reports
    /// too, and no responses.
    ///
    /// # Spec
    /// 2026-07-28, `basic/utilities/progress`.
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        self.state.report(progress, total, message);
    }

    /// Sends a log message to the client, if the server [logs to its clients](crate::Server::client_logging) and the client
    /// wants to have messages of this level; otherwise it goes to the log of the server. `data` is any JSON, most often a
    /// text. It must not hold secrets.
    ///
    /// A legacy client says which level it wants for the whole session, and has those from [`LogLevel::Info`] on until it
    /// does. In revision 2026-07-28, where this is deprecated, each request says so, and gets none if it does not.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{Context, LogLevel, tool};
    ///
    /// /// Read a sensor.
    /// #[tool]
    /// fn temperature(ctx: &Context) -> f64 {
    ///     ctx.log(LogLevel::Notice, "the sensor is old");
    ///     21.5
    /// }
    /// ```
    ///
    /// # Spec
    /// 2026-07-28, `server/utilities/logging`.
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        self.state.log(level, None, &data);
    }

    /// Like [`log`](Self::log), in the name of a part of the server.
    pub fn log_as(&self, logger: &str, level: LogLevel, data: impl Serialize) {
        self.state.log(level, Some(logger), &data);
    }

    /// The URI that is read, in the handler of a resource.
    #[must_use]
    pub fn resource_uri(&self) -> Option<&str> {
        self.state.origin.uri.as_deref()
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
        self.state.close_stream(retry)
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
