//! The endpoint as a service of tower: which request is served by what.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use tower_service::Service;

use super::body;
use super::calls::CallRunner;
use super::doors::Doors;
use super::events::{EventBody, EventStream, Head, Reader};
use super::gate::{Gate, Open, Stream};
use super::negotiate::{Formats, check_content};
use super::origin::HttpOrigin;
use super::response::{self, HttpBody, Refusal};
use super::session::Common;
use super::sessions::Sessions;
use super::settings::Http;
use super::{legacy, message, streams};
use crate::handle::ServerHandle;
use crate::jsonrpc::RequestId;
use crate::limits::DRAIN_GRACE;
use crate::outlet::Outlet as _;
use crate::{request, wire};

/// A server as a service of tower, for one endpoint: to be nested in an application of axum, or to be given to hyper. Cheap
/// to clone; every clone is the same endpoint. [`Server::into_service`](crate::Server::into_service) makes it.
///
/// The layers of the application apply to it: what an authenticating one puts into the extensions of the request,
/// tools take as [`Extension<T>`](crate::Extension).
///
/// # Examples
/// ```
/// use mcp_runtime::{Server, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// async fn add(a: i32, b: i32) -> i64 {
///     i64::from(a) + i64::from(b)
/// }
///
/// # async fn application() -> Result<axum::Router, mcp_runtime::StartError> {
/// let service = Server::new("adder", "1.0.0").tools(tools![add]).into_service().await?;
/// let application = axum::Router::new().route_service("/mcp", service);
/// # Ok(application)
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService(pub(super) Arc<Endpoint>);

impl std::fmt::Debug for HttpService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService").field("server", &self.0.server).finish_non_exhaustive()
    }
}

/// What all requests share.
pub(super) struct Endpoint {
    pub(super) server: ServerHandle,
    pub(super) settings: Http,
    doors: Doors,
    pub(super) sessions: Arc<Sessions>,
    pub(super) common: Arc<Common>,
    pub(super) runner: CallRunner,
    pub(super) gate: Arc<Gate>,
}

impl HttpService {
    pub(crate) fn new(server: ServerHandle, settings: Http) -> Self {
        // What is wrong with the lists has kept the server from starting.
        let doors = settings.doors().unwrap_or_else(|_| Doors::new(Some(Vec::new()), Some(Vec::new())));
        let common = Common {
            dispatch: Arc::clone(server.dispatch()),
            limits: server.limits().clone(),
            store: Arc::clone(&settings.events),
        };
        Self(Arc::new(Endpoint {
            doors,
            sessions: Arc::new(Sessions::new(
                settings.max_sessions,
                settings.session_idle,
                settings.session_prefix.clone(),
            )),
            common: Arc::new(common),
            runner: CallRunner::new(settings.max_calls, server.limits().max_waiting_bytes),
            gate: Arc::default(),
            server,
            settings,
        }))
    }

    /// How long what is being answered may take at the end.
    pub(super) fn grace(&self) -> Duration {
        self.0.server.limits().shutdown_grace
    }

    /// Ends the service in order: further requests are refused with status 503, streams that tell of changes are closed at
    /// once, and what is being answered may still end within the [grace time](crate::Server::shutdown_grace). Then all
    /// sessions end, and [`on_shutdown`](crate::Server::on_shutdown) runs.
    ///
    /// Without it, open streams keep an application from a graceful shutdown of its own. It ends what is the service's, and
    /// no more: a client that sends half a request, or does not read, is for the application's own server to give up on.
    ///
    /// # Examples
    /// ```no_run
    /// # use mcp_runtime::{ServeError, Server, http::HttpService};
    /// # async fn stopped() {}
    /// # async fn run(listener: tokio::net::TcpListener, service: HttpService) -> std::io::Result<()> {
    /// let application = axum::Router::new().route_service("/mcp", service.clone());
    /// let stop = async move {
    ///     stopped().await;
    ///     service.shut_down().await;
    /// };
    /// axum::serve(listener, application).with_graceful_shutdown(stop).await
    /// # }
    /// ```
    pub async fn shut_down(&self) {
        let Endpoint { gate, sessions, server, runner, .. } = &*self.0;
        gate.close();
        // That the time is over is no failure.
        let _ = tokio::time::timeout(server.limits().shutdown_grace, gate.idle()).await;
        gate.give_up();
        sessions.end_everything();
        // What is given up is dropped at its next await: before the hooks, which may close what it uses.
        let _ = tokio::time::timeout(DRAIN_GRACE, runner.idle()).await;
        server.shut_down().await;
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        Box::pin(self.serve(request, None))
    }
}

impl HttpService {
    /// Serves a request of a connection with that peer.
    pub(super) fn serve<B>(
        &self,
        request: Request<B>,
        peer: Option<SocketAddr>,
    ) -> impl Future<Output = Result<Response<HttpBody>, Infallible>> + use<B>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let endpoint = Arc::clone(&self.0);
        async move {
            let answered = endpoint.serve(request, peer).await;
            Ok(answered.unwrap_or_else(Refusal::into_response))
        }
    }
}

/// How far a request is served.
pub(super) enum Served {
    Now(Result<Response<HttpBody>, Refusal>),
    /// Its answer has to be waited for. In a box of its own, since most requests need none, and a future is moved as a
    /// whole.
    Later {
        response: Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Refusal>> + Send>>,
        /// The request that a refusal would answer.
        id: Option<RequestId>,
    },
}

impl Served {
    pub(super) fn later(response: impl Future<Output = Result<Response<HttpBody>, Refusal>> + Send + 'static) -> Self {
        Self::Later { response: Box::pin(response), id: None }
    }

    /// Lets a refusal say which request it answers.
    pub(super) fn answering(self, id: &RequestId) -> Self {
        match self {
            Self::Now(response) => Self::Now(response.map_err(|refusal| refusal.answering(id))),
            Self::Later { response, .. } => Self::Later { response, id: Some(id.clone()) },
        }
    }

    async fn response(self) -> Result<Response<HttpBody>, Refusal> {
        match self {
            Self::Now(response) => response,
            Self::Later { response, id: None } => response.await,
            Self::Later { response, id: Some(id) } => response.await.map_err(|refusal| refusal.answering(&id)),
        }
    }
}

impl From<Response<HttpBody>> for Served {
    fn from(response: Response<HttpBody>) -> Self {
        Self::Now(Ok(response))
    }
}

impl Endpoint {
    async fn serve<B>(
        self: &Arc<Self>,
        request: Request<B>,
        peer: Option<SocketAddr>,
    ) -> Result<Response<HttpBody>, Refusal>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        self.doors.check(&parts)?;
        self.check_open()?;
        match parts.method {
            Method::POST => {
                let formats = Formats::of_answer(&parts.headers)?;
                check_content(&parts.headers)?;
                let (max_bytes, timeout) = (self.settings.max_body_bytes, self.settings.body_timeout);
                let body = body::read(body, &parts.headers, max_bytes, timeout).await?;
                // The body may have taken its time. Whoever closes waits for those who wait after the flag is set, so one
                // of the two sees the other.
                let _waiting = self.gate.wait_in();
                self.check_open()?;
                let served = message::serve(self, HttpOrigin::new(parts, peer), &body, formats)?;
                // The call has what it needs of it.
                drop(body);
                served.response().await
            }
            Method::GET if self.settings.has_sessions => streams::open(self, &parts),
            Method::DELETE if self.settings.has_sessions => legacy::end_session(self, &parts),
            _ => Err(self.no_such_method(&parts)),
        }
    }

    fn check_open(&self) -> Result<(), Refusal> {
        if self.gate.is_closing() { Err(Refusal::busy("the server is about to end")) } else { Ok(()) }
    }

    fn no_such_method(&self, parts: &Parts) -> Refusal {
        let allowed = if self.settings.has_sessions { "GET, POST, DELETE" } else { "POST" };
        let what = format!("messages of the Model Context Protocol are sent with POST, not with {}", parts.method);
        Refusal::method(allowed, what)
    }

    /// The client that a request comes from, as far as somebody in front of the server knows.
    ///
    /// # Errors
    /// 500 if the user's function panics.
    pub(super) fn principal(&self, parts: &Parts) -> Result<Option<String>, Refusal> {
        let Some(principal) = &self.settings.principal else { return Ok(None) };
        let found = request::guarded(|| Ok(principal(parts)));
        found.map_err(|error| Refusal::with(StatusCode::INTERNAL_SERVER_ERROR, None, error))
    }

    /// Opens a stream that tells of changes.
    ///
    /// # Errors
    /// 503 if there are too many.
    pub(super) fn listen(&self, stream: Stream) -> Result<Open, Refusal> {
        let open = self.gate.listen(stream, self.settings.max_streams);
        open.ok_or_else(|| Refusal::busy("too many clients listen already"))
    }

    /// Answers with what a stream brings: one message, or events. What is `kept` ends with the answer.
    pub(super) fn deliver(
        self: &Arc<Self>,
        stream: &Arc<EventStream>,
        reader: Reader,
        formats: Formats,
        kept: impl Send + Sync + 'static,
    ) -> Served {
        match reader.head_now() {
            Some(Head::Events) => {
                let open = self.gate.open(Arc::downgrade(stream));
                Served::Now(self.begin(Head::Events, reader, formats, (kept, open)))
            }
            Some(head) => Served::Now(self.begin(head, reader, formats, kept)),
            None => {
                let (endpoint, stream) = (Arc::clone(self), Arc::clone(stream));
                Served::later(async move { endpoint.wait(&stream, reader, formats, kept).await })
            }
        }
    }

    /// Waits until it is clear how the answer begins.
    async fn wait(
        self: &Arc<Self>,
        stream: &Arc<EventStream>,
        reader: Reader,
        formats: Formats,
        kept: impl Send + Sync + 'static,
    ) -> Result<Response<HttpBody>, Refusal> {
        let open = self.gate.open(Arc::downgrade(stream));
        let head = if let Ok(head) = tokio::time::timeout(self.settings.keep_alive, reader.head()).await {
            head
        } else {
            // Events keep the connection from being taken for dead.
            stream.begin_events();
            reader.head().await
        };
        self.begin(head, reader, formats, (kept, open))
    }

    fn begin(
        &self,
        head: Head,
        reader: Reader,
        formats: Formats,
        kept: impl Send + Sync + 'static,
    ) -> Result<Response<HttpBody>, Refusal> {
        match head {
            Head::Json(frame) => Ok(response::json(StatusCode::OK, frame)),
            Head::Refusal(frame) => Ok(response::json(StatusCode::BAD_REQUEST, frame)),
            Head::Nothing if self.gate.is_over() => Err(Refusal::busy("the server has ended before the call")),
            Head::Nothing if !formats.events => Ok(response::empty(StatusCode::NO_CONTENT)),
            Head::Events | Head::Nothing => {
                let kept = (kept, self.gate.wait_in());
                Ok(response::events(EventBody::new(reader, self.settings.keep_alive, kept)))
            }
        }
    }

    /// Answers with a message that is there already.
    pub(super) fn respond(&self, frame: Vec<u8>, formats: Formats) -> Response<HttpBody> {
        if formats.json {
            wire::sent(&frame);
            return response::json(StatusCode::OK, frame);
        }
        let stream = Arc::new(EventStream::answer(formats, None, usize::MAX));
        let reader = stream.read();
        stream.respond(frame);
        response::events(EventBody::new(reader, self.settings.keep_alive, ()))
    }
}
