//! Reading the body of a request, within its bounds of size and time.

use std::error::Error;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, BufMut as _, Bytes};
use http::{HeaderMap, StatusCode, header};
use http_body::Body;
use http_body_util::{LengthLimitError, Limited};
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
    let announced = match announced.map(usize::try_from) {
        Some(Ok(length)) if length <= max_bytes => Some(length),
        Some(_) => return Err(too_large(max_bytes)),
        None => None,
    };
    let mut body = pin!(Limited::new(body, max_bytes));
    let mut received = Received { announced, ..Received::default() };
    // Most bodies are there already, and need no timer.
    let mut alarm: Option<Pin<Box<Sleep>>> = None;
    poll_fn(|cx| {
        while let Poll::Ready(frame) = body.as_mut().poll_frame(cx) {
            match frame {
                Some(Ok(frame)) => {
                    // What comes after the body, if anything does, says nothing here.
                    if let Ok(piece) = frame.into_data() {
                        received.push(piece);
                    }
                }
                Some(Err(error)) => return Poll::Ready(Err(broken_off(&*error, max_bytes))),
                None => return Poll::Ready(Ok(std::mem::take(&mut received).into_bytes())),
            }
        }
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        alarm.as_mut().poll(cx).map(|()| {
            let what = format!("the body did not arrive within {} s", timeout.as_secs_f64());
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, what).closing())
        })
    })
    .await
}

/// What has come of a body. Most come in one piece, which is not copied; of the others, each piece is let go at once, so that
/// whoever reads can use its place again.
#[derive(Debug, Default)]
struct Received {
    first: Bytes,
    /// Everything, if there is more than one piece.
    all: Vec<u8>,
    /// How many bytes there will be, as far as the client says.
    announced: Option<usize>,
}

impl Received {
    fn push(&mut self, mut piece: impl Buf) {
        if !piece.has_remaining() {
            return;
        }
        if self.all.is_empty() && self.first.is_empty() {
            self.first = piece.copy_to_bytes(piece.remaining());
            return;
        }
        if self.all.is_empty() {
            let known = self.first.len() + piece.remaining();
            self.all.reserve_exact(self.announced.unwrap_or_default().max(known));
            self.all.put(std::mem::take(&mut self.first));
        }
        self.all.put(piece);
    }

    fn into_bytes(self) -> Bytes {
        if self.all.is_empty() { self.first } else { self.all.into() }
    }
}

fn broken_off(error: &(dyn Error + Send + Sync + 'static), max_bytes: usize) -> Refusal {
    if is_of_length(error) {
        return too_large(max_bytes);
    }
    Refusal::new(StatusCode::BAD_REQUEST, format!("the body broke off: {error}")).closing()
}

/// Whether a body was too long, for the limit here or for that of a layer in front.
fn is_of_length(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_of_length)
}

fn too_large(max_bytes: usize) -> Refusal {
    let what = format!("the body is larger than {max_bytes} bytes; the server's setting is `Http::max_body_bytes`");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what).closing()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::Received;

    #[test]
    fn copies_nothing_of_a_body_that_comes_in_one_piece() {
        let piece = Bytes::from(vec![b'x'; 1000]);
        let mut received = Received { announced: Some(1000), ..Received::default() };
        received.push(piece.clone());
        received.push(Bytes::new());
        let body = received.into_bytes();
        assert_eq!((body.as_ptr(), body.len()), (piece.as_ptr(), 1000));
    }

    #[test]
    fn makes_room_once_for_what_is_announced() {
        let mut received = Received { announced: Some(9), ..Received::default() };
        for piece in ["", "one", "two", "six"] {
            received.push(piece.as_bytes());
        }
        assert_eq!(received.all.capacity(), 9);
        assert_eq!(received.into_bytes(), "onetwosix");
    }

    #[test]
    fn takes_a_body_of_any_length_where_none_is_announced() {
        let mut received = Received::default();
        for _ in 0..1000 {
            received.push(b"piece".as_slice());
        }
        assert_eq!(received.into_bytes(), "piece".repeat(1000));
        assert_eq!(Received::default().into_bytes(), "");
    }
}
