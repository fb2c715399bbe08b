//! Several messages in one body, which are answered together.
//!
//! Spec: 2025-03-26, `basic/index`, "Batching". No other revision has them.

use std::sync::Arc;

use http::StatusCode;
use serde_json::value::RawValue;

use super::calls::BUSY;
use super::legacy::{Client, Denied, check_id, deliver, known_version, notified, run, stream_of};
use super::message::Version;
use super::negotiate::Formats;
use super::origin::HttpOrigin;
use super::response::{self, Refusal};
use super::service::{Endpoint, Served};
use crate::batch::Batch;
use crate::caller::Caller;
use crate::jsonrpc::{self, ErrorObject, Message, RequestId};
use crate::protocol::meta::RequestParams;
use crate::request::{self, Answer, Request};

/// Serves the messages of a body.
pub(super) fn serve(
    endpoint: &Arc<Endpoint>,
    origin: HttpOrigin,
    text: &[u8],
    formats: Formats,
) -> Result<Served, Refusal> {
    let refuse = |error| Refusal::with(StatusCode::BAD_REQUEST, None, error);
    let named = match known_version(&origin)? {
        Version::Legacy(revision) => Some(revision),
        Version::Modern => return Err(refuse(one_message())),
        _ => None,
    };
    let client = Client::find(endpoint, &origin, named)?;
    if !client.revision().has_batches() {
        return Err(refuse(one_message()));
    }
    let Some(messages) = jsonrpc::decode_batch(text, endpoint.common.limits.max_batch_messages) else {
        let Message::Invalid { error, .. } = jsonrpc::decode(text) else { return Err(refuse(one_message())) };
        return Err(refuse(error));
    };
    let messages = messages.map_err(refuse)?;
    let (stream, caller) = stream_of(endpoint, &client, origin, formats);
    let reader = stream.events.read();
    let has_requests = serve_all(endpoint, &client, &caller, &messages);
    if !has_requests {
        return Ok(response::empty(StatusCode::ACCEPTED).into());
    }
    Ok(deliver(endpoint, stream, reader, client, formats))
}

/// Serves the messages of a batch. Returns whether there will be a response.
fn serve_all(endpoint: &Arc<Endpoint>, client: &Client, caller: &Arc<Caller>, messages: &[&RawValue]) -> bool {
    let batch = Arc::new(Batch::new(Arc::clone(&caller.outlet)));
    let mut has_requests = false;
    for message in messages {
        match jsonrpc::decode(message.get().as_bytes()) {
            Message::Request { id, method, params } => {
                has_requests = true;
                let answered = serve_one(endpoint, client, caller, &batch, &id, &method, params);
                batch.add(|out| match answered {
                    Ok(lines) => out.extend_from_slice(&lines),
                    Err(error) => jsonrpc::write_error(out, Some(&id), &error),
                });
            }
            Message::Notification { method, params } => {
                if let Client::Session(session) = client {
                    notified(session, &method, params);
                }
            }
            Message::Response(response) => {
                if let Client::Session(session) = client {
                    session.peer().answered(&response);
                }
            }
            Message::Invalid { id, error } => {
                has_requests = true;
                batch.add(|out| jsonrpc::write_error(out, id.as_ref(), &error));
            }
        }
    }
    has_requests
}

/// Serves a request of a batch: its response, or nothing yet if a tool has to run.
fn serve_one(
    endpoint: &Arc<Endpoint>,
    client: &Client,
    caller: &Arc<Caller>,
    batch: &Arc<Batch>,
    id: &RequestId,
    method: &str,
    raw: Option<&RawValue>,
) -> Result<Vec<u8>, ErrorObject> {
    if method == "initialize" {
        return Err(ErrorObject::invalid_request("`initialize` must not be part of a batch"));
    }
    check_id(client, id)?;
    let params = &RequestParams::decode(raw)?;
    let (request, dispatch) = (Request { id, method, raw, params }, &endpoint.common.dispatch);
    let mut out = Vec::new();
    match request::guarded(|| request.answer(client.revision(), dispatch, caller, &mut out))? {
        Answer::Written => {}
        Answer::Watch(watch) => {
            client.watch(watch, method)?;
            request.write_done(client.revision(), dispatch, &mut out);
        }
        Answer::Listen(_) => return Err(ErrorObject::method_not_found(method)),
        Answer::Call(call) => {
            call.state().join(Arc::clone(batch));
            // Not begun here, where it would keep the other messages waiting.
            match run(endpoint, client, call, false) {
                Ok(()) => {}
                Err(Denied::Duplicate) => return Err(ErrorObject::duplicate_id()),
                Err(Denied::Busy) => return Err(ErrorObject::invalid_request(BUSY)),
                Err(Denied::Ended) => return Err(ErrorObject::invalid_request("the session has ended")),
            }
        }
    }
    Ok(out)
}

fn one_message() -> ErrorObject {
    ErrorObject::invalid_request("a batch is not accepted here; send one message at a time")
}
