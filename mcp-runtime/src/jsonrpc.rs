//! JSON-RPC 2.0 messages: what a line of input is, and how a line of output is written.
//!
//! Incoming messages borrow from the line they were read from. `params` stay raw until a method takes them, and the
//! members of the envelope are looked at by hand: an untagged enum would buffer the whole message to guess its shape.

mod id;
pub(crate) mod scan;

use std::borrow::Cow;

use serde::de::{DeserializeSeed, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use self::id::MAX_ID_BYTES;
pub use self::id::RequestId;
use self::scan::Walk;
use crate::json::{self, RawMembers};
use crate::text::shortened;

/// The `error` member of a response.
///
/// # Spec
/// 2026-07-28, `basic/index`, "Error codes".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of error it is; applications use codes outside of -32768 to -32000.
    pub code: i64,
    /// One short sentence.
    pub message: String,
    /// Detail for a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
}

impl ErrorObject {
    /// The text is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// The JSON is not a request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method does not exist, or is not offered.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The method exists, its params do not fit; also an unknown tool.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The server failed in a way it did not expect.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// A header of the request is missing, or does not say what the body says.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The request needs something of the client that it has not declared.
    pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
    /// The request names a protocol version that the server does not speak.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

    /// An error with a code and a sentence.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Adds detail for a program.
    #[must_use]
    pub fn with_data(mut self, data: serde_json::Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(crate) fn parse(message: impl Into<String>) -> Self {
        Self::new(Self::PARSE_ERROR, message)
    }

    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_REQUEST, message)
    }

    pub(crate) fn duplicate_id() -> Self {
        Self::invalid_request("another request in flight has this id")
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(Self::METHOD_NOT_FOUND, format!("method not found: {}", shortened(method)))
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Self::INTERNAL_ERROR, message)
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }
}

/// One message from the peer.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request {
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// An answer to a request of ours.
    Response(Response<'a>),
    /// No message at all; the error is what to answer, with the id if one could be read.
    Invalid {
        id: Option<RequestId>,
        error: ErrorObject,
    },
}

/// An answer to a request of ours. Only servers that ask have any open.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    /// `None` if it is malformed.
    pub(crate) id: Option<RequestId>,
    #[cfg(feature = "ask")]
    result: Option<&'a RawValue>,
    #[cfg(feature = "ask")]
    error: Option<&'a RawValue>,
    #[cfg(not(feature = "ask"))]
    unread: std::marker::PhantomData<&'a RawValue>,
}

#[cfg(feature = "ask")]
impl Response<'_> {
    /// What the client has answered. One with neither a result nor a readable error is an error.
    pub(crate) fn answer(&self) -> Result<Box<RawValue>, ErrorObject> {
        match (self.result, self.error) {
            (Some(result), None) => Ok(result.to_owned()),
            // Some clients always write both.
            (Some(result), Some(error)) if error.get() == "null" => Ok(result.to_owned()),
            (_, Some(error)) => {
                Err(json::parse(error.get())
                    .unwrap_or_else(|_| ErrorObject::internal("the client's error is malformed")))
            }
            (None, None) => Err(ErrorObject::internal("the client's answer has no result")),
        }
    }
}

/// Every member of every kind of message, unread. A member that is there and null is told from one that is missing, but for the
/// params, where it is the same.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Option<&'a str>,
    result: Option<&'a str>,
    error: Option<&'a str>,
}

impl<'a> Envelope<'a> {
    /// Reads a message that is plain; `params` goes over its params.
    fn of_plain(text: &'a str, mut params: impl FnMut(&mut Walk<'a>) -> Option<&'a str>) -> Option<Self> {
        let mut envelope = Self::default();
        let is_plain = scan::object(text, |key, walk| {
            let value = if key == "params" { params(walk)? } else { walk.value()? };
            envelope.slot(key).map_or(Some(()), |slot| scan::once(slot, value))
        });
        is_plain.then_some(envelope)
    }

    /// Reads any message that is an object, with the name of a member that it has twice. The first one counts, so that an error
    /// says which request it is about, but for the id: of two, neither is known to be the one that the client waits with.
    ///
    /// # Errors
    /// If the text is not JSON.
    fn of_any(text: &'a str) -> serde_json::Result<(Self, Option<Cow<'a, str>>)> {
        let (mut envelope, mut twice, mut has_two_ids) = (Self::default(), None, false);
        for (key, value) in json::parse::<RawMembers<'_>>(text)?.0 {
            // A key with an escape that stands for no character is none of ours.
            let Some(key) = as_string(key) else { continue };
            let Some(slot) = envelope.slot(&key) else { continue };
            if slot.is_some() {
                has_two_ids |= key == "id";
                twice = Some(key);
            } else {
                *slot = Some(value.get());
            }
        }
        envelope.id = envelope.id.filter(|_| !has_two_ids);
        envelope.params = envelope.params.filter(|params| *params != "null");
        Ok((envelope, twice))
    }

    /// Where the member of that name stands, if it is one of a message.
    fn slot(&mut self, name: &str) -> Option<&mut Option<&'a str>> {
        Some(match name {
            "jsonrpc" => &mut self.jsonrpc,
            "id" => &mut self.id,
            "method" => &mut self.method,
            "params" => &mut self.params,
            "result" => &mut self.result,
            "error" => &mut self.error,
            _ => return None,
        })
    }
}

/// Reads a member that may be null; an `Option` would make null and missing the same.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// What a JSON string stands for, or `None` if it is none, or has an escape that stands for no character.
pub(crate) fn as_string(raw: &RawValue) -> Option<Cow<'_, str>> {
    string(raw.get())
}

fn string(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with('"') {
        return None;
    }
    scan::plain_string(text).map(Cow::Borrowed).or_else(|| json::parse(text).ok().map(Cow::Owned))
}

/// Reads one line. Never fails: what is no message is [`Message::Invalid`].
#[cfg(any(feature = "http", test, fuzzing))]
pub(crate) fn decode(line: &[u8]) -> Message<'_> {
    decode_with(line, Walk::value_but_null)
}

/// The same; `params` goes over the params, if the message is plain enough to be [walked over](scan), and may look into them
/// on the way. What it has found is of the params of the message, if that turns out to be one: a message that has them twice is
/// refused.
pub(crate) fn decode_with<'a>(line: &'a [u8], params: impl FnMut(&mut Walk<'a>) -> Option<&'a str>) -> Message<'a> {
    let Ok(text) = std::str::from_utf8(line) else {
        return invalid(None, unreadable(line, "the message is not UTF-8"));
    };
    // A derived struct would take an array for its members in order.
    if !text.starts_with('{') {
        return not_an_object(text);
    }
    if let Some(envelope) = Envelope::of_plain(text, params) {
        return classify(&envelope);
    }
    match Envelope::of_any(text) {
        Ok((envelope, None)) => classify(&envelope),
        Ok((envelope, Some(name))) => has_twice(classify(&envelope), &name),
        Err(error) => invalid(None, not_json(text, &error)),
    }
}

/// What becomes of a message that has a member twice. An answer is still not answered.
fn has_twice<'a>(message: Message<'a>, name: &str) -> Message<'a> {
    let refused = |id| invalid(id, ErrorObject::invalid_request(format!("`{name}` must not be there twice")));
    match message {
        Message::Request { id, .. } => refused(Some(id)),
        Message::Notification { .. } => refused(None),
        message => message,
    }
}

/// The messages of a line that is an array of them, each to be [decoded](decode) by itself; `None` for any other line.
///
/// # Errors
/// If the array is empty, or longer than `max_messages`.
pub(crate) fn decode_batch(line: &[u8], max_messages: usize) -> Option<Result<Vec<&RawValue>, ErrorObject>> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.starts_with('['))?;
    let mut deserializer = serde_json::Deserializer::from_slice(text.as_bytes());
    let (count, messages) = Messages { max_messages }.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(match count {
        0 => Err(ErrorObject::invalid_request("the batch is empty")),
        count if count > max_messages => Err(ErrorObject::invalid_request(format!(
            "the batch has {count} messages; send at most {max_messages} at a time"
        ))),
        _ => Ok(messages),
    })
}

/// Reads an array: how many items it has, and the first ones. More than are allowed are counted and not kept.
struct Messages {
    max_messages: usize,
}

impl<'de> DeserializeSeed<'de> for Messages {
    type Value = (usize, Vec<&'de RawValue>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Messages {
    type Value = (usize, Vec<&'de RawValue>);

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a batch")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let (mut count, mut messages) = (0, Vec::new());
        while let Some(message) = items.next_element()? {
            count += 1;
            if count <= self.max_messages {
                messages.push(message);
            }
        }
        Ok((count, messages))
    }
}

fn not_an_object(text: &str) -> Message<'_> {
    let error = match json::parse::<IgnoredAny>(text) {
        Err(error) => not_json(text, &error),
        Ok(_) if text.starts_with('[') => {
            ErrorObject::invalid_request("a batch is not accepted here; send each message by itself")
        }
        Ok(_) => ErrorObject::invalid_request("the message is not a JSON-RPC 2.0 object"),
    };
    invalid(None, error)
}

fn not_json(text: &str, error: &serde_json::Error) -> ErrorObject {
    unreadable(text.as_bytes(), &format!("the message is not JSON: {error}"))
}

/// Some shells pipe UTF-16, which has a null byte in each character of the syntax; JSON in UTF-8 has none anywhere.
fn unreadable(line: &[u8], problem: &str) -> ErrorObject {
    let hint = if line.contains(&0) { "; it seems to be UTF-16, and has to be UTF-8" } else { "" };
    ErrorObject::parse(format!("{problem}{hint}"))
}

fn invalid<'a>(id: Option<RequestId>, error: ErrorObject) -> Message<'a> {
    Message::Invalid { id, error }
}

fn classify<'a>(envelope: &Envelope<'a>) -> Message<'a> {
    // Whatever else is wrong with an answer: to answer it could go on for ever.
    if envelope.method.is_none() && (envelope.result.is_some() || envelope.error.is_some()) {
        return Message::Response(Response {
            id: envelope.id.and_then(RequestId::from_json),
            #[cfg(feature = "ask")]
            result: envelope.result.and_then(scan::as_raw),
            #[cfg(feature = "ask")]
            error: envelope.error.and_then(scan::as_raw),
            #[cfg(not(feature = "ask"))]
            unread: std::marker::PhantomData,
        });
    }
    let id = match envelope.id.map(RequestId::from_json) {
        Some(None) => {
            let what = format!("`id` must be an integer or a string, of at most {MAX_ID_BYTES} bytes");
            return invalid(None, ErrorObject::invalid_request(what));
        }
        Some(id) => id,
        None => None,
    };
    if envelope.jsonrpc.and_then(string).is_none_or(|version| version != "2.0") {
        return invalid(id, ErrorObject::invalid_request("`jsonrpc` must be \"2.0\""));
    }
    let params = envelope.params.and_then(scan::as_raw);
    match (envelope.method.map(string), id) {
        (None, id) => invalid(id, ErrorObject::invalid_request("a message needs a `method`")),
        (Some(None), id) => invalid(id, ErrorObject::invalid_request("`method` must be a string")),
        (Some(Some(method)), Some(id)) => Message::Request { id, method, params },
        (Some(Some(method)), None) => Message::Notification { method, params },
    }
}

/// The text of a parse error without its line and column, which are those of a fragment that the peer never saw.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) if error.line() > 0 => text.get(..at).unwrap_or(&text).to_owned(),
        _ => text,
    }
}

/// Appends the beginning of a successful response, up to where the result object goes.
pub(crate) fn begin_result(out: &mut Vec<u8>, id: &RequestId) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_json_bytes());
    out.extend_from_slice(br#","result":"#);
}

/// Appends what closes a message that [`begin_result`] or [`write_notification`] began.
pub(crate) fn end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"}\n");
}

/// Appends an error response. Without an id it has none, as the schema has it since 2025-11-25.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.as_json_bytes());
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    write_json(out, error);
    end(out);
}

/// Appends a notification whose params are already JSON.
pub(crate) fn write_notification(out: &mut Vec<u8>, method: &str, params: &impl Serialize) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    write_json(out, method);
    out.extend_from_slice(br#","params":"#);
    write_json(out, params);
    end(out);
}

/// Appends a notification that says all with its method.
pub(crate) fn write_notification_without_params(out: &mut Vec<u8>, method: &str) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    write_json(out, method);
    end(out);
}

/// Appends a value of our own as JSON. Writing into memory cannot fail, and none of our types has a serializer that
/// can; should one ever, the frame holds `null` there and stays a frame.
pub(crate) fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}
