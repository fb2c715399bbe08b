//! `_meta`: what a request says about itself.
//!
//! Spec: 2026-07-28, `basic/index`, "_meta".

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Implementation, LogLevel};
use crate::json;
use crate::jsonrpc::scan::{self, Walk};
use crate::jsonrpc::{ErrorObject, RequestId, present, without_place};

/// The literal key of the protocol version.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The literal key of the client's capabilities.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The literal key of who the server is.
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The literal key of what the client says it is.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// The literal key of the level of log messages.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// The members of `params._meta` that the protocol defines; the others are left alone.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
    /// The whole of it.
    #[serde(skip)]
    raw: Option<&'a RawValue>,
}

impl<'a> RequestMeta<'a> {
    /// Goes over `_meta` where all of it is plain.
    fn walk(walk: &mut Walk<'a>) -> Option<Self> {
        let mut meta = Self::default();
        let text = walk.object(|key, walk| match key {
            PROTOCOL_VERSION => scan::once_raw(&mut meta.protocol_version, walk.value()?),
            CLIENT_CAPABILITIES => scan::once_raw(&mut meta.client_capabilities, walk.value()?),
            CLIENT_INFO => scan::once_raw(&mut meta.client_info, walk.value()?),
            LOG_LEVEL => scan::once_raw(&mut meta.log_level, walk.value_but_null()?),
            "progressToken" => scan::once_raw(&mut meta.progress_token, walk.value_but_null()?),
            _ => walk.value().map(drop),
        })?;
        Some(Self { raw: Some(scan::as_raw(text)?), ..meta })
    }

    /// The whole of `_meta`.
    pub(crate) fn raw(&self) -> Option<&'a RawValue> {
        self.raw
    }

    /// Whether one of the keys is there that only requests of the modern era carry.
    pub(crate) fn is_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some() || self.client_info.is_some()
    }

    /// What the client says it is.
    pub(crate) fn client(&self) -> Option<Implementation> {
        Implementation::of_client(self.client_info?)
    }

    /// From which level on the request wants to have log messages; `None` if it wants none.
    ///
    /// # Errors
    /// `-32602` if it is no level.
    pub(crate) fn log_level(&self) -> Result<Option<LogLevel>, ErrorObject> {
        self.log_level.map(|raw| LogLevel::decode(raw, LOG_LEVEL)).transpose()
    }

    /// The token that progress is reported under. It has the form of a request id; one of another form is as good as
    /// none, since no notification could carry it.
    pub(crate) fn progress_token(&self) -> Option<RequestId> {
        self.progress_token.and_then(|token| RequestId::from_json(token.get()))
    }
}

/// The params of any request, as far as its era depends on them, and with what most requests are about.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestParams<'a> {
    /// A missing or null one is empty.
    #[serde(borrow, default, deserialize_with = "unread", rename = "_meta")]
    pub(crate) meta: RequestMeta<'a>,
    /// Of a call: which tool or prompt.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) name: Option<&'a RawValue>,
    /// Which resource it is about.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) uri: Option<&'a RawValue>,
    /// Of a call that goes on: what the client was asked.
    #[cfg(feature = "ask")]
    #[serde(borrow, rename = "inputResponses")]
    pub(crate) input_responses: Option<&'a RawValue>,
    /// Of a call that goes on: what it has to remember.
    #[cfg(feature = "ask")]
    #[serde(borrow, rename = "requestState")]
    pub(crate) request_state: Option<&'a RawValue>,
    /// Of a call: what the tool or the prompt is called with.
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
}

impl<'a> RequestParams<'a> {
    /// The params that were `found` on the way to a request, or else what `raw` ones are, which are kept there.
    ///
    /// # Errors
    /// Those of [`decode`](Self::decode).
    pub(crate) fn found_or_read<'f>(
        found: &'f mut Option<Self>,
        raw: Option<&'a RawValue>,
    ) -> Result<&'f Self, ErrorObject> {
        Ok(match found {
            Some(params) => params,
            None => found.insert(Self::decode(raw)?),
        })
    }

    /// Reads raw params; missing or null ones have no members.
    ///
    /// # Errors
    /// `-32602` if they or their `_meta` are no objects, or malformed.
    pub(crate) fn decode(params: Option<&'a RawValue>) -> Result<Self, ErrorObject> {
        let Some(params) = params else { return Ok(Self::default()) };
        let mut params: Self = object(params, "params")?;
        if let Some(raw) = params.meta.raw {
            params.meta = RequestMeta { raw: Some(raw), ..object(raw, "_meta")? };
        }
        Ok(params)
    }

    /// Goes over the params of any message, as [`decode_with`](crate::jsonrpc::decode_with) wants it, and keeps in `found` what
    /// they are if they are an object and all of it is plain. So a call is looked through once only.
    pub(crate) fn walk(found: &mut Option<Self>, walk: &mut Walk<'a>) -> Option<&'a str> {
        if !walk.is_at_object() {
            return walk.value_but_null();
        }
        let mut params = Self::default();
        let text = walk.object(|key, walk| match key {
            "_meta" => params.walk_meta(walk),
            "name" => scan::once_raw(&mut params.name, walk.value()?),
            "uri" => scan::once_raw(&mut params.uri, walk.value()?),
            #[cfg(feature = "ask")]
            "inputResponses" => scan::once_raw(&mut params.input_responses, walk.value_but_null()?),
            #[cfg(feature = "ask")]
            "requestState" => scan::once_raw(&mut params.request_state, walk.value_but_null()?),
            "arguments" => scan::once_raw(&mut params.arguments, walk.value_but_null()?),
            _ => walk.value().map(drop),
        })?;
        *found = Some(params);
        Some(text)
    }

    fn walk_meta(&mut self, walk: &mut Walk<'a>) -> Option<()> {
        let meta = RequestMeta::walk(walk)?;
        std::mem::replace(&mut self.meta, meta).raw.is_none().then_some(())
    }
}

/// Takes `_meta` as it stands, to be read once all of the params are there.
fn unread<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RequestMeta<'de>, D::Error> {
    Option::deserialize(deserializer).map(|raw| RequestMeta { raw, ..RequestMeta::default() })
}

/// Reads an object of the protocol from raw JSON; what is wrong with it is said in the protocol's words.
///
/// # Errors
/// `-32602` with the name of what was read.
pub(crate) fn object<'a, T: Deserialize<'a>>(raw: &'a RawValue, name: &str) -> Result<T, ErrorObject> {
    // A derived struct would take an array for its members in order.
    if !raw.get().starts_with('{') {
        return Err(ErrorObject::invalid_params(format!("`{name}` must be an object")));
    }
    json::parse(raw.get())
        .map_err(|error| ErrorObject::invalid_params(format!("`{name}` is malformed: {}", without_place(&error))))
}
