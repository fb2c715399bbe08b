//! Headers that a request has once or not at all.

use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};

/// A header that is there more than once.
#[derive(Debug)]
pub(super) struct Repeated;

/// The value of a header that a request has once or not at all.
pub(super) fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a HeaderValue>, Repeated> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    // Nearly no request has any header twice, and then it need not be looked for.
    let is_repeated = headers.len() > headers.keys_len() && headers.get_all(name).iter().nth(1).is_some();
    if is_repeated { Err(Repeated) } else { Ok(Some(value)) }
}
