//! One connection: which messages are legal now, and which revision each is served by.
//!
//! Every difference between the eras is decided here, once per message. A request whose `_meta` carries its revision is
//! served by that revision and by nothing else; `initialize` opens a legacy session, and both may go on side by side.
//!
//! Spec: 2026-07-28, `basic/versioning`; 2025-11-25, `basic/lifecycle`.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::batch::Batch;
use crate::caller::Caller;
use crate::calls::Calls;
use crate::dispatch::Dispatch;
use crate::handler_call::HandlerCall;
use crate::jsonrpc::{self, ErrorObject, Message};
use crate::limits::Limits;
use crate::notification::Notification;
use crate::outlet::Outlet;
use crate::protocol::Revision;
use crate::protocol::meta::{RequestMeta, RequestParams};
use crate::request::{self, Answer, Handshake, Request};
use crate::subscriber::Subscriber;

/// The state of a connection.
#[derive(Debug)]
pub(crate) struct Session {
    dispatch: Arc<Dispatch>,
    calls: Arc<Calls>,
    caller: Arc<Caller>,
    subscriber: Arc<Subscriber>,
    /// What `initialize` agreed on.
    legacy: Option<Revision>,
    has_just_opened: bool,
    max_batch_messages: usize,
    /// The calls of a batch that have not been taken yet.
    batched: VecDeque<HandlerCall>,
}

impl Drop for Session {
    /// Nothing more is read.
    fn drop(&mut self) {
        if let Some(peer) = &self.caller.peer {
            peer.lost();
        }
    }
}

impl Session {
    pub(crate) fn new(dispatch: Arc<Dispatch>, calls: Arc<Calls>, outlet: Arc<dyn Outlet>, limits: &Limits) -> Self {
        let subscriber = Subscriber::new(Arc::clone(&dispatch), Arc::clone(&outlet), limits);
        let caller = Arc::new(Caller::new(outlet, None));
        let (max_batch_messages, batched) = (limits.max_batch_messages, VecDeque::new());
        Self { dispatch, calls, caller, subscriber, legacy: None, has_just_opened: false, max_batch_messages, batched }
    }

    /// What the client is told of changes. It outlives the reading, and has to be ended.
    pub(crate) fn subscriber(&self) -> &Arc<Subscriber> {
        &self.subscriber
    }

    /// Serves one line: appends what can be answered at once, or returns the call that has to run first. Further ones may
    /// have [come with it](Self::next_batched).
    pub(crate) fn receive(&mut self, line: &[u8], out: &mut Vec<u8>) -> Option<HandlerCall> {
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
    pub(crate) fn next_batched(&mut self) -> Option<HandlerCall> {
        self.batched.pop_front()
    }

    /// Serves the messages of a batch. What they are answered with is sent together, once the last call has ended.
    fn batch(&mut self, messages: &[&RawValue]) {
        let batch = Arc::new(Batch::new(Arc::clone(&self.caller.outlet)));
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
    fn message(&mut self, line: &[u8], out: &mut Vec<u8>) -> Option<HandlerCall> {
        let mut found = None;
        match jsonrpc::decode_with(line, |walk| RequestParams::walk(&mut found, walk)) {
            Message::Request { id, method, params: raw } => {
                let length = out.len();
                let answered = request::guarded(|| {
                    let params = RequestParams::found_or_read(&mut found, raw)?;
                    self.request(&Request { id: &id, method: &method, raw, params }, out)
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
            Message::Response(response) => {
                if let Some(peer) = &self.caller.peer {
                    peer.answered(&response);
                }
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

    /// Whether reading has to go on however much waits: the call that everything waits for may wait for an answer.
    pub(crate) fn awaits_answers(&self) -> bool {
        self.caller.peer.as_ref().is_some_and(|peer| peer.is_asked())
    }

    /// Whether the last message opened the session. Its answer has to reach the client before anything else does.
    pub(crate) fn take_just_opened(&mut self) -> bool {
        std::mem::take(&mut self.has_just_opened)
    }

    fn notification(&mut self, method: &str, params: Option<&RawValue>) {
        match Notification::read(method, params) {
            Some(Notification::Initialized) => {
                self.subscriber.ready();
                if let Some(peer) = &self.caller.peer {
                    peer.ready();
                }
            }
            Some(Notification::Cancelled(id)) => {
                self.calls.cancel(&id);
                self.batched.retain(|call| *call.id() != id);
                self.subscriber.cancel(&id);
            }
            None => {}
        }
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) -> Result<Option<HandlerCall>, ErrorObject> {
        let id = request.id;
        // The other request is not touched, whatever this one asks for.
        if self.calls.has(id) || self.subscriber.has(id) || self.batched.iter().any(|call| call.id() == id) {
            return Err(ErrorObject::duplicate_id());
        }
        let Some(revision) = self.revision(request.method, &request.params.meta)? else {
            self.initialize(request, out)?;
            return Ok(None);
        };
        match request.answer(revision, &self.dispatch, &self.caller, out)? {
            Answer::Written => Ok(None),
            Answer::Call(_) if self.awaits_answers() && !self.calls.has_room() => {
                Err(ErrorObject::invalid_request("too many calls wait already; send it again later"))
            }
            Answer::Call(call) => Ok(Some(call)),
            Answer::Listen(filter) => self.subscriber.subscribe(id, filter).map(|()| None),
            Answer::Watch(watch) => {
                self.subscriber.watch(watch)?;
                request.write_done(revision, &self.dispatch, out);
                Ok(None)
            }
        }
    }

    /// The revision to serve a request by, or `None` if it is the `initialize` of the legacy era.
    fn revision(&self, method: &str, meta: &RequestMeta<'_>) -> Result<Option<Revision>, ErrorObject> {
        if meta.is_modern() {
            return request::modern_revision(&request::modern_version(meta)?).map(Some);
        }
        match (method, self.legacy) {
            ("initialize", _) => Ok(None),
            ("server/discover" | "subscriptions/listen" | "tasks/update", _) => Err(request::missing_meta(method)),
            (_, Some(revision)) => Ok(Some(revision)),
            ("ping", None) => Ok(Some(Revision::LATEST_LEGACY)),
            (_, None) => Err(request::missing_meta(method)),
        }
    }

    fn initialize(&mut self, request: &Request<'_>, out: &mut Vec<u8>) -> Result<(), ErrorObject> {
        if self.legacy.is_some() {
            return Err(ErrorObject::invalid_request("the session is initialized already"));
        }
        let Handshake { revision, peer } = request.initialize(&self.dispatch, true, out)?;
        self.legacy = Some(revision);
        self.caller = Arc::new(Caller::new(Arc::clone(&self.caller.outlet), Some(Arc::new(peer))));
        self.subscriber.open();
        self.has_just_opened = true;
        Ok(())
    }
}
