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

/// How much memory a body is given at the least, in bytes, as soon as it comes in pieces.
const RESERVED_BYTES: usize = 64 * 1024;

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
    let mut received = Received::default();
    // Most bodies are there already, and need no timer.
    let mut alarm: Option<Pin<Box<Sleep>>> = None;
    poll_fn(|cx| {
        while let Poll::Ready(frame) = body.as_mut().poll_frame(cx) {
            match frame {
                Some(Ok(frame)) => {
                    // What comes after the body, if anything does, says nothing here.
                    if let Ok(piece) = frame.into_data() {
                        received.push(piece, announced);
                    }
                }
                Some(Err(error)) => return Poll::Ready(Err(failed(&*error, max_bytes))),
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

/// What has come of a body.
#[derive(Debug, Default)]
enum Received {
    #[default]
    Nothing,
    /// One piece, as most bodies are; where it is `Bytes` already, it is not copied.
    One(Bytes),
    /// The bytes of several. Each is let go at once, so that the connection can read into the same memory again.
    Several(Vec<u8>),
}

impl Received {
    /// Takes the next piece of a body for which so many bytes are `announced`.
    fn push(&mut self, mut piece: impl Buf, announced: Option<usize>) {
        let count = piece.remaining();
        if count == 0 {
            return;
        }
        *self = match std::mem::take(self) {
            Self::Nothing => Self::One(piece.copy_to_bytes(count)),
            Self::One(first) => {
                let mut all = Vec::new();
                make_room(&mut all, first.len() + count, announced);
                all.put(first);
                all.put(piece);
                Self::Several(all)
            }
            Self::Several(mut all) => {
                make_room(&mut all, count, announced);
                all.put(piece);
                Self::Several(all)
            }
        };
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::One(piece) => piece,
            Self::Several(all) => all.into(),
        }
    }
}

/// Makes room for so many bytes more: for all that is announced, if that is not much more than has come. Whoever sends nothing
/// of what they announce is not to be given the memory for it.
fn make_room(all: &mut Vec<u8>, count: usize, announced: Option<usize>) {
    let needed = all.len() + count;
    if needed > all.capacity() {
        let wanted = needed.saturating_mul(2).max(RESERVED_BYTES);
        let capacity = announced.map_or(wanted, |announced| wanted.min(announced)).max(needed);
        all.reserve_exact(capacity - all.len());
    }
}

fn failed(error: &(dyn Error + Send + Sync + 'static), max_bytes: usize) -> Refusal {
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

    use super::{RESERVED_BYTES, Received};

    fn received<'a>(announced: Option<usize>, pieces: impl IntoIterator<Item = &'a [u8]>) -> Received {
        let mut received = Received::default();
        for piece in pieces {
            received.push(piece, announced);
        }
        received
    }

    #[test]
    fn copies_nothing_of_a_body_that_comes_in_one_piece() {
        let piece = Bytes::from(vec![b'x'; 1000]);
        let mut received = Received::default();
        for piece in [Bytes::new(), piece.clone(), Bytes::new()] {
            received.push(piece, Some(2000));
        }
        let body = received.into_bytes();
        assert_eq!((body.as_ptr(), body.len()), (piece.as_ptr(), 1000));
    }

    #[test]
    fn joins_the_pieces_whatever_is_announced() {
        let pieces = ["", "one", "two", "", "six"].map(str::as_bytes);
        for announced in [None, Some(0), Some(5), Some(9), Some(100), Some(usize::MAX)] {
            assert_eq!(received(announced, pieces).into_bytes(), "onetwosix");
        }
        let piece = [b'x'; 1000];
        assert_eq!(received(None, vec![piece.as_slice(); 1000]).into_bytes(), piece.repeat(1000));
        assert_eq!(received(Some(5), []).into_bytes(), "");
    }

    #[test]
    fn makes_room_for_what_is_announced_and_not_for_much_more_than_has_come() {
        let capacity = |announced, pieces: &[&[u8]]| match received(announced, pieces.iter().copied()) {
            Received::Several(all) => all.capacity(),
            other => panic!("{other:?} is not several pieces"),
        };
        assert_eq!(capacity(Some(9), &[b"one", b"two"]), 9);
        assert_eq!(capacity(Some(usize::MAX), &[b"one", b"two"]), RESERVED_BYTES);
        let half = vec![b'x'; RESERVED_BYTES / 2];
        assert_eq!(capacity(Some(RESERVED_BYTES + 1), &[&half, &half, b"x"]), RESERVED_BYTES + 1);
        assert_eq!(capacity(Some(usize::MAX), &[&half, &half, b"x"]), 2 * RESERVED_BYTES);
    }
}
