//! Pictures of tools, prompts, resources and the server itself.
//!
//! Spec: 2026-07-28, `basic/index`, "icons".

use serde::{Deserialize, Serialize};

/// A picture that a client may show; since 2025-11-25.
///
/// # Examples
/// ```
/// use mcp_runtime::Icon;
///
/// let icon = Icon::new("https://example.com/orders.png").mime_type("image/png").sizes(["48x48", "96x96"]);
/// # let _ = icon;
/// ```
///
/// # Spec
/// 2026-07-28, `schema`, `Icon`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Where it is: a URI of `https` or `data`.
    pub src: String,
    /// Its MIME type; absent by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its sizes in pixels, such as `48x48`, or `any`; any size if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background that it is for, `light` or `dark`; either if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

impl Icon {
    /// A picture at a URI of `https` or `data`.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Names the MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Names the sizes in pixels, such as `48x48`, or `any`.
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.sizes = sizes.into_iter().map(Into::into).collect();
        self
    }

    /// Says which background it is for: `light` or `dark`.
    #[must_use]
    pub fn theme(mut self, theme: impl Into<String>) -> Self {
        self.theme = Some(theme.into());
        self
    }
}

impl From<&str> for Icon {
    fn from(src: &str) -> Self {
        Self::new(src)
    }
}

impl From<String> for Icon {
    fn from(src: String) -> Self {
        Self::new(src)
    }
}
