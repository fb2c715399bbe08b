//! Reading the body of a request, within its bounds of size and time.

use std::error::Error;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::Sleep;

use super::response::Refusal;

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
    let mut collecting = pin!(Limited::new(body, max_bytes).collect());
    // Most bodies are there already, and need no timer.
    let mut alarm: Option<Pin<Box<Sleep>>> = None;
    poll_fn(|cx| {
        if let Poll::Ready(collected) = collecting.as_mut().poll(cx) {
            return Poll::Ready(match collected {
                Ok(body) => Ok(body.to_bytes()),
                Err(error) if is_of_length(&*error) => Err(too_large(max_bytes)),
                Err(error) => {
                    let what = format!("the body broke off: {error}");
                    Err(Refusal::new(StatusCode::BAD_REQUEST, what).closing())
                }
            });
        }
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        alarm.as_mut().poll(cx).map(|()| {
            let what = format!("the body did not arrive within {} s", timeout.as_secs_f64());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, what).closing())
        })
    })
    .await
}

/// Whether a body was too long, for the limit here or for that of a layer in front.
fn is_of_length(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_of_length)
}

fn too_large(max_bytes: usize) -> Refusal {
    let what = format!("the body is larger than {max_bytes} bytes; the server's setting is `Http::max_body_bytes`");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what).closing()
}
