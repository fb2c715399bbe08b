//! `tools/list`.
//!
//! Spec: 2026-07-28, `server/tools` and `server/utilities/pagination`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Revision;

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

/// A picture for a tool.
///
/// # Spec
/// 2026-07-28, `basic/index`, "icons".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[doc(hidden)]
pub struct Icon {
    src: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
}

#[doc(hidden)]
impl Icon {
    /// A picture at a URI of `https` or `data`.
    pub(crate) fn new(src: &str) -> Self {
        Self { src: src.to_owned(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Its MIME type.
    pub fn mime_type(&mut self, mime_type: &str) -> &mut Self {
        self.mime_type = Some(mime_type.to_owned());
        self
    }

    /// Its sizes, such as `48x48 96x96`.
    pub fn sizes(&mut self, sizes: &str) -> &mut Self {
        self.sizes = sizes.split_whitespace().map(str::to_owned).collect();
        self
    }

    /// `light` or `dark`.
    pub fn theme(&mut self, theme: &str) -> &mut Self {
        self.theme = Some(theme.to_owned());
        self
    }
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

/// The params of a list request.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ListParams {
    pub(crate) cursor: Option<String>,
}
