//! A request of the modern era: it stands alone, and its headers say what its body says.
//!
//! Spec: 2026-07-28, `basic/transports/streamable-http`.

use std::sync::Arc;

use http::{HeaderMap, Response, StatusCode};

use super::calls::{self, BUSY, CancelOnDrop, Owner, Ticket};
use super::events::{EventBody, EventStream};
use super::gate::Stream;
use super::mirrors;
use super::negotiate::Formats;
use super::origin::HttpOrigin;
use super::response::{self, HttpBody, Refusal};
use super::service::{Endpoint, Served};
use crate::caller::Caller;
use crate::dispatch::Dispatch;
use crate::handler_call::HandlerCall;
use crate::jsonrpc::ErrorObject;
use crate::limits::Limits;
use crate::protocol::Revision;
use crate::protocol::subscriptions::SubscriptionFilter;
use crate::request::{self, Answer, Method, Request};
use crate::subscriber::Subscriber;

/// Serves a request whose `_meta` is that of the modern era.
pub(super) fn request(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    request: &Request<'_>,
    formats: Formats,
) -> Result<Served, Refusal> {
    let dispatch = &endpoint.common.dispatch;
    let refuse = |error: ErrorObject| Refusal::with(status(&error), None, error);
    let revision = check_head(&origin.headers, request, dispatch)?;
    let stream = Arc::new(EventStream::answer(formats, None, endpoint.common.limits.max_output_bytes));
    let caller = Arc::new(Caller {
        outlet: Arc::clone(&stream) as _,
        peer: None,
        #[cfg(feature = "ask")]
        principal: endpoint.principal(&origin)?.map(Into::into),
        http: Some(origin),
    });
    let mut out = Vec::new();
    let answered = request::guarded(|| request.answer(revision, dispatch, &caller, &mut out));
    match answered.map_err(refuse)? {
        Answer::Written => Ok(endpoint.respond(out, formats).into()),
        Answer::Call(call) => {
            let none = HeaderMap::new();
            let headers = caller.http.as_ref().map_or(&none, |origin| &origin.headers);
            mirrors::check_arguments(headers, call.mirrored(), call.arguments()).map_err(refuse)?;
            let ticket = endpoint.runner.admit(&call, None);
            let ticket = ticket.ok_or_else(|| Refusal::busy(BUSY))?;
            Ok(run(endpoint, call, ticket, &stream, formats))
        }
        Answer::Listen(filter) => listen(endpoint, request, filter, formats).map(Served::from),
        // There is no session that could watch anything.
        Answer::Watch(_) => Err(refuse(ErrorObject::method_not_found(request.method))),
    }
}

/// Refuses a request whose header names the modern era, and whose body does not.
pub(super) fn refuse_bare(request: &Request<'_>) -> Refusal {
    let error =
        request::modern_version(&request.params.meta).err().unwrap_or_else(|| request::missing_meta(request.method));
    Refusal::with(StatusCode::BAD_REQUEST, None, error)
}

/// Checks what stands before the params, in the order in which a client can mend it.
fn check_head(headers: &HeaderMap, request: &Request<'_>, dispatch: &Dispatch) -> Result<Revision, Refusal> {
    let refuse = |error| Refusal::with(StatusCode::BAD_REQUEST, None, error);
    let version = request::modern_version(&request.params.meta).map_err(refuse)?;
    mirrors::check_version(headers, &version).map_err(refuse)?;
    let revision = request::modern_revision(&version).map_err(refuse)?;
    mirrors::check_method(headers, request.method).map_err(refuse)?;
    match Method::find(request.method, revision, dispatch) {
        None => Err(Refusal::with(StatusCode::NOT_FOUND, None, ErrorObject::method_not_found(request.method))),
        Some(Method::CallTool | Method::GetPrompt) => {
            mirrors::check_name(headers, request.params.name).map_err(refuse).map(|()| revision)
        }
        Some(Method::ReadResource) => {
            mirrors::check_name(headers, request.params.uri).map_err(refuse).map(|()| revision)
        }
        Some(_) => Ok(revision),
    }
}

/// The status of an error that says what is wrong with the request as such, and with a call of a tool is 200.
fn status(error: &ErrorObject) -> StatusCode {
    match error.code {
        ErrorObject::HEADER_MISMATCH
        | ErrorObject::MISSING_CLIENT_CAPABILITY
        | ErrorObject::UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        ErrorObject::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Runs a call, which is cancelled if the client goes.
fn run(
    endpoint: &Arc<Endpoint>,
    call: HandlerCall,
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
    request: &Request<'_>,
    filter: SubscriptionFilter,
    formats: Formats,
) -> Result<Response<HttpBody>, Refusal> {
    if !formats.events {
        let what = "changes are told as `text/event-stream`, which the `Accept` header has to name";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, what));
    }
    let stream = Arc::new(EventStream::changes(None, endpoint.common.limits.max_output_bytes));
    let limits = Limits { max_subscriptions: 1, ..endpoint.common.limits.clone() };
    let subscriber = Subscriber::new(Arc::clone(&endpoint.common.dispatch), Arc::clone(&stream) as _, &limits);
    let open = endpoint.listen(Stream::Subscription(Arc::downgrade(&subscriber)))?;
    let reader = stream.read();
    subscriber.subscribe(request.id, filter).map_err(|error| Refusal::with(StatusCode::OK, None, error))?;
    Ok(response::events(EventBody::new(reader, endpoint.settings.keep_alive, (subscriber, open))))
}
