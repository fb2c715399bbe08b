//! Serving the endpoint on a listener: connections, their bounds, and their end.

use std::convert::Infallible;
use std::future::{Future, poll_fn, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower_service::Service as _;

use super::response::{HttpBody, Refusal};
use super::service::HttpService;
use super::settings::Http;
use crate::limits::DRAIN_GRACE;

/// How long nothing is accepted after the system had no more room for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The address of the peer of a connection, in the extensions of each request that
/// [`Server::serve_http`](crate::Server::serve_http) or `--http` serves. Behind a proxy it is that of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddr(pub SocketAddr);

/// What every connection needs.
struct Connections {
    service: HttpService,
    settings: Http,
    places: Arc<Semaphore>,
    /// Told when the connections shall end.
    closing: watch::Receiver<()>,
}

/// Serves until `stop` ends, then lets what is being answered end.
///
/// # Errors
/// If the listener fails.
pub(crate) async fn serve(
    listener: TcpListener,
    service: HttpService,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let settings = service.0.settings.clone();
    let places = Arc::new(Semaphore::new(settings.max_connections.clamp(1, Semaphore::MAX_PERMITS)));
    let (close, closing) = watch::channel(());
    let connections = Arc::new(Connections { service: service.clone(), settings, places, closing });
    let mut open = JoinSet::new();
    let mut stop = pin!(stop);
    while let Some(accepted) = until(stop.as_mut(), accept(&listener, &connections.places)).await {
        // Those that have ended.
        while open.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer, place)) => {
                open.spawn(connect(Arc::clone(&connections), stream, peer, place));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                if until(stop.as_mut(), tokio::time::sleep(ACCEPT_PAUSE)).await.is_none() {
                    break;
                }
            }
        }
    }
    drop(listener);
    close.send_replace(());
    service.shut_down().await;
    // What is answered has to be written; a client that does not read does not keep the server.
    let _ = tokio::time::timeout(DRAIN_GRACE, async { while open.join_next().await.is_some() {} }).await;
    Ok(())
}

/// Accepts a connection once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

/// What `work` comes to, or `None` if `stop` ends before.
async fn until<T>(mut stop: Pin<&mut impl Future<Output = ()>>, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    poll_fn(|cx| match stop.as_mut().poll(cx) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => work.as_mut().poll(cx).map(Some),
    })
    .await
}

/// Serves one connection.
async fn connect(connections: Arc<Connections>, stream: TcpStream, peer: SocketAddr, _place: OwnedSemaphorePermit) {
    // An answer is written at once, and would wait for an acknowledgement otherwise.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
    let settings = &connections.settings;
    let service = service_fn(|request| answer(&connections, request, peer));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.head_timeout)
        .max_buf_size(settings.max_head_bytes.max(MIN_HEAD_BYTES))
        .serve_connection(TokioIo::new(stream), service);
    let (mut connection, mut closing) = (pin!(connection), connections.closing.clone());
    let mut closed = pin!(closing.changed());
    let mut is_closing = false;
    let served = poll_fn(|cx| {
        if !is_closing && closed.as_mut().poll(cx).is_ready() {
            is_closing = true;
            connection.as_mut().graceful_shutdown();
        }
        connection.as_mut().poll(cx)
    });
    if let Err(error) = served.await {
        tracing::debug!(%error, %peer, "a connection has failed");
    }
}

/// The least that the parser of heads works with, in bytes.
const MIN_HEAD_BYTES: usize = 8192;

type Answered = Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Infallible>> + Send>>;

/// Answers one request: those for the endpoint, which has one path.
fn answer(connections: &Connections, mut request: Request<Incoming>, peer: SocketAddr) -> Answered {
    let path = &connections.settings.path;
    if request.uri().path() == path {
        request.extensions_mut().insert(PeerAddr(peer));
        return connections.service.clone().call(request);
    }
    let refusal = Refusal::new(StatusCode::NOT_FOUND, format!("nothing is here; the endpoint is `{path}`"));
    Box::pin(ready(Ok(refusal.into_response())))
}
