//! One connection: its requests, and when it has been idle for too long.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

use super::response::{HttpBody, Refusal};
use super::service::HttpService;
use super::settings::Http;

/// The least that the parser of heads works with, in bytes.
const MIN_HEAD_BYTES: usize = 8192;

/// A time that no connection lives to see, and that no clock overflows with.
const FAR: Duration = Duration::from_secs(86_400 * 365);

/// What every connection needs.
pub(super) struct Connections {
    pub(super) service: HttpService,
    pub(super) settings: Http,
    /// Told when the connections shall end.
    pub(super) closing: watch::Receiver<()>,
}

/// Serves one connection.
pub(super) async fn serve(
    connections: Arc<Connections>,
    stream: TcpStream,
    peer: SocketAddr,
    _place: OwnedSemaphorePermit,
) {
    // An answer is written at once, and would wait for an acknowledgement otherwise.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
    let (settings, idleness) = (&connections.settings, Arc::new(Idleness::default()));
    let service = service_fn(|request| answer(&connections, request, peer, idleness.busy()));
    let connection = http1::Builder::new()
        .max_buf_size(settings.max_head_bytes.max(MIN_HEAD_BYTES))
        .serve_connection(TokioIo::new(Watched { stream, idleness: Arc::clone(&idleness) }), service);
    let (mut connection, mut closing) = (pin!(connection), connections.closing.clone());
    let (mut closed, mut is_closing) = (pin!(closing.changed()), false);
    let mut alarm = pin!(tokio::time::sleep(settings.head_timeout));
    let served = poll_fn(|cx| {
        if !is_closing && closed.as_mut().poll(cx).is_ready() {
            is_closing = true;
            connection.as_mut().graceful_shutdown();
        }
        if let Poll::Ready(served) = connection.as_mut().poll(cx) {
            return Poll::Ready(served);
        }
        while alarm.as_mut().poll(cx).is_ready() {
            let deadline = idleness.deadline(settings.head_timeout);
            if deadline <= Instant::now() {
                // Nothing is being answered, or nobody reads the answer.
                return Poll::Ready(Ok(()));
            }
            alarm.as_mut().reset(deadline);
        }
        Poll::Pending
    });
    if let Err(error) = served.await {
        tracing::debug!(%error, %peer, "a connection has failed");
    }
}

/// Since when nothing has happened on a connection.
///
/// hyper could watch the time that a head takes, but sets a timer for each, which costs more than all the rest of a small
/// request. Here a timer is set once in that time.
#[derive(Debug)]
struct Idleness(Mutex<Times>);

#[derive(Debug)]
struct Times {
    /// Since when there is no request, or since the client has read something of an answer that is whole; `None` while a
    /// request is served.
    idle: Option<Instant>,
    /// Since when something waits that the client does not read, whatever is served.
    blocked: Option<Instant>,
}

impl Default for Idleness {
    fn default() -> Self {
        Self(Mutex::new(Times { idle: Some(Instant::now()), blocked: None }))
    }
}

impl Idleness {
    /// A request is served, until what is returned is dropped.
    fn busy(self: &Arc<Self>) -> Busy {
        self.times().idle = None;
        Busy(Arc::clone(self))
    }

    /// Something was written, or waits for the client to read.
    fn wrote(&self, is_blocked: bool) {
        let mut times = self.times();
        if is_blocked {
            times.blocked.get_or_insert_with(Instant::now);
            return;
        }
        times.blocked = None;
        if let Some(idle) = &mut times.idle {
            *idle = Instant::now();
        }
    }

    /// When nothing has happened for so long, or could have at the earliest.
    fn deadline(&self, timeout: Duration) -> Instant {
        let times = self.times();
        let since = [times.idle, times.blocked].into_iter().flatten().min().unwrap_or_else(Instant::now);
        since.checked_add(timeout).unwrap_or_else(|| since + FAR)
    }

    /// Nothing panics under the lock.
    fn times(&self) -> MutexGuard<'_, Times> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that tells when the client reads.
#[derive(Debug)]
struct Watched {
    stream: TcpStream,
    idleness: Arc<Idleness>,
}

impl Watched {
    fn note(&self, written: &Poll<io::Result<usize>>) {
        self.idleness.wrote(written.is_pending());
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, buffers);
        self.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// A connection has a request.
#[derive(Debug)]
struct Busy(Arc<Idleness>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.times().idle = Some(Instant::now());
    }
}

/// Answers one request: those for the endpoint, which has one path.
fn answer(
    connections: &Connections,
    request: Request<Incoming>,
    peer: SocketAddr,
    busy: Busy,
) -> impl Future<Output = Result<Response<BusyBody>, Infallible>> + use<> {
    let is_here = request.uri().path() == connections.settings.path;
    let service = connections.service.clone();
    async move {
        let response = if is_here {
            service.serve(request, Some(peer)).await?
        } else {
            let what = format!("nothing is here; the endpoint is `{}`", service.0.settings.path);
            Refusal::new(StatusCode::NOT_FOUND, what).into_response()
        };
        Ok(response.map(|body| BusyBody { body, _busy: busy }))
    }
}

/// A body that the connection is busy with.
struct BusyBody {
    body: HttpBody,
    _busy: Busy,
}

impl Body for BusyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(30);

    /// How many seconds are left when so many more have passed.
    async fn left_after(seconds: u64, idleness: &Idleness) -> u64 {
        tokio::time::advance(Duration::from_secs(seconds)).await;
        idleness.deadline(TIMEOUT).saturating_duration_since(Instant::now()).as_secs()
    }

    fn paused(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime starts").block_on(test);
    }

    #[test]
    fn begins_anew_when_a_request_is_served() {
        paused(async {
            let idleness = Arc::new(Idleness::default());
            assert_eq!(left_after(20, &idleness).await, 10);
            let busy = idleness.busy();
            assert_eq!(left_after(100, &idleness).await, 30);
            drop(busy);
            assert_eq!(left_after(29, &idleness).await, 1);
            assert_eq!(left_after(1, &idleness).await, 0);
        });
    }

    #[test]
    fn goes_on_for_a_client_that_reads_slowly() {
        paused(async {
            let idleness = Arc::new(Idleness::default());
            drop(idleness.busy());
            for _ in 0..10 {
                idleness.wrote(true);
                assert_eq!(left_after(20, &idleness).await, 10);
                idleness.wrote(false);
                assert_eq!(left_after(0, &idleness).await, 30);
            }
        });
    }

    #[test]
    fn ends_for_a_client_that_does_not_read_whatever_is_served() {
        paused(async {
            let idleness = Arc::new(Idleness::default());
            let _busy = idleness.busy();
            idleness.wrote(true);
            assert_eq!(left_after(20, &idleness).await, 10);
            idleness.wrote(true);
            assert_eq!(left_after(10, &idleness).await, 0);
        });
    }
}
