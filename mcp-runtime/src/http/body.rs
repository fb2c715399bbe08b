//! Reading the body of a request, within its bounds of size and time.

use std::error::Error;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::{HeaderMap, StatusCode, header};
use http_body::Body;
use tokio::time::Sleep;

use super::response::Refusal;

/// How much is reserved for a body before it has arrived.
const MAX_RESERVED_BYTES: usize = 1024 * 1024 + 4096;

/// Reads a whole body.
///
/// # Errors
/// 413 for one that is too large, 408 for one that takes too long, 400 for one that breaks off. The rest of it is not
/// read, so the connection is closed.
pub(super) async fn read<B>(body: B, headers: &HeaderMap, max_bytes: usize, timeout: Duration) -> Result<Bytes, Refusal>
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > max_bytes as u64) {
        return Err(too_large(max_bytes));
    }
    let length = announced.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    let mut collecting = pin!(collect(body, length, max_bytes));
    // Most bodies are there already, and need no timer.
    let mut alarm: Option<Pin<Box<Sleep>>> = None;
    poll_fn(|cx| {
        if let Poll::Ready(body) = collecting.as_mut().poll(cx) {
            return Poll::Ready(body);
        }
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        alarm.as_mut().poll(cx).map(|()| {
            let what = format!("the body did not arrive within {} s", timeout.as_secs_f64());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, what).closing())
        })
    })
    .await
}

/// Reads to the end; `length` is how long the body is said to be.
async fn collect<B>(body: B, length: usize, max_bytes: usize) -> Result<Bytes, Refusal>
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut body = pin!(body);
    let (mut first, mut all) = (Bytes::new(), Vec::new());
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|error| {
            let what = format!("the body broke off: {}", error.into());
            Refusal::new(StatusCode::BAD_REQUEST, what).closing()
        })?;
        // Trailers say nothing here.
        let Ok(mut data) = frame.into_data() else { continue };
        if first.len() + all.len() + data.remaining() > max_bytes {
            return Err(too_large(max_bytes));
        }
        if first.is_empty() && all.is_empty() {
            // Most bodies come in one piece, which is not copied.
            first = data.copy_to_bytes(data.remaining());
            continue;
        }
        if all.is_empty() {
            // As much as is needed, but not because somebody says so.
            all.reserve(length.min(MAX_RESERVED_BYTES).max(first.len() + data.remaining()));
            all.extend_from_slice(&std::mem::take(&mut first));
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            let length = chunk.len();
            all.extend_from_slice(chunk);
            data.advance(length);
        }
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

fn too_large(max_bytes: usize) -> Refusal {
    let what = format!("the body is larger than {max_bytes} bytes; the server's setting is `Http::max_body_bytes`");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what).closing()
}
