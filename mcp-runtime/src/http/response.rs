//! Responses, and the body that carries them.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use http_body::{Body, Frame, SizeHint};

use super::events::EventBody;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::wire;

/// The header with the id of a session.
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the protocol version.
pub(super) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// Keeps nginx, and others who know it, from holding events back.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The body of a response: nothing, JSON, or a stream of events.
#[derive(Debug)]
pub struct HttpBody(Kind);

#[derive(Debug)]
enum Kind {
    Whole(Bytes),
    Events(EventBody),
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            Kind::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Kind::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Kind::Events(events) => events.poll(cx).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.0, Kind::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Kind::Events(_) => SizeHint::default(),
        }
    }
}

/// A response that is whole.
pub(super) fn whole(status: StatusCode, body: impl Into<Bytes>) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody(Kind::Whole(body.into())));
    *response.status_mut() = status;
    response
}

/// A response without a body.
pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    whole(status, Bytes::new())
}

/// A response with a JSON-RPC message.
pub(super) fn json(status: StatusCode, mut frame: Vec<u8>) -> Response<HttpBody> {
    // A frame ends with the newline that other transports want.
    if frame.last() == Some(&b'\n') {
        frame.pop();
    }
    let mut response = whole(status, frame);
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// A response whose messages come as events.
pub(super) fn events(body: EventBody) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody(Kind::Events(body)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENTS);
    headers.insert(header::CACHE_CONTROL, NO_CACHE);
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// A request that is answered with an error, and with what status.
#[derive(Debug)]
pub(super) struct Refusal(Box<Refused>);

#[derive(Debug)]
struct Refused {
    status: StatusCode,
    id: Option<RequestId>,
    error: ErrorObject,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    /// A request that is none of the protocol's, or comes at a wrong time; the text says what to do instead.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self::with(status, None, ErrorObject::invalid_request(message))
    }

    /// A message that is answered with a status of its own.
    pub(super) fn with(status: StatusCode, id: Option<RequestId>, error: ErrorObject) -> Self {
        Self(Box::new(Refused { status, id, error, header: None }))
    }

    /// A header that a request may have once only.
    pub(super) fn repeated(name: &HeaderName) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("the header `{name}` is there more than once"))
    }

    /// A method of HTTP that is not for this.
    pub(super) fn method(allowed: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, message).header(header::ALLOW, allowed)
    }

    /// Refuses this request, if it is not said yet which one.
    pub(super) fn answering(mut self, id: &RequestId) -> Self {
        self.0.id.get_or_insert_with(|| id.clone());
        self
    }

    /// What cannot be served now and may be later.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).header(header::RETRY_AFTER, "5")
    }

    /// Closes the connection with the answer, since the rest of what the client sends is not read.
    pub(super) fn closing(self) -> Self {
        self.header(header::CONNECTION, "close")
    }

    fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.0.header = Some((name, HeaderValue::from_static(value)));
        self
    }

    /// The message, if it is one like any other response: an error of a request that was understood.
    pub(super) fn into_message(self) -> Result<Vec<u8>, Self> {
        if self.0.status == StatusCode::OK { Ok(self.frame()) } else { Err(self) }
    }

    fn frame(&self) -> Vec<u8> {
        let mut frame = Vec::new();
        jsonrpc::write_error(&mut frame, self.0.id.as_ref(), &self.0.error);
        frame
    }

    pub(super) fn into_response(self) -> Response<HttpBody> {
        let frame = self.frame();
        wire::sent(&frame);
        let Refused { status, error, header, .. } = *self.0;
        tracing::debug!(status = status.as_u16(), "refused a request: {}", error.message);
        let mut response = json(status, frame);
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
