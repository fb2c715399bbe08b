//! A POST: which era its message belongs to.
//!
//! Spec: 2026-07-28, `basic/versioning`, "Compatibility Matrix".

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Response, StatusCode};
use serde_json::value::RawValue;

use super::header::only;
use super::negotiate::Formats;
use super::origin::HttpOrigin;
use super::response::{self, HttpBody, PROTOCOL_VERSION, Refusal};
use super::service::{Endpoint, Served};
use super::{batches, legacy, modern};
use crate::codec::BYTE_ORDER_MARK;
use crate::jsonrpc::{self, Message, RequestId};
use crate::protocol::Revision;
use crate::protocol::meta::RequestParams;
use crate::request::{Request, unsupported_version};
use crate::wire;

/// Serves the message, or the messages, of a body.
pub(super) fn serve(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    body: &Bytes,
    formats: Formats,
) -> Result<Served, Refusal> {
    let text = text(body);
    wire::received(text);
    if text.starts_with(b"[") {
        return batches::serve(endpoint, origin, text, formats);
    }
    let mut found = None;
    match jsonrpc::decode_with(text, |walk| RequestParams::walk(&mut found, walk)) {
        Message::Request { id, method, params } => {
            let answered = request(endpoint, origin, &id, &method, params, &mut found, formats);
            // Spec: 2026-07-28, `basic/index`, "Responses": an error has the id of its request.
            match answered {
                Ok(served) => Ok(served.answering(&id)),
                Err(refusal) => {
                    let message = refusal.answering(&id).into_message()?;
                    Ok(endpoint.respond(message, formats).into())
                }
            }
        }
        Message::Notification { method, params } => notification(endpoint, &origin, &method, params).map(Served::from),
        Message::Response(response) => legacy::response(endpoint, &origin, &response).map(Served::from),
        Message::Invalid { id, error } => Err(Refusal::with(StatusCode::BAD_REQUEST, id, error)),
    }
}

fn request<'a>(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    id: &RequestId,
    method: &str,
    raw: Option<&'a RawValue>,
    found: &mut Option<RequestParams<'a>>,
    formats: Formats,
) -> Result<Served, Refusal> {
    let version = version(&origin.headers)?;
    // Params that are no object have no `_meta`, which the modern era wants; in the legacy era they are wrong like any other.
    let status = if version == Version::Modern { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let params = RequestParams::found_or_read(found, raw).map_err(|error| Refusal::with(status, None, error))?;
    let received = Request { id, method, raw, params };
    if params.meta.is_modern() {
        return modern::request(endpoint, origin, &received, formats);
    }
    match version {
        Version::Unknown(version) => Err(Refusal::with(StatusCode::BAD_REQUEST, None, unsupported_version(&version))),
        _ if method == "initialize" => legacy::initialize(endpoint, &origin, &received, formats).map(Served::from),
        Version::Modern => Err(modern::refuse_bare(&received)),
        Version::Legacy(revision) => legacy::request(endpoint, origin, &received, Some(revision), formats),
        Version::Absent => legacy::request(endpoint, origin, &received, None, formats),
    }
}

fn notification(
    endpoint: &Arc<Endpoint>,
    head: &Parts,
    method: &str,
    params: Option<&RawValue>,
) -> Result<Response<HttpBody>, Refusal> {
    let is_modern = RequestParams::decode(params).is_ok_and(|params| params.meta.is_modern());
    match version(&head.headers)? {
        // Requests there are cancelled by closing their streams, and an id alone would not say whose is meant.
        _ if is_modern => Ok(response::empty(StatusCode::ACCEPTED)),
        Version::Modern => Ok(response::empty(StatusCode::ACCEPTED)),
        Version::Unknown(version) => Err(Refusal::with(StatusCode::BAD_REQUEST, None, unsupported_version(&version))),
        Version::Legacy(_) | Version::Absent => legacy::notification(endpoint, head, method, params),
    }
}

/// What the header says about the protocol version.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Version {
    Absent,
    Legacy(Revision),
    Modern,
    Unknown(String),
}

/// Reads the header.
///
/// # Errors
/// If it is there more than once.
pub(super) fn version(headers: &HeaderMap) -> Result<Version, Refusal> {
    let value = only(headers, &PROTOCOL_VERSION).map_err(|_| Refusal::repeated(&PROTOCOL_VERSION))?;
    let Some(value) = value else { return Ok(Version::Absent) };
    let name: Cow<'_, str> = String::from_utf8_lossy(value.as_bytes().trim_ascii());
    Ok(match Revision::from_name(&name) {
        Some(revision) if revision.is_modern() => Version::Modern,
        Some(revision) => Version::Legacy(revision),
        None => Version::Unknown(name.into_owned()),
    })
}

/// The text of a body: without what may surround a JSON value, and without the mark that some editors put first.
fn text(body: &Bytes) -> &[u8] {
    body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body).trim_ascii()
}
