//! What the client takes and what it sends, by its `Accept`, `Content-Type` and `Content-Encoding`.

use http::header::{self, HeaderMap};
use http::{HeaderValue, StatusCode};

use super::header::only;
use super::response::Refusal;

/// The forms of an answer that the client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Formats {
    pub(super) json: bool,
    pub(super) events: bool,
}

/// How well an entry of `Accept` fits: the better one decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Any,
    Type,
    Exact,
}

impl Formats {
    /// What the client takes. A client that says nothing takes everything.
    ///
    /// Spec: RFC 9110, section 12.5.1.
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        const BOTH: Formats = Formats { json: true, events: true };
        match only(headers, &header::ACCEPT) {
            Ok(None) => return BOTH,
            // As nearly all clients write it.
            Ok(Some(accept)) if accept == "application/json, text/event-stream" => return BOTH,
            _ => {}
        }
        let accept = || headers.get_all(header::ACCEPT).iter();
        let takes = |ty, subtype| {
            let entries = accept().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
            let fits = entries.filter_map(|entry| fit(entry, ty, subtype));
            fits.max_by_key(|(fit, _)| *fit).is_some_and(|(_, is_wanted)| is_wanted)
        };
        Self { json: takes("application", "json"), events: takes("text", "event-stream") }
    }

    /// The formats for an answer.
    ///
    /// # Errors
    /// 406 if the client takes none of them.
    pub(super) fn of_answer(headers: &HeaderMap) -> Result<Self, Refusal> {
        let formats = Self::accepted(headers);
        if formats.json || formats.events {
            return Ok(formats);
        }
        let what = "answers are `application/json` or `text/event-stream`; the `Accept` header should name both";
        Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, what))
    }
}

/// How well an entry fits a type, and whether it wants it.
fn fit(entry: &str, ty: &str, subtype: &str) -> Option<(Fit, bool)> {
    let mut parts = entry.split(';').map(str::trim);
    let (entry_type, entry_subtype) = parts.next()?.split_once('/')?;
    let fit = match (entry_type, entry_subtype) {
        ("*", "*") => Fit::Any,
        (entry_type, "*") if entry_type.eq_ignore_ascii_case(ty) => Fit::Type,
        (entry_type, entry_subtype)
            if entry_type.eq_ignore_ascii_case(ty) && entry_subtype.eq_ignore_ascii_case(subtype) =>
        {
            Fit::Exact
        }
        _ => return None,
    };
    let is_zero = |parameter: &str| {
        let quality = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
        quality.is_some_and(|quality| quality.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0))
    };
    Some((fit, !parts.any(is_zero)))
}

/// Looks at what a body is said to be.
///
/// # Errors
/// 415 if it is not JSON as it is.
pub(super) fn check_content(headers: &HeaderMap) -> Result<(), Refusal> {
    let refuse = |what: &str| Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, what));
    if !only(headers, &header::CONTENT_TYPE).is_ok_and(|ty| ty.is_some_and(is_json)) {
        return refuse("the body has to be JSON; send it with `Content-Type: application/json`");
    }
    let is_encoded = |value: &HeaderValue| !value.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(header::CONTENT_ENCODING).iter().any(is_encoded) {
        return refuse("an encoded body is not read; send it without `Content-Encoding`");
    }
    Ok(())
}

fn is_json(value: &HeaderValue) -> bool {
    if value == "application/json" {
        return true;
    }
    let Ok(value) = value.to_str() else { return false };
    let mut parts = value.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|ty| ty.eq_ignore_ascii_case("application/json"));
    let charset =
        parts.filter_map(|parameter| parameter.split_once('=')).find(|(name, _)| name.eq_ignore_ascii_case("charset"));
    is_json && charset.is_none_or(|(_, charset)| charset.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(lines: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT, line.parse().unwrap());
        }
        let formats = Formats::accepted(&headers);
        (formats.json, formats.events)
    }

    #[test]
    fn reads_what_clients_write() {
        assert_eq!(accepted(&[]), (true, true));
        assert_eq!(accepted(&["*/*"]), (true, true));
        assert_eq!(accepted(&["application/*"]), (true, false));
        assert_eq!(accepted(&["application/json"]), (true, false));
        assert_eq!(accepted(&["text/event-stream"]), (false, true));
        assert_eq!(accepted(&["text/event-stream, application/json"]), (true, true));
        assert_eq!(accepted(&["application/json;q=0.9, text/event-stream;q=1.0"]), (true, true));
        assert_eq!(accepted(&["APPLICATION/JSON, Text/Event-Stream"]), (true, true));
        assert_eq!(accepted(&["application/json", "text/event-stream"]), (true, true));
        assert_eq!(accepted(&["application/json, text/event-stream;q=0"]), (true, false));
        assert_eq!(accepted(&["*/*, text/event-stream; q=0.0"]), (true, false));
        assert_eq!(accepted(&["text/html"]), (false, false));
        assert_eq!(accepted(&["", "nonsense"]), (false, false));
    }

    #[test]
    fn takes_json_as_it_is_only() {
        let is_ok = |ty: &str| is_json(&ty.parse().unwrap());
        assert!(is_ok("application/json"));
        assert!(is_ok("Application/JSON; charset=UTF-8"));
        assert!(is_ok("application/json;charset=\"utf-8\""));
        assert!(!is_ok("application/json; charset=latin1"));
        assert!(!is_ok("text/plain"));
        assert!(!is_ok("application/jsonp"));
    }
}
