//! Serving the endpoint on a listener: accepting connections, their bound, and their end.

use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::connection::{self, Connections};
use super::service::HttpService;
use crate::limits::DRAIN_GRACE;

/// How long nothing is accepted after the system had no more room for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `stop` ends, then lets what is being answered end.
pub(crate) async fn serve(listener: TcpListener, service: HttpService, stop: impl Future<Output = ()>) {
    let settings = service.0.settings.clone();
    let places = Arc::new(Semaphore::new(settings.max_connections.clamp(1, Semaphore::MAX_PERMITS)));
    let (close, closing) = watch::channel(());
    let connections = Arc::new(Connections { service: service.clone(), settings, closing });
    let mut open = JoinSet::new();
    let mut stop = pin!(stop);
    while let Some(accepted) = until(stop.as_mut(), accept(&listener, &places)).await {
        // Those that have ended.
        while open.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer, place)) => {
                open.spawn(connection::serve(Arc::clone(&connections), stream, peer, place));
            }
            // One that has gone before it was accepted says nothing about the next.
            Err(error) if is_of_one(&error) => tracing::debug!(%error, "a connection broke off"),
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
    let now = Instant::now();
    let deadline = now.checked_add(service.grace()).unwrap_or(now);
    service.shut_down().await;
    // What is answered has to be written; a client that does not read does not keep the server.
    let until = deadline.max(Instant::now() + DRAIN_GRACE);
    let _ = tokio::time::timeout_at(until, async { while open.join_next().await.is_some() {} }).await;
}

/// Whether an error is one of the connection that was to be accepted, and not of the listener.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
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
