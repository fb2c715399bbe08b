//! Content blocks: what a tool shows to the model.
//!
//! Spec: 2026-07-28, `server/tools`, "Tool Result".

use std::borrow::Cow;

use base64::Engine as _;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Revision;
use super::icons::Icon;

/// Who a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Who a block is for and how much it matters; everything is optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Who the block is for; everyone if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From 0.0 (optional) to 1.0 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it last changed, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// No annotations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names who the block is for.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// Says how much the block matters, from 0.0 to 1.0.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Says when the content last changed, in ISO 8601.
    #[must_use]
    pub fn last_modified(mut self, when: impl Into<String>) -> Self {
        self.last_modified = Some(when.into());
        self
    }
}

/// What a resource link points to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// Where it is.
    pub uri: String,
    /// A name for programs.
    pub name: String,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Pictures of it; since 2025-11-25.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
}

impl Resource {
    /// A resource with a URI and a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
        }
    }

    /// Names it for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what it is.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Names its MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Says how large it is, in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds a picture: at a URI of `https` or `data`, or an [`Icon`] that says more.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }
}

/// The contents of a resource, text or bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Where it is.
    pub uri: String,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text, or the bytes in base64.
    #[serde(flatten)]
    data: ResourceData,
    /// What else programs may want to know; since 2025-06-18.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
    /// What it is if nobody says so.
    #[serde(skip)]
    default_mime_type: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ResourceData {
    Text(String),
    Blob(String),
}

impl ResourceContents {
    /// A resource of text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            mime_type: None,
            data: ResourceData::Text(text.into()),
            meta: None,
            default_mime_type: None,
        }
    }

    /// A resource of bytes, sent in base64.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self {
            uri: uri.into(),
            mime_type: None,
            data: ResourceData::Blob(base64(bytes.as_ref())),
            meta: None,
            default_mime_type: None,
        }
    }

    /// Names the MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// The same with a MIME type for where the resource says none.
    pub(crate) fn defaulting_to(mut self, mime_type: &'static str) -> Self {
        self.default_mime_type = Some(mime_type);
        self
    }

    /// Fills in what the one who made it has left to the resource.
    pub(crate) fn fill_in(&mut self, uri: &str, mime_type: Option<&str>) {
        if self.uri.is_empty() {
            uri.clone_into(&mut self.uri);
        }
        if self.mime_type.is_none() {
            let default = match self.data {
                ResourceData::Text(_) => "text/plain",
                ResourceData::Blob(_) => "application/octet-stream",
            };
            self.mime_type = mime_type.or(self.default_mime_type).or(Some(default)).map(str::to_owned);
        }
    }
}

/// One block of content. A tool may return one, or a list of them.
///
/// A block that the client's revision does not know is sent as text that says what it is.
///
/// # Examples
/// ```
/// use mcp_runtime::ContentBlock;
///
/// let note = ContentBlock::text("two new orders");
/// # let _ = note;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContentBlock {
    #[serde(flatten)]
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind {
    Text {
        text: String,
    },
    #[serde(rename_all = "camelCase")]
    Image {
        data: String,
        mime_type: String,
    },
    #[serde(rename_all = "camelCase")]
    Audio {
        data: String,
        mime_type: String,
    },
    ResourceLink(Resource),
    Resource {
        resource: ResourceContents,
    },
}

impl ContentBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Kind::Text { text: text.into() }.into()
    }

    /// The text, if it is a block of text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text { text } => Some(text),
            _ => None,
        }
    }

    /// A picture, from its bytes and MIME type, such as `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Kind::Image { data: base64(bytes.as_ref()), mime_type: mime_type.into() }.into()
    }

    /// Sound, from its bytes and MIME type, such as `audio/wav`. Since 2025-03-26.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Kind::Audio { data: base64(bytes.as_ref()), mime_type: mime_type.into() }.into()
    }

    /// A link to a resource that the client may read. Since 2025-06-18.
    #[must_use]
    pub fn resource_link(resource: Resource) -> Self {
        Kind::ResourceLink(resource).into()
    }

    /// A resource with its contents.
    #[must_use]
    pub fn resource(contents: ResourceContents) -> Self {
        Kind::Resource { resource: contents }.into()
    }

    /// Says who the block is for and how much it matters.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Adds `_meta`, for programs; since 2025-06-18.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// Marks the schema of a block, so that a result that consists of blocks is seen by its schema, whatever type holds them.
pub(crate) const CONTENT_MARKER: &str = "x-mcp-content-block";

impl JsonSchema for ContentBlock {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ContentBlock".into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::ContentBlock").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": { "type": { "type": "string" } },
            "required": ["type"],
            CONTENT_MARKER: true,
        })
    }
}

/// Makes a block what a revision before 2025-06-18 can carry: what it does not know becomes text that says what it is.
pub(crate) fn project_block(block: &mut Value, revision: Revision) {
    if let Some(members) = block.as_object_mut() {
        members.remove("_meta");
    }
    if let Some(resource) = block.get_mut("resource").and_then(Value::as_object_mut) {
        resource.remove("_meta");
    }
    if let Some(annotations) = block.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove("lastModified");
    }
    let member = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    let text = match member("type") {
        "audio" if !revision.has_annotations() => {
            format!("[audio of type {}: this client's protocol version cannot carry it]", member("mimeType"))
        }
        "resource_link" if !revision.has_structured_content() => format!("{}: {}", member("name"), member("uri")),
        _ => return,
    };
    *block = serde_json::json!({ "type": "text", "text": text });
}

impl From<Kind> for ContentBlock {
    fn from(kind: Kind) -> Self {
        Self { kind, annotations: None, meta: None }
    }
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
