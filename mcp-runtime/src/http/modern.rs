//! A request of the modern era: it stands alone, and its headers say what its body says.
//!
//! Spec: 2026-07-28, `basic/transports/streamable-http`.

use std::sync::{Arc, Weak};

use http::{HeaderMap, Response, StatusCode};

use super::calls::{self, CancelOnDrop, Owner, Ticket};
use super::events::{EventBody, EventStream};
use super::gate::Stream;
use super::message::Received;
use super::mirrors;
use super::negotiate::Formats;
use super::origin::HttpOrigin;
use super::response::{self, HttpBody, Refusal};
use super::service::{Endpoint, Served};
use crate::call::ToolCall;
use crate::dispatch::Dispatch;
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;
use crate::protocol::subscriptions::SubscriptionFilter;
use crate::request::{self, Answer, Caller, Method, Request};
use crate::subscriber::Subscriber;
use crate::tool::set::Listener;

/// Serves a request whose `_meta` is that of the modern era.
pub(super) fn request(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    received: &Received<'_>,
    formats: Formats,
) -> Result<Served, Refusal> {
    let dispatch = &endpoint.common.dispatch;
    let refuse = |error: ErrorObject| received.refuse(status(&error), error);
    let revision = check_head(&origin.headers, received, dispatch)?;
    let stream = Arc::new(EventStream::answer(formats, None, endpoint.common.limits.max_output_bytes));
    let origin = Arc::new(origin);
    let caller = Caller { outlet: Arc::clone(&stream) as _, client: None, http: Some(Arc::clone(&origin)) };
    let mut out = Vec::new();
    let answer = request::guarded(|| of(received, revision).answer(dispatch, &caller, &mut out)).map_err(refuse)?;
    match answer {
        Answer::Written => Ok(endpoint.respond(out, formats).into()),
        Answer::Call(call) => {
            mirrors::check_arguments(&origin.headers, call.mirrored(), call.arguments()).map_err(refuse)?;
            let ticket = endpoint.runner.admit(&call, None);
            let ticket = ticket.ok_or_else(|| Refusal::busy("too many calls are running already"))?;
            Ok(run(endpoint, call, ticket, &stream, formats))
        }
        Answer::Listen(filter) => listen(endpoint, received, filter, formats).map(Served::from),
    }
}

/// Refuses a request whose header names the modern era, and whose body does not.
pub(super) fn refuse_bare(received: &Received<'_>) -> Refusal {
    let error = request::modern_version(&received.meta).err().unwrap_or_else(|| request::missing_meta(received.method));
    received.refuse(StatusCode::BAD_REQUEST, error)
}

/// Checks what stands before the params, in the order in which a client can mend it.
fn check_head(headers: &HeaderMap, received: &Received<'_>, dispatch: &Dispatch) -> Result<Revision, Refusal> {
    let refuse = |error| received.refuse(StatusCode::BAD_REQUEST, error);
    let version = request::modern_version(&received.meta).map_err(refuse)?;
    mirrors::check_version(headers, &version).map_err(refuse)?;
    let revision = request::modern_revision(&version).map_err(refuse)?;
    mirrors::check_method(headers, received.method).map_err(refuse)?;
    match Method::find(received.method, revision, dispatch) {
        None => Err(received.refuse(StatusCode::NOT_FOUND, ErrorObject::method_not_found(received.method))),
        Some(Method::CallTool) => mirrors::check_name(headers, &received.params).map_err(refuse).map(|()| revision),
        Some(_) => Ok(revision),
    }
}

fn of<'a>(received: &Received<'a>, revision: Revision) -> Request<'a> {
    let Received { id, method, raw, params, meta } = *received;
    Request { id, method, raw, params, meta, revision }
}

/// The status of an error that says what is wrong with the request as such, and with a call of a tool is 200.
fn status(error: &ErrorObject) -> StatusCode {
    match error.code {
        ErrorObject::HEADER_MISMATCH | ErrorObject::UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        ErrorObject::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Runs a call, which is cancelled if the client goes.
fn run(
    endpoint: &Arc<Endpoint>,
    call: ToolCall,
    ticket: Ticket,
    stream: &Arc<EventStream>,
    formats: Formats,
) -> Served {
    let (reader, cancel) = (stream.read(), CancelOnDrop(Arc::clone(call.state())));
    calls::run(call, ticket, Owner::Nobody, true);
    endpoint.deliver(stream, reader, formats, cancel)
}

/// Opens a stream that tells of changes.
fn listen(
    endpoint: &Arc<Endpoint>,
    received: &Received<'_>,
    filter: SubscriptionFilter,
    formats: Formats,
) -> Result<Response<HttpBody>, Refusal> {
    if !formats.events {
        let what = "changes are told as `text/event-stream`, which the `Accept` header has to name";
        return Err(received.refuse(StatusCode::NOT_ACCEPTABLE, ErrorObject::invalid_request(what)));
    }
    let dispatch = &endpoint.common.dispatch;
    let stream = Arc::new(EventStream::changes(None, endpoint.common.limits.max_output_bytes));
    let subscriber = Arc::new(Subscriber::new(Arc::clone(dispatch), Arc::clone(&stream) as _, 1));
    let open = endpoint.gate.open(Stream::Subscription(Arc::downgrade(&subscriber)), endpoint.settings.max_streams);
    let open = open.ok_or_else(|| Refusal::busy("too many clients listen already"))?;
    let reader = stream.read();
    subscriber.subscribe(received.id, filter).map_err(|error| received.refuse(StatusCode::OK, error))?;
    if dispatch.tools.can_change() {
        let listener: Weak<dyn Listener> = Arc::<Subscriber>::downgrade(&subscriber);
        dispatch.tools.listen(listener);
    }
    Ok(response::events(EventBody::new(reader, endpoint.settings.keep_alive, (subscriber, open))))
}
