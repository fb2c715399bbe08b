//! Requests of the legacy era: in a session that `initialize` has opened, or without one where the server has none.
//!
//! Spec: 2025-11-25, `basic/transports`, "Streamable HTTP".

use std::sync::Arc;

use http::header::HeaderValue;
use http::request::Parts;
use http::{Response, StatusCode};
use serde_json::value::RawValue;

use super::calls::{self, BUSY, Owner};
use super::events::{EventStream, Reader};
use super::header::only;
use super::message::{Version, version};
use super::negotiate::Formats;
use super::origin::HttpOrigin;
use super::response::{self, HttpBody, Refusal, SESSION_ID};
use super::service::{Endpoint, Served};
use super::session::{InUse, Session};
use crate::caller::Caller;
use crate::handler_call::HandlerCall;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::notification::Notification;
use crate::protocol::Revision;
use crate::request::{self, Answer, Request, Watch};

/// Opens a session, whatever session the client may have had before.
pub(super) fn initialize(
    endpoint: &Arc<Endpoint>,
    head: &Parts,
    request: &Request<'_>,
    formats: Formats,
) -> Result<Response<HttpBody>, Refusal> {
    let mut out = Vec::new();
    let (dispatch, has_sessions) = (&endpoint.common.dispatch, endpoint.settings.has_sessions);
    let handshake = request.initialize(dispatch, has_sessions, &mut out);
    let handshake = handshake.map_err(|error| Refusal::with(StatusCode::OK, None, error))?;
    let mut response = endpoint.respond(out, formats);
    if has_sessions {
        let (common, principal) = (Arc::clone(&endpoint.common), endpoint.principal(head)?);
        let session = endpoint.sessions.open(|id| Session::new(id, common, handshake, principal));
        let session = session.ok_or_else(|| Refusal::busy("too many sessions are open already"))?;
        let id = HeaderValue::from_str(session.id()).map_err(|_| Refusal::busy("a session has no id"))?;
        response.headers_mut().insert(SESSION_ID, id);
    }
    Ok(response)
}

/// Whom a message comes from.
pub(super) enum Client {
    /// One with a session.
    Session(InUse),
    /// One of whom nothing is remembered.
    Anyone(Revision),
}

impl Client {
    /// Finds the session that a request names.
    pub(super) fn find(endpoint: &Endpoint, head: &Parts, named: Option<Revision>) -> Result<Self, Refusal> {
        if endpoint.settings.has_sessions {
            return session(endpoint, head).map(Self::Session);
        }
        // Spec: 2025-06-18, `basic/transports`, "Protocol Version Header".
        Ok(Self::Anyone(named.unwrap_or(Revision::V2025_03_26)))
    }

    /// Watches a resource for a session, or no more.
    ///
    /// # Errors
    /// `-32601` without a session, and `-32600` if it watches too many.
    pub(super) fn watch(&self, watch: Watch, method: &str) -> Result<(), ErrorObject> {
        match self {
            Self::Session(session) => session.watch(watch),
            Self::Anyone(_) => Err(ErrorObject::method_not_found(method)),
        }
    }

    pub(super) fn revision(&self) -> Revision {
        match self {
            Self::Session(session) => session.revision(),
            Self::Anyone(revision) => *revision,
        }
    }
}

/// The session that a request names.
pub(super) fn session(endpoint: &Endpoint, head: &Parts) -> Result<InUse, Refusal> {
    let id = only(&head.headers, &SESSION_ID).map_err(|_| Refusal::repeated(&SESSION_ID))?;
    let Some(id) = id else {
        let what = format!(
            "the request needs the header `{SESSION_ID}` of a session, which `initialize` opens, or, since 2026-07-28, \
             `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities` in `params._meta`"
        );
        return Err(Refusal::new(StatusCode::BAD_REQUEST, what));
    };
    let session = id.to_str().ok().and_then(|id| endpoint.sessions.get(id));
    // Whether there never was such a session or it is another's is nobody's business.
    let principal = endpoint.principal(head)?;
    let session = session.filter(|session| session.is_of(principal.as_deref()));
    session.ok_or_else(no_such_session)
}

pub(super) fn no_such_session() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such session, or no more; open a new one with `initialize`")
}

/// What the header says about the protocol version, for what is no request.
///
/// Spec: 2025-06-18, `basic/transports`, "Protocol Version Header".
pub(super) fn known_version(parts: &Parts) -> Result<Version, Refusal> {
    match version(&parts.headers)? {
        Version::Unknown(version) => {
            Err(Refusal::with(StatusCode::BAD_REQUEST, None, request::unsupported_version(&version)))
        }
        version => Ok(version),
    }
}

/// Serves a request.
pub(super) fn request(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    request: &Request<'_>,
    named: Option<Revision>,
    formats: Formats,
) -> Result<Served, Refusal> {
    let client = Client::find(endpoint, &origin, named)?;
    let dispatch = &endpoint.common.dispatch;
    let refuse = |error| Refusal::with(StatusCode::OK, None, error);
    check_id(&client, request.id).map_err(refuse)?;
    let (stream, caller) = stream_of(endpoint, &client, origin, formats);
    let (revision, mut out) = (client.revision(), Vec::new());
    let answered = request::guarded(|| request.answer(revision, dispatch, &caller, &mut out));
    let call = match answered.map_err(refuse)? {
        Answer::Written => return Ok(endpoint.respond(out, formats).into()),
        Answer::Call(call) => call,
        Answer::Watch(watch) => {
            client.watch(watch, request.method).map_err(refuse)?;
            request.write_done(revision, dispatch, &mut out);
            return Ok(endpoint.respond(out, formats).into());
        }
        Answer::Listen(_) => return Err(refuse(ErrorObject::method_not_found(request.method))),
    };
    let reader = stream.events.read();
    match run(endpoint, &client, call, true) {
        Ok(()) => Ok(deliver(endpoint, stream, reader, client, formats)),
        Err(Denied::Duplicate) => Err(refuse(ErrorObject::duplicate_id())),
        Err(Denied::Busy) => Err(Refusal::busy(BUSY)),
        Err(Denied::Ended) => Err(no_such_session()),
    }
}

/// Why a call does not run.
pub(super) enum Denied {
    /// Another call in flight has its id.
    Duplicate,
    /// Too many run or wait.
    Busy,
    /// Its session has ended meanwhile.
    Ended,
}

/// Runs a call, which goes on whatever its client does.
pub(super) fn run(endpoint: &Endpoint, client: &Client, call: HandlerCall, may_begin_here: bool) -> Result<(), Denied> {
    let runner = &endpoint.runner;
    let Client::Session(session) = client else {
        let ticket = runner.admit(&call, None).ok_or(Denied::Busy)?;
        calls::run(call, ticket, Owner::Nobody, may_begin_here);
        return Ok(());
    };
    let ticket = runner.admit(&call, Some(session.places())).ok_or(Denied::Busy)?;
    let table = session.calls();
    if !table.enter_new(call.state()) {
        return Err(Denied::Duplicate);
    }
    // Whoever ends the session says so before it cancels the calls, so one of the two sees the other.
    if session.has_ended() {
        table.cancel_all();
        return Err(Denied::Ended);
    }
    calls::run(call, ticket, Owner::Session(session.again()), may_begin_here);
    Ok(())
}

/// The stream for an answer.
pub(super) struct Answering {
    pub(super) events: Arc<EventStream>,
    /// Its number in the session.
    number: Option<u64>,
}

pub(super) fn stream_of(
    endpoint: &Endpoint,
    client: &Client,
    origin: HttpOrigin,
    formats: Formats,
) -> (Answering, Arc<Caller>) {
    let (track, peer) = match client {
        Client::Session(session) => (Some(session.track()), Some(Arc::clone(session.peer()))),
        Client::Anyone(_) => (None, None),
    };
    let number = track.as_ref().map(|track| track.stream);
    let events = Arc::new(EventStream::answer(formats, track, endpoint.common.limits.max_output_bytes));
    let caller = Caller {
        outlet: Arc::clone(&events) as _,
        peer,
        // A session is of one principal, and nothing of it leaves the server.
        #[cfg(feature = "ask")]
        principal: None,
        http: Some(origin),
    };
    (Answering { events, number }, Arc::new(caller))
}

pub(super) fn deliver(
    endpoint: &Arc<Endpoint>,
    stream: Answering,
    reader: Reader,
    client: Client,
    formats: Formats,
) -> Served {
    let Answering { events, number } = stream;
    let Client::Session(session) = client else { return endpoint.deliver(&events, reader, formats, ()) };
    let session = Arc::new(session);
    match endpoint.deliver(&events, reader, formats, Arc::clone(&session)) {
        Served::Now(response) => {
            session.remember(number, &events);
            Served::Now(response)
        }
        Served::Later { response, .. } => Served::later(async move {
            let response = response.await;
            // From here on the client can know of the stream.
            session.remember(number, &events);
            response
        }),
    }
}

/// Refuses an id that is in use; the other request is not touched.
pub(super) fn check_id(client: &Client, id: &RequestId) -> Result<(), ErrorObject> {
    match client {
        Client::Session(session) if session.has_call(id) => Err(ErrorObject::duplicate_id()),
        _ => Ok(()),
    }
}

/// Takes a notification.
pub(super) fn notification(
    endpoint: &Endpoint,
    head: &Parts,
    method: &str,
    params: Option<&RawValue>,
) -> Result<Response<HttpBody>, Refusal> {
    if let Client::Session(session) = Client::find(endpoint, head, None)? {
        notified(&session, method, params);
    }
    Ok(response::empty(StatusCode::ACCEPTED))
}

pub(super) fn notified(session: &Session, method: &str, params: Option<&RawValue>) {
    match Notification::read(method, params) {
        Some(Notification::Initialized) => session.ready(),
        Some(Notification::Cancelled(id)) => session.calls().cancel(&id),
        None => {}
    }
}

/// Takes a response to one of our requests.
pub(super) fn response(
    endpoint: &Endpoint,
    head: &Parts,
    response: &jsonrpc::Response<'_>,
) -> Result<Response<HttpBody>, Refusal> {
    if known_version(head)? == Version::Modern {
        let what = "clients send no responses since 2026-07-28";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, what));
    }
    if let Client::Session(session) = Client::find(endpoint, head, None)? {
        session.peer().answered(response);
    }
    Ok(response::empty(StatusCode::ACCEPTED))
}

/// Ends a session, as its client wants.
pub(super) fn end_session(endpoint: &Endpoint, head: &Parts) -> Result<Response<HttpBody>, Refusal> {
    known_version(head)?;
    let session = session(endpoint, head)?;
    endpoint.sessions.end(session.id());
    Ok(response::empty(StatusCode::NO_CONTENT))
}
