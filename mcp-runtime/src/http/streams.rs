//! The streams that a client of a session opens: that of changes, and those that it goes on with after a loss.
//!
//! Spec: 2025-11-25, `basic/transports`, "Listening for Messages from the Server" and "Resumability and Redelivery".

use std::sync::Arc;

use http::request::Parts;
use http::{Response, StatusCode};

use super::events::EventBody;
use super::gate::Stream;
use super::legacy::{known_version, no_such_session, session};
use super::negotiate::Formats;
use super::response::{self, HttpBody, PROTOCOL_VERSION, Refusal, SESSION_ID};
use super::service::Endpoint;
use super::session::InUse;
use super::store::EventId;

const LAST_EVENT_ID: &str = "last-event-id";

/// Opens the stream of changes of a session, or goes on with a stream that broke off.
pub(super) fn open(endpoint: &Arc<Endpoint>, head: &Parts) -> Result<Response<HttpBody>, Refusal> {
    if !Formats::accepted(&head.headers).events {
        let what = "a GET is answered with `text/event-stream`, which the `Accept` header has to name";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, what));
    }
    let headers = &head.headers;
    if !headers.contains_key(SESSION_ID) && !headers.contains_key(PROTOCOL_VERSION) {
        // The clients of 2024-11-05 begin like this, and wait for an event with an address.
        let what = "this is an endpoint of the Streamable HTTP transport, not of the older HTTP+SSE: \
                    send `initialize` with POST, and the session's id with every GET";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, what));
    }
    known_version(head)?;
    let session = session(endpoint, head)?;
    let after = headers.get(LAST_EVENT_ID).map(|id| id.to_str().ok().and_then(EventId::parse));
    let what = "the header `Last-Event-ID` is that of no event of this session";
    let unknown = || Refusal::new(StatusCode::BAD_REQUEST, what);
    match after {
        None => read_changes(endpoint, session, None),
        Some(Some(event)) if event.stream == 0 => read_changes(endpoint, session, Some(event)),
        Some(Some(event)) => read_answer(endpoint, session, event).ok_or_else(unknown),
        Some(None) => Err(unknown()),
    }
}

/// Opens the stream of changes, or goes on with it.
fn read_changes(
    endpoint: &Arc<Endpoint>,
    session: InUse,
    after: Option<EventId>,
) -> Result<Response<HttpBody>, Refusal> {
    // Before the stream is taken from whoever reads it now, and goes on where there is no place.
    let open = endpoint.listen(Stream::Changes(Arc::downgrade(session.changes_stream())))?;
    let reader = session.read_changes(after);
    // Whoever ends the session says so before it ends the stream, so one of the two sees the other.
    if session.has_ended() {
        return Err(no_such_session());
    }
    Ok(response::events(EventBody::new(reader, endpoint.settings.keep_alive, (session, open))))
}

/// Goes on with an answer that broke off; `None` if there is none.
fn read_answer(endpoint: &Arc<Endpoint>, session: InUse, after: EventId) -> Option<Response<HttpBody>> {
    let answer = session.answer(after.stream)?;
    let open = endpoint.gate.open(Arc::downgrade(&answer));
    // A call whose client has come back is waited for like any other.
    let waiting = endpoint.gate.wait_in();
    let reader = answer.read_after(after);
    Some(response::events(EventBody::new(reader, endpoint.settings.keep_alive, (session, open, waiting))))
}
