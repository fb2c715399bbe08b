//! One connection: which messages are legal now, and which revision each is served by.
//!
//! Every difference between the eras is decided here, once per message. A request whose `_meta` carries its revision is
//! served by that revision and by nothing else; `initialize` opens a legacy session, and both may go on side by side.
//!
//! Spec: 2026-07-28, `basic/versioning`; 2025-11-25, `basic/lifecycle`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

use serde_json::value::RawValue;

use crate::batch::Batch;
use crate::call::{self, ToolCall};
use crate::calls::Calls;
use crate::context::{CallOrigin, CallState};
use crate::dispatch::Dispatch;
use crate::jsonrpc::{self, ErrorObject, Message, RequestId, as_string, write_json};
use crate::limits::Limits;
use crate::outlet::Outlet;
use crate::protocol::lifecycle::{DiscoverResult, InitializeRequest, InitializeResult};
use crate::protocol::meta::{self, RequestMeta, RequestParams};
use crate::protocol::progress::cancelled_request;
use crate::protocol::subscriptions::SubscriptionFilter;
use crate::protocol::{Implementation, Revision};
use crate::reply::{self, Caching};
use crate::subscriber::Subscriber;

/// The state of a connection.
#[derive(Debug)]
pub(crate) struct Session {
    dispatch: Arc<Dispatch>,
    calls: Arc<Calls>,
    outlet: Arc<dyn Outlet>,
    subscriber: Arc<Subscriber>,
    /// What `initialize` agreed on.
    legacy: Option<Revision>,
    /// What the client of the legacy session says it is.
    client: Option<Arc<Implementation>>,
    has_just_opened: bool,
    max_batch_messages: usize,
    /// The calls of a batch that have not been taken yet.
    batched: VecDeque<ToolCall>,
}

/// A request that has found its revision.
struct Request<'a> {
    id: &'a RequestId,
    method: &'a str,
    params: RequestParams<'a>,
    meta: RequestMeta<'a>,
    revision: Revision,
}

impl Session {
    pub(crate) fn new(dispatch: Arc<Dispatch>, calls: Arc<Calls>, outlet: Arc<dyn Outlet>, limits: &Limits) -> Self {
        let subscriber = Subscriber::new(Arc::clone(&dispatch), Arc::clone(&outlet), limits.max_subscriptions);
        let subscriber = Arc::new(subscriber);
        if dispatch.tools.can_change() {
            let listener: Weak<Subscriber> = Arc::downgrade(&subscriber);
            dispatch.tools.listen(listener);
        }
        let (max_batch_messages, batched) = (limits.max_batch_messages, VecDeque::new());
        Self {
            dispatch,
            calls,
            outlet,
            subscriber,
            legacy: None,
            client: None,
            has_just_opened: false,
            max_batch_messages,
            batched,
        }
    }

    /// What the client is told of changes. It outlives the reading, and has to be ended.
    pub(crate) fn subscriber(&self) -> &Arc<Subscriber> {
        &self.subscriber
    }

    /// Serves one line: appends what can be answered at once, or returns the call that has to run first. Further ones may
    /// have [come with it](Self::next_batched).
    pub(crate) fn receive(&mut self, line: &[u8], out: &mut Vec<u8>) -> Option<ToolCall> {
        self.subscriber.catch_up();
        let may_be_batch = line.starts_with(b"[") && self.legacy.is_some_and(Revision::has_batches);
        match may_be_batch.then(|| jsonrpc::decode_batch(line, self.max_batch_messages)).flatten() {
            None => self.message(line, out),
            Some(Ok(messages)) => {
                self.batch(&messages);
                self.next_batched()
            }
            Some(Err(error)) => {
                tracing::warn!("refused a line: {}", error.message);
                jsonrpc::write_error(out, None, &error);
                None
            }
        }
    }

    /// The next call of the last batch.
    pub(crate) fn next_batched(&mut self) -> Option<ToolCall> {
        self.batched.pop_front()
    }

    /// Serves the messages of a batch. What they are answered with is sent together, once the last call has ended.
    fn batch(&mut self, messages: &[&RawValue]) {
        let batch = Arc::new(Batch::new(Arc::clone(&self.outlet)));
        for message in messages {
            let mut lines = Vec::new();
            if let Some(call) = self.message(message.get().as_bytes(), &mut lines) {
                call.state().join(Arc::clone(&batch));
                self.batched.push_back(call);
            }
            batch.add(|out| out.extend_from_slice(&lines));
        }
    }

    /// Serves one message.
    fn message(&mut self, line: &[u8], out: &mut Vec<u8>) -> Option<ToolCall> {
        match jsonrpc::decode(line) {
            Message::Request { id, method, params } => {
                let length = out.len();
                // Schemas are made by code of the user, which may panic; nothing of ours is left half done.
                let request = AssertUnwindSafe(|| self.request(&id, &method, params, out));
                let answered = catch_unwind(request).unwrap_or_else(|payload| {
                    call::forget(payload);
                    Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, "the server failed unexpectedly"))
                });
                answered.unwrap_or_else(|error| {
                    out.truncate(length);
                    jsonrpc::write_error(out, Some(&id), &error);
                    None
                })
            }
            Message::Notification { method, params } => {
                self.notification(&method, params);
                None
            }
            Message::Response => {
                tracing::debug!("dropped a response to no request");
                None
            }
            Message::Invalid { id, error } => {
                // A client that sends such lines may not show what they are answered with.
                tracing::warn!("refused a line: {}", error.message);
                jsonrpc::write_error(out, id.as_ref(), &error);
                None
            }
        }
    }

    /// Whether the last message opened the session. Its answer has to reach the client before anything else does.
    pub(crate) fn has_just_opened(&mut self) -> bool {
        std::mem::take(&mut self.has_just_opened)
    }

    /// Notifications are never answered, whatever is wrong with them.
    fn notification(&mut self, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/initialized" => self.subscriber.ready(),
            "notifications/cancelled" => {
                if let Some(id) = cancelled_request(params) {
                    self.calls.cancel(&id);
                    self.batched.retain(|call| *call.id() != id);
                    self.subscriber.cancel(&id);
                } else {
                    tracing::debug!("ignored a malformed cancellation");
                }
            }
            method => tracing::debug!(method, "ignored an unknown notification"),
        }
    }

    fn request(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Option<&RawValue>,
        out: &mut Vec<u8>,
    ) -> Result<Option<ToolCall>, ErrorObject> {
        // The other request is not touched, whatever this one asks for.
        if self.calls.has(id) || self.subscriber.has(id) || self.batched.iter().any(|call| call.id() == id) {
            return Err(ErrorObject::invalid_request("another request in flight has this id"));
        }
        let request_params = RequestParams::decode(params)?;
        let meta = request_params.meta()?;
        let Some(revision) = self.revision(method, &meta)? else {
            self.initialize(id, params, out)?;
            return Ok(None);
        };
        let request = Request { id, method, params: request_params, meta, revision };
        let has_tools = self.dispatch.capabilities().tools.is_some();
        match method {
            "tools/call" if has_tools => self.call_tool(&request).map(Some),
            "tools/list" if has_tools => {
                let mut members = Vec::new();
                self.dispatch.list_tools(params, revision, &mut members)?;
                self.write(&request, Caching::Hinted, out, |out| out.extend_from_slice(&members));
                Ok(None)
            }
            "ping" if !revision.is_modern() => {
                self.write(&request, Caching::Undefined, out, |_| ());
                Ok(None)
            }
            "server/discover" if revision.is_modern() => {
                self.discover(&request, out);
                Ok(None)
            }
            "subscriptions/listen" if revision.is_modern() => {
                self.subscriber.subscribe(id, SubscriptionFilter::decode(params)?)?;
                Ok(None)
            }
            _ => Err(ErrorObject::method_not_found(request.method)),
        }
    }

    /// The revision to serve a request by, or `None` if it is the `initialize` of the legacy era.
    fn revision(&self, method: &str, meta: &RequestMeta<'_>) -> Result<Option<Revision>, ErrorObject> {
        if meta.is_modern() {
            return modern_revision(meta).map(Some);
        }
        match (method, self.legacy) {
            ("initialize", _) => Ok(None),
            ("server/discover" | "subscriptions/listen" | "tasks/update", _) => Err(missing_meta(method)),
            (_, Some(revision)) => Ok(Some(revision)),
            ("ping", None) => Ok(Some(Revision::LATEST_LEGACY)),
            (_, None) => Err(missing_meta(method)),
        }
    }

    fn initialize(&mut self, id: &RequestId, params: Option<&RawValue>, out: &mut Vec<u8>) -> Result<(), ErrorObject> {
        if self.legacy.is_some() {
            return Err(ErrorObject::invalid_request("the session is initialized already"));
        }
        let InitializeRequest { protocol_version, client_info } = InitializeRequest::decode(params)?;
        let asked = Revision::from_name(&protocol_version).filter(|revision| !revision.is_modern());
        let revision = asked.unwrap_or(Revision::LATEST_LEGACY);
        let result = InitializeResult {
            protocol_version: revision.as_str(),
            capabilities: self.dispatch.capabilities(),
            server_info: self.dispatch.info.project(revision),
            instructions: self.dispatch.instructions.as_deref(),
        };
        jsonrpc::begin_result(out, id);
        write_json(out, &result);
        jsonrpc::end(out);
        self.legacy = Some(revision);
        self.client = Some(Arc::new(client_info));
        self.subscriber.open();
        self.has_just_opened = true;
        Ok(())
    }

    fn discover(&self, request: &Request<'_>, out: &mut Vec<u8>) {
        let result = DiscoverResult {
            supported_versions: Revision::names_newest_first().collect(),
            capabilities: self.dispatch.capabilities(),
            instructions: self.dispatch.instructions.as_deref(),
        };
        self.write(request, Caching::Hinted, out, |out| write_members(out, &result));
    }

    fn call_tool(&self, request: &Request<'_>) -> Result<ToolCall, ErrorObject> {
        let (tool, arguments) = self.dispatch.call_tool(&request.params)?;
        let state = CallState::new(CallOrigin {
            id: request.id.clone(),
            revision: request.revision,
            progress_token: request.meta.progress_token(),
            outlet: Arc::clone(&self.outlet),
            meta: request.meta.raw().map(RawValue::to_owned),
            client: self.client.clone(),
        });
        Ok(ToolCall::new(state, Arc::clone(&self.dispatch), tool, arguments))
    }

    fn write(&self, request: &Request<'_>, caching: Caching, out: &mut Vec<u8>, members: impl FnOnce(&mut Vec<u8>)) {
        reply::write_result(out, &self.dispatch, request.id, request.revision, caching, members);
    }
}

/// The revision that a request of the modern era names.
fn modern_revision(meta: &RequestMeta<'_>) -> Result<Revision, ErrorObject> {
    let missing = |key: &str, kind: &str| ErrorObject::invalid_params(format!("`_meta` must have `{key}`, {kind}"));
    let version: Cow<'_, str> =
        meta.protocol_version.and_then(as_string).ok_or_else(|| missing(meta::PROTOCOL_VERSION, "a string"))?;
    if !meta.client_capabilities.is_some_and(|capabilities| capabilities.get().starts_with('{')) {
        return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
    }
    Revision::from_name(&version).filter(|revision| revision.is_modern()).ok_or_else(|| {
        let supported: Vec<_> = Revision::names_newest_first().collect();
        ErrorObject::new(ErrorObject::UNSUPPORTED_PROTOCOL_VERSION, "protocol version not supported")
            .with_data(serde_json::json!({ "supported": supported, "requested": version }))
    })
}

/// A request came that neither belongs to a session nor stands alone.
fn missing_meta(method: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!(
        "`{method}` needs `{}` and `{}` in `params._meta`, or a session: send `initialize` first",
        meta::PROTOCOL_VERSION,
        meta::CLIENT_CAPABILITIES,
    ))
}

/// Appends the members of an object of our own, without its braces.
fn write_members(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    let mut object = Vec::new();
    write_json(&mut object, value);
    out.extend_from_slice(object.strip_prefix(b"{").and_then(|rest| rest.strip_suffix(b"}")).unwrap_or_default());
}
