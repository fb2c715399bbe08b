//! What all list requests share: pages, and how long a result may be kept.
//!
//! Spec: 2026-07-28, `server/utilities/pagination` and `server/utilities/caching`.

use std::borrow::Cow;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::meta;
use crate::jsonrpc::{ErrorObject, as_string};

/// The params of a list request.
#[derive(Debug, Deserialize)]
pub(crate) struct ListParams<'a> {
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
}

impl<'a> ListParams<'a> {
    /// Where the page begins that is asked for; `None` for the first one.
    ///
    /// # Errors
    /// `-32602` if they are no object, and if the cursor is no string.
    pub(crate) fn cursor(params: Option<&'a RawValue>) -> Result<Option<Cow<'a, str>>, ErrorObject> {
        let Some(params) = params else { return Ok(None) };
        let Self { cursor } = meta::object(params, "params")?;
        let no_string = || ErrorObject::invalid_params("`cursor` must be a string");
        cursor.map(|cursor| as_string(cursor).ok_or_else(no_string)).transpose()
    }
}

/// Who may be given a result that was kept.
///
/// # Spec
/// 2026-07-28, `server/utilities/caching`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheScope {
    /// Only whoever has got it: it may depend on who asks.
    #[default]
    Private,
    /// Anybody: it is the same for all.
    Public,
}

impl CacheScope {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}

/// How long a result may be kept, and for whom. By default not at all, and for nobody else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CacheHint {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl CacheHint {
    /// Appends the members of a result that say so, with a comma in front.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let millis = u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX).min(MAX_SAFE_INTEGER);
        out.extend_from_slice(format!(r#","ttlMs":{millis},"cacheScope":"{}""#, self.scope.as_str()).as_bytes());
    }
}

/// The greatest integer that every client reads exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
