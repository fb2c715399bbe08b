//! `resources/list`, `resources/templates/list`, `resources/read`, and subscriptions to single resources.
//!
//! Spec: 2026-07-28, `server/resources`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::content::{Annotations, ResourceContents};
use super::icons::Icon;
use super::meta::RequestParams;
use super::pages::CacheHint;
use super::revision::Revision;
use crate::jsonrpc::{ErrorObject, as_string, write_json};
use crate::text::shortened;

/// One entry of `resources/list` or `resources/templates/list`, with every member that any revision has.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedResource<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_template: Option<&'a str>,
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'a str>,
    /// Of a resource only: bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Annotations>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Value>,
}

impl ListedResource<'_> {
    /// Drops the members that the revision does not have.
    pub(crate) fn project(mut self, revision: Revision) -> Self {
        if !revision.has_structured_content() {
            self.title = None;
            self.meta = None;
            if let Some(annotations) = &mut self.annotations {
                annotations.last_modified = None;
            }
        }
        self.annotations = self.annotations.filter(|annotations| *annotations != Annotations::default());
        if !revision.has_icons() {
            self.icons = &[];
        }
        self
    }
}

/// The URI that the params of `resources/read`, `resources/subscribe` or `resources/unsubscribe` name.
///
/// # Errors
/// `-32602` if they name none.
pub(crate) fn decode_uri<'a>(params: &RequestParams<'a>) -> Result<Cow<'a, str>, ErrorObject> {
    let uri = params.uri.ok_or_else(|| ErrorObject::invalid_params("`uri` is missing: the URI of the resource"))?;
    as_string(uri).ok_or_else(|| ErrorObject::invalid_params("`uri` must be a string"))
}

/// The code of [`not_found`] in the legacy era.
const LEGACY_NOT_FOUND: i64 = -32002;

/// There is no resource with that URI.
pub(crate) fn not_found(uri: &str, revision: Revision) -> ErrorObject {
    let code = if revision.is_modern() { ErrorObject::INVALID_PARAMS } else { LEGACY_NOT_FOUND };
    ErrorObject::new(code, format!("resource not found: {}", shortened(uri))).with_data(json!({ "uri": uri }))
}

/// The params of `notifications/resources/updated`.
#[derive(Debug, Serialize)]
pub(crate) struct UpdatedParams<'a> {
    pub(crate) uri: &'a str,
}

/// The result of `resources/read`.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadResourceResult {
    pub(crate) contents: Vec<ResourceContents>,
    pub(crate) cache: CacheHint,
}

impl ReadResourceResult {
    /// Appends the members of the result, without the braces.
    pub(crate) fn write(&self, out: &mut Vec<u8>, revision: Revision) {
        out.extend_from_slice(br#""contents":"#);
        if revision.has_structured_content() {
            return write_json(out, &self.contents);
        }
        let mut contents: Value = serde_json::to_value(&self.contents).unwrap_or_default();
        for contents in contents.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            contents.remove("_meta");
        }
        write_json(out, &contents);
    }
}
