//! `tools/list`.
//!
//! Spec: 2026-07-28, `server/tools` and `server/utilities/pagination`.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Revision;
use super::icons::Icon;

/// Hints about what a tool does, for clients that ask before they call it. A hint that is `None` is not sent.
///
/// # Spec
/// 2026-07-28, `schema`, `ToolAnnotations`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The tool changes nothing. Clients assume `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may destroy something. Clients assume `true` unless it is read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling the tool twice with the same arguments is the same as once. Clients assume `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches out to an open world, such as the web. Clients assume `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// No hints; `const`, for the companions of tools.
    pub(crate) const NONE: Self =
        Self { read_only_hint: None, destructive_hint: None, idempotent_hint: None, open_world_hint: None };
}

/// One entry of `tools/list`, with every member that any revision has.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    pub(crate) input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<ToolAnnotations>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a serde_json::Value>,
}

impl Tool<'_> {
    /// Drops the members that the revision does not have.
    pub(crate) fn project(mut self, revision: Revision) -> Self {
        if !revision.has_structured_content() {
            self.title = None;
            self.output_schema = None;
            self.meta = None;
        }
        if !revision.has_icons() {
            self.icons = &[];
        }
        if !revision.has_annotations() || self.annotations == Some(ToolAnnotations::NONE) {
            self.annotations = None;
        }
        self
    }
}
