//! Whole responses: what surrounds the members of a result in each era.
//!
//! Spec: 2026-07-28, `basic/index`, "resultType", and `server/utilities/caching`.

use serde_json::{Map, Value};

use crate::call_state::CallOrigin;
use crate::dispatch::Dispatch;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::protocol::Revision;
use crate::protocol::call::{self, ResultShape};
use crate::protocol::meta::SERVER_INFO;
use crate::protocol::pages::CacheHint;
use crate::result::Outcome;
use crate::target::Target;

/// How many bytes stand around the value of a result, about, besides who the server is.
const AROUND_BYTES: usize = 256;

/// Whether a client may keep a result for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    /// The method is not among those whose results can be kept.
    Undefined,
    /// It is, for so long.
    Hinted(CacheHint),
}

/// Appends a successful response; `members` appends the members of the result, without the braces.
pub(crate) fn write_result(
    out: &mut Vec<u8>,
    dispatch: &Dispatch,
    id: &RequestId,
    revision: Revision,
    caching: Caching,
    members: impl FnOnce(&mut Vec<u8>),
) {
    write_result_with_meta(out, dispatch, id, revision, caching, None, members);
}

/// The same with `_meta` of the handler's own.
fn write_result_with_meta(
    out: &mut Vec<u8>,
    dispatch: &Dispatch,
    id: &RequestId,
    revision: Revision,
    caching: Caching,
    meta: Option<&Map<String, Value>>,
    members: impl FnOnce(&mut Vec<u8>),
) {
    jsonrpc::begin_result(out, id);
    out.push(b'{');
    if revision.is_modern() {
        out.extend_from_slice(br#""resultType":"complete","#);
    }
    members(out);
    if revision.is_modern() {
        if let Caching::Hinted(hint) = caching {
            hint.write(out);
        }
    }
    let identity = revision.is_modern().then_some(dispatch.server_meta_member.as_bytes());
    if meta.is_some() || identity.is_some() {
        out.extend_from_slice(br#","_meta":{"#);
        out.extend_from_slice(identity.unwrap_or_default());
        write_own_meta(out, meta, identity.is_some());
        out.push(b'}');
    }
    out.push(b'}');
    jsonrpc::end(out);
}

/// Appends the members of a handler's own `_meta`. Who the server is, is not for a handler to say.
fn write_own_meta(out: &mut Vec<u8>, meta: Option<&Map<String, Value>>, mut follows: bool) {
    for (name, value) in meta.into_iter().flatten().filter(|(name, _)| *name != SERVER_INFO) {
        if std::mem::replace(&mut follows, true) {
            out.push(b',');
        }
        jsonrpc::write_json(out, name);
        out.push(b':');
        jsonrpc::write_json(out, value);
    }
}

/// Appends the response of a call.
pub(crate) fn write_outcome(
    out: &mut Vec<u8>,
    dispatch: &Dispatch,
    origin: &CallOrigin,
    target: &Target,
    shape: ResultShape,
    outcome: &Outcome,
) {
    let revision = origin.revision;
    if let Outcome::Value(json) = outcome {
        // A buffer that has grown to just the length of a long value would double for the few bytes behind it.
        out.reserve(call::value_bytes(json, shape) + dispatch.server_meta_member.len() + AROUND_BYTES);
    }
    let members = |out: &mut Vec<u8>| match outcome {
        Outcome::Value(json) => call::write_value(out, json, shape, revision),
        Outcome::Full(result) => call::write_result(out, result, revision),
        Outcome::Failure(text) | Outcome::Failed(text) => call::write_failure(out, text),
        Outcome::Prompt(_) | Outcome::Resource(_) | Outcome::Completion(_) => {
            if let Target::Other(target) = target {
                target.write(outcome, revision, out);
            }
        }
        #[cfg(feature = "ask")]
        Outcome::InputRequired(_) => {}
        Outcome::NotFound | Outcome::Error(_) => {}
    };
    let caching = match outcome {
        Outcome::Resource(result) => Caching::Hinted(result.cache),
        _ => Caching::Undefined,
    };
    let meta = match outcome {
        Outcome::Full(result) => result.meta.as_deref(),
        Outcome::Prompt(result) => result.meta.as_deref(),
        _ => None,
    };
    match outcome {
        Outcome::Error(error) if !revision.has_error_code(error.code) => {
            tracing::warn!(id = %origin.id, code = error.code, "the code of an error is reserved in this revision");
            let code = ErrorObject::INTERNAL_ERROR;
            jsonrpc::write_error(out, Some(&origin.id), &ErrorObject { code, ..(**error).clone() });
        }
        Outcome::Error(error) => jsonrpc::write_error(out, Some(&origin.id), error),
        #[cfg(feature = "ask")]
        Outcome::InputRequired(members) => write_input_required(out, dispatch, &origin.id, members),
        _ => write_result_with_meta(out, dispatch, &origin.id, revision, caching, meta, members),
    }
}

/// Appends the response of a call that asks its client.
#[cfg(feature = "ask")]
fn write_input_required(out: &mut Vec<u8>, dispatch: &Dispatch, id: &RequestId, members: &str) {
    jsonrpc::begin_result(out, id);
    out.extend_from_slice(br#"{"resultType":"input_required","#);
    out.extend_from_slice(members.as_bytes());
    out.extend_from_slice(br#","_meta":{"#);
    out.extend_from_slice(dispatch.server_meta_member.as_bytes());
    out.extend_from_slice(b"}}");
    jsonrpc::end(out);
}

/// Appends the response to a request that has opened a subscription, now that the server ends it.
pub(crate) fn write_subscription_end(out: &mut Vec<u8>, dispatch: &Dispatch, id: &RequestId) {
    jsonrpc::begin_result(out, id);
    out.extend_from_slice(br#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"#);
    out.extend_from_slice(id.as_json_bytes());
    out.push(b',');
    out.extend_from_slice(dispatch.server_meta_member.as_bytes());
    out.extend_from_slice(b"}}");
    jsonrpc::end(out);
}

/// Answers a line that was too long to be read.
pub(crate) fn write_too_long(out: &mut Vec<u8>, max_line_bytes: usize) {
    let error = ErrorObject::invalid_request(format!("the message is longer than {max_line_bytes} bytes"));
    tracing::warn!("refused a line: {}", error.message);
    jsonrpc::write_error(out, None, &error);
}
