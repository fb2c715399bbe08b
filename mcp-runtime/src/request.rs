//! One request, and what answers it, whatever connection it came by.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::value::RawValue;

#[cfg(feature = "ask")]
use crate::ask::Asking;
use crate::call_state::{CallOrigin, CallState};
use crate::caller::Caller;
use crate::dispatch::{Dispatch, Sets};
use crate::handler_call::{self, HandlerCall};
use crate::jsonrpc::{self, ErrorObject, RequestId, as_string, write_json};
use crate::live_set::LiveSet;
use crate::peer::Peer;
use crate::protocol::Revision;
use crate::protocol::lifecycle::{DiscoverResult, InitializeRequest, InitializeResult};
use crate::protocol::logging::decode_set_level;
use crate::protocol::meta::{self, RequestMeta, RequestParams};
use crate::protocol::subscriptions::SubscriptionFilter;
use crate::registry::Registrable;
use crate::reply::{self, Caching};
use crate::target::Target;
use crate::text::shortened_to;

/// A request, read as far as its revision depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) method: &'a str,
    /// The params as they came.
    pub(crate) raw: Option<&'a RawValue>,
    pub(crate) params: &'a RequestParams<'a>,
}

/// How much of an unknown version is sent back.
const MAX_VERSION_CHARS: usize = 64;

/// What becomes of a request.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The response is written.
    Written,
    /// A handler has to run first.
    Call(HandlerCall),
    /// It stays open, and tells of changes.
    Listen(SubscriptionFilter),
    /// The session is to be told, or no more, when a resource has changed.
    Watch(Watch),
}

/// What a session wants to be told of a resource.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) uri: Box<str>,
    /// Whether it wants to, and not no more.
    pub(crate) begins: bool,
}

/// The methods there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    CallTool,
    ListTools,
    GetPrompt,
    ListPrompts,
    ReadResource,
    ListResources,
    ListResourceTemplates,
    Subscribe,
    Unsubscribe,
    Complete,
    SetLogLevel,
    Ping,
    Discover,
    Listen,
}

impl Method {
    /// The method of that name, if the server offers it in the revision. `initialize` is none: it comes before.
    pub(crate) fn find(name: &str, revision: Revision, dispatch: &Dispatch) -> Option<Self> {
        let (offered, is_modern) = (&dispatch.capabilities, revision.is_modern());
        let (method, is_offered) = match name {
            "tools/call" => (Self::CallTool, offered.tools.is_some()),
            "tools/list" => (Self::ListTools, offered.tools.is_some()),
            "prompts/get" => (Self::GetPrompt, offered.prompts.is_some()),
            "prompts/list" => (Self::ListPrompts, offered.prompts.is_some()),
            "resources/read" => (Self::ReadResource, offered.resources.is_some()),
            "resources/list" => (Self::ListResources, offered.resources.is_some()),
            "resources/templates/list" => (Self::ListResourceTemplates, offered.resources.is_some()),
            "resources/subscribe" => (Self::Subscribe, !is_modern && offered.subscribe()),
            "resources/unsubscribe" => (Self::Unsubscribe, !is_modern && offered.subscribe()),
            "completion/complete" => (Self::Complete, offered.completions.is_some()),
            "logging/setLevel" => (Self::SetLogLevel, !is_modern && offered.logging.is_some()),
            "ping" => (Self::Ping, !is_modern),
            "server/discover" => (Self::Discover, is_modern),
            "subscriptions/listen" => (Self::Listen, is_modern),
            _ => return None,
        };
        is_offered.then_some(method)
    }

    /// Whether it is about something that is remembered of a client.
    fn needs_session(self) -> bool {
        matches!(self, Self::Subscribe | Self::Unsubscribe | Self::SetLogLevel)
    }
}

impl Request<'_> {
    /// Answers `initialize`. What the client is offered depends on whether it `has_session`.
    ///
    /// # Errors
    /// `-32602` for params that are none of it.
    pub(crate) fn initialize(
        &self,
        dispatch: &Dispatch,
        has_session: bool,
        out: &mut Vec<u8>,
    ) -> Result<Handshake, ErrorObject> {
        let request = InitializeRequest::decode(self.raw)?;
        let asked = Revision::from_name(&request.protocol_version).filter(|revision| !revision.is_modern());
        let revision = asked.unwrap_or(Revision::LATEST_LEGACY);
        let capabilities = dispatch.capabilities.project(revision);
        let result = InitializeResult {
            protocol_version: revision.as_str(),
            capabilities: if has_session { capabilities } else { capabilities.without_session() },
            server_info: dispatch.info.project(revision),
            instructions: dispatch.instructions.as_deref(),
        };
        jsonrpc::begin_result(out, self.id);
        write_json(out, &result);
        jsonrpc::end(out);
        Ok(Handshake { revision, peer: Peer::new(request, revision) })
    }

    /// Appends the response in a revision, or says what has to happen before there is one.
    ///
    /// # Errors
    /// What to answer instead.
    pub(crate) fn answer(
        &self,
        revision: Revision,
        dispatch: &Arc<Dispatch>,
        caller: &Arc<Caller>,
        out: &mut Vec<u8>,
    ) -> Result<Answer, ErrorObject> {
        let method = Method::find(self.method, revision, dispatch);
        let method = method.filter(|method| caller.peer.is_some() || !method.needs_session());
        let call = |found| self.call(found, revision, dispatch, caller);
        let method = method.ok_or_else(|| ErrorObject::method_not_found(self.method))?;
        match method {
            Method::CallTool => call(dispatch.call_tool(self.params)?),
            Method::ListTools => self.list(&dispatch.sets.tools, revision, dispatch, out),
            Method::Listen => SubscriptionFilter::decode(self.raw).map(Answer::Listen),
            Method::SetLogLevel => {
                let level = decode_set_level(self.raw)?;
                let peer = caller.peer.as_ref().ok_or_else(|| ErrorObject::method_not_found(self.method))?;
                peer.set_log_level(level);
                self.write_done(revision, dispatch, out);
                Ok(Answer::Written)
            }
            Method::Ping => {
                self.write_done(revision, dispatch, out);
                Ok(Answer::Written)
            }
            Method::Discover => {
                self.discover(revision, dispatch, out);
                Ok(Answer::Written)
            }
            Method::GetPrompt
            | Method::ListPrompts
            | Method::ReadResource
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::Subscribe
            | Method::Unsubscribe
            | Method::Complete => {
                let others = dispatch.sets.others.ok_or_else(|| ErrorObject::method_not_found(self.method))?;
                (others.answer)(self, method, revision, dispatch, caller, out)
            }
        }
    }

    /// Appends a page of a list.
    pub(crate) fn list<R: Registrable>(
        &self,
        set: &LiveSet<R>,
        revision: Revision,
        dispatch: &Dispatch,
        out: &mut Vec<u8>,
    ) -> Result<Answer, ErrorObject> {
        let registry = set.read();
        let page = Sets::page(registry.as_deref(), self.raw, revision)?;
        let caching = Caching::Hinted(dispatch.list_cache);
        reply::write_result(out, dispatch, self.id, revision, caching, |out| out.extend_from_slice(page));
        Ok(Answer::Written)
    }

    fn discover(&self, revision: Revision, dispatch: &Dispatch, out: &mut Vec<u8>) {
        let result = DiscoverResult {
            supported_versions: Revision::names_newest_first().collect(),
            capabilities: dispatch.capabilities,
            instructions: dispatch.instructions.as_deref(),
        };
        let caching = Caching::Hinted(dispatch.list_cache);
        reply::write_result(out, dispatch, self.id, revision, caching, |out| write_members(out, &result));
    }

    /// Appends a result that says nothing but that all went well.
    pub(crate) fn write_done(&self, revision: Revision, dispatch: &Dispatch, out: &mut Vec<u8>) {
        reply::write_result(out, dispatch, self.id, revision, Caching::Undefined, |_| ());
    }

    /// The call of a target.
    pub(crate) fn call(
        &self,
        (target, arguments): (Target, Box<str>),
        revision: Revision,
        dispatch: &Arc<Dispatch>,
        caller: &Arc<Caller>,
    ) -> Result<Answer, ErrorObject> {
        #[cfg(feature = "ask")]
        let asking = match target.binding(&arguments, caller.principal.as_deref()) {
            Some(binding) if revision.is_modern() => Asking::of_request(self.params, &dispatch.asks, &binding)?,
            _ => Asking::new(&dispatch.asks),
        };
        let origin = CallOrigin {
            caller: Arc::clone(caller),
            id: self.id.clone(),
            revision,
            progress_token: self.params.meta.progress_token(),
            meta: self.params.meta.raw().map(RawValue::to_owned),
            logs_to_client: dispatch.capabilities.logging.is_some(),
            log_level: if revision.is_modern() { self.params.meta.log_level()? } else { None },
            uri: target.uri().map(Box::from),
        };
        let state = CallState::new(
            origin,
            #[cfg(feature = "ask")]
            asking,
        );
        Ok(Answer::Call(HandlerCall::new(state, Arc::clone(dispatch), target, arguments)))
    }
}

/// What `initialize` has agreed on.
#[derive(Debug)]
pub(crate) struct Handshake {
    pub(crate) revision: Revision,
    pub(crate) peer: Peer,
}

/// Runs what may run code of the user that is no tool: schemas are made by it. A panic is the answer to this request and
/// of no other; nothing of ours is left half done.
///
/// # Errors
/// Those of `serve`, and `-32603` if it panics.
pub(crate) fn guarded<T>(serve: impl FnOnce() -> Result<T, ErrorObject>) -> Result<T, ErrorObject> {
    catch_unwind(AssertUnwindSafe(serve)).unwrap_or_else(|payload| {
        handler_call::forget(payload);
        Err(ErrorObject::internal("the server failed unexpectedly"))
    })
}

/// The protocol version that a request of the modern era names.
///
/// # Errors
/// `-32602` if it lacks one of the members of `_meta` that each such request has.
pub(crate) fn modern_version<'a>(meta: &RequestMeta<'a>) -> Result<Cow<'a, str>, ErrorObject> {
    let missing = |key: &str, kind: &str| ErrorObject::invalid_params(format!("`_meta` must have `{key}`, {kind}"));
    let version =
        meta.protocol_version.and_then(as_string).ok_or_else(|| missing(meta::PROTOCOL_VERSION, "a string"))?;
    if !meta.client_capabilities.is_some_and(|capabilities| capabilities.get().starts_with('{')) {
        return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
    }
    Ok(version)
}

/// The revision of that name, for a request of the modern era.
///
/// # Errors
/// `-32022` if it is none.
pub(crate) fn modern_revision(version: &str) -> Result<Revision, ErrorObject> {
    match Revision::from_name(version) {
        Some(revision) if revision.is_modern() => Ok(revision),
        Some(revision) => Err(ErrorObject {
            message: format!(
                "protocol version {} needs a session: send `initialize`, and then requests without `{}`",
                revision.as_str(),
                meta::PROTOCOL_VERSION
            ),
            ..unsupported_version(version)
        }),
        None => Err(unsupported_version(version)),
    }
}

/// Refuses a protocol version, and names those that there are.
pub(crate) fn unsupported_version(version: &str) -> ErrorObject {
    let supported: Vec<_> = Revision::names_newest_first().collect();
    // Versions are ten characters; whatever is longer need not be sent back as a whole.
    let version = shortened_to(MAX_VERSION_CHARS, version);
    ErrorObject::new(ErrorObject::UNSUPPORTED_PROTOCOL_VERSION, "protocol version not supported")
        .with_data(serde_json::json!({ "supported": supported, "requested": version }))
}

/// A request came that neither belongs to a session nor stands alone.
pub(crate) fn missing_meta(method: &str) -> ErrorObject {
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
