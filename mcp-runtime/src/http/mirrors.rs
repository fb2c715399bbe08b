//! The headers that mirror the body of a request of the modern era, so that what stands in between can route it unread.
//! They have to say the same as the body.
//!
//! Spec: 2026-07-28, `basic/transports/streamable-http`, "Request Headers" and "Server Validation".

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::HeaderName;
use serde_json::value::RawValue;

use super::header::only;
use super::response::PROTOCOL_VERSION;
use crate::json::{View, integer};
use crate::jsonrpc::{ErrorObject, as_string};
use crate::text::shortened;
use crate::tool::headers::Mirrored;

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Beyond it two different integers can be the same number in JavaScript, so numbers are compared by their digits only.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Compares the protocol version.
///
/// # Errors
/// `-32020` if the header is missing or says something else.
pub(super) fn check_version(headers: &HeaderMap, version: &str) -> Result<(), ErrorObject> {
    check(headers, &PROTOCOL_VERSION, version)
}

/// Compares the method.
///
/// # Errors
/// `-32020` if the header is missing or says something else.
pub(super) fn check_method(headers: &HeaderMap, method: &str) -> Result<(), ErrorObject> {
    check(headers, &METHOD, method)
}

fn check(headers: &HeaderMap, name: &HeaderName, wanted: &str) -> Result<(), ErrorObject> {
    match value(headers, name)? {
        Some(value) if value == wanted => Ok(()),
        Some(value) => Err(differs(name, value, wanted)),
        None => Err(missing(name, wanted)),
    }
}

/// Compares the name of what is called, or the URI of what is read. A body without one is not compared, since it is wrong for other reasons.
///
/// # Errors
/// `-32020` if the header is missing or says something else.
pub(super) fn check_name(headers: &HeaderMap, name: Option<&RawValue>) -> Result<(), ErrorObject> {
    let Some(wanted) = name.and_then(as_string) else { return Ok(()) };
    match decoded(headers, &NAME)? {
        Some(value) if value == wanted => Ok(()),
        Some(value) => Err(differs(&NAME, &value, &wanted)),
        None => Err(missing(&NAME, &wanted)),
    }
}

/// Compares the arguments that a tool wants to have mirrored.
///
/// # Errors
/// `-32020` for a header that is missing or says something else, and for one without its argument.
pub(super) fn check_arguments(headers: &HeaderMap, mirrored: &[Mirrored], arguments: &str) -> Result<(), ErrorObject> {
    mirrored.iter().try_for_each(|mirrored| {
        // Their characters were looked at when the tool was registered.
        let Ok(name) = HeaderName::from_bytes(mirrored.header.as_bytes()) else { return Ok(()) };
        let wanted = argument(arguments, &mirrored.path).filter(|text| text != "null");
        match (decoded(headers, &name)?, wanted) {
            (None, None) => Ok(()),
            (Some(value), None) => Err(differs(&name, &value, "nothing")),
            (None, Some(wanted)) => Err(missing(&name, &wanted)),
            (Some(value), Some(wanted)) if says(&value, &wanted) => Ok(()),
            (Some(value), Some(wanted)) => Err(differs(&name, &value, &wanted)),
        }
    })
}

/// The JSON of an argument, or of a member of one.
fn argument(arguments: &str, path: &[String]) -> Option<String> {
    let mut text = Cow::Borrowed(arguments);
    for name in path {
        let View::Object(members) = View::of(&text)? else { return None };
        // As everywhere, the last of two members of one name counts.
        let (_, value) = members.into_iter().rfind(|(member, _)| member == name)?;
        text = Cow::Owned(value.get().to_owned());
    }
    Some(text.into_owned())
}

/// Whether a header says what the JSON says.
fn says(header: &str, json: &str) -> bool {
    match View::of(json) {
        Some(View::String(text)) => header == text,
        Some(View::Number(digits)) => digits == header || are_equal(header, digits),
        _ => header == json,
    }
}

/// Whether two spellings are one integer.
fn are_equal(one: &str, other: &str) -> bool {
    let is_number = serde_json::from_str::<serde_json::Number>(one).is_ok();
    match (is_number.then(|| integer(one)).flatten(), integer(other)) {
        (Some(one), Some(other)) => {
            let is_safe = one.trim_start_matches('-').parse::<u64>().is_ok_and(|integer| integer <= MAX_SAFE_INTEGER);
            is_safe && one == other
        }
        _ => false,
    }
}

/// The value of a header that a request has once or not at all.
fn value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ErrorObject> {
    let value = only(headers, name).map_err(|_| mismatch(format!("the header `{name}` is there more than once")))?;
    let Some(value) = value else { return Ok(None) };
    match value.to_str() {
        Ok(value) => Ok(Some(value.trim_ascii())),
        Err(_) => Err(mismatch(format!("the header `{name}` has characters that are not ASCII; write it in base64"))),
    }
}

/// The value of a header that may be written in base64.
fn decoded<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<Cow<'a, str>>, ErrorObject> {
    let Some(value) = value(headers, name)? else { return Ok(None) };
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Some(Cow::Borrowed(value)));
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(|text| Some(Cow::Owned(text)))
        .ok_or_else(|| mismatch(format!("the header `{name}` is no text in padded base64")))
}

fn missing(name: &HeaderName, wanted: &str) -> ErrorObject {
    mismatch(format!("the header `{name}` is missing; the body says {}", shortened(wanted)))
}

fn differs(name: &HeaderName, value: &str, wanted: &str) -> ErrorObject {
    mismatch(format!("the header `{name}` says {}, the body {}", shortened(value), shortened(wanted)))
}

fn mismatch(message: String) -> ErrorObject {
    ErrorObject::new(ErrorObject::HEADER_MISMATCH, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("mcp-param-value", value.parse().unwrap());
        headers
    }

    fn check(header: Option<&str>, arguments: &str) -> Result<(), i64> {
        let mirrored = [Mirrored { path: vec!["value".to_owned()], header: "mcp-param-value".to_owned() }];
        let headers = header.map(headers).unwrap_or_default();
        check_arguments(&headers, &mirrored, arguments).map_err(|error| error.code)
    }

    #[test]
    fn compares_arguments_by_what_they_say() {
        for (header, argument) in [
            ("Hello", r#""Hello""#),
            ("=?base64?SGVsbG8=?=", r#""Hello""#),
            ("SGVsbG8=", r#""SGVsbG8=""#),
            ("=?base64?SGVsbG8=", r#""=?base64?SGVsbG8=""#),
            ("=?BASE64?SGVsbG8=?=", r#""=?BASE64?SGVsbG8=?=""#),
            ("", r#""""#),
            ("  padded\t", r#""padded""#),
            ("42", "42"),
            ("42.0", "42"),
            ("42", "42.0"),
            ("9007199254740993", "9007199254740993"),
            ("true", "true"),
        ] {
            assert_eq!(check(Some(header), &format!(r#"{{"value":{argument}}}"#)), Ok(()), "{header} {argument}");
        }
    }

    #[test]
    fn refuses_what_says_something_else() {
        for (header, argument) in [
            ("hello", r#""Hello""#),
            ("=?base64?SGVsbG8?=", r#""Hello""#),
            ("=?base64?SGVs!!!bG8=?=", r#""Hello""#),
            ("43", "42"),
            ("9007199254740993.0", "9007199254740993"),
            ("9007199254740992", "9007199254740993"),
            ("True", "true"),
            ("x", "null"),
        ] {
            assert_eq!(check(Some(header), &format!(r#"{{"value":{argument}}}"#)), Err(-32020), "{header} {argument}");
        }
        assert_eq!(check(None, r#"{"value":"a"}"#), Err(-32020));
        assert_eq!(check(Some("a"), "{}"), Err(-32020));
        assert_eq!(check(None, r#"{"value":null}"#), Ok(()));
        assert_eq!(check(None, "{}"), Ok(()));
    }
}
