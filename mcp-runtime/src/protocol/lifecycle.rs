//! `initialize`, `server/discover` and what they exchange.
//!
//! Spec: 2025-11-25, `basic/lifecycle`; 2026-07-28, `server/discover`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Revision;
use super::icons::Icon;
use crate::json::View;
use crate::jsonrpc::{ErrorObject, as_string, present};

/// How much of a text is kept of a client, in bytes.
const MAX_TEXT_BYTES: usize = 256;

/// The name and version of a client or a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Implementation {
    /// A name for programs, such as `paper-trail`.
    pub name: String,
    /// The version, in any scheme.
    pub version: String,
    /// A name for people; absent by default. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for; absent by default. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where people read more of it; absent by default. Since 2025-11-25.
    #[serde(rename = "websiteUrl", skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Pictures of it; none by default. Since 2025-11-25.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
            icons: Vec::new(),
        }
    }

    /// What a client says of itself, less its pictures, which nobody asks for; `None` if that is no implementation.
    pub(crate) fn of_client(raw: &RawValue) -> Option<Self> {
        let View::Object(members) = View::of(raw.get())? else { return None };
        let mut texts = [const { None }; 5];
        for (name, value) in members {
            let slot = ["name", "version", "title", "description", "websiteUrl"].iter().position(|text| *text == name);
            let Some(slot) = slot.and_then(|slot| texts.get_mut(slot)) else { continue };
            let text = as_string(value).map(Cow::into_owned);
            if (text.is_none() && value.get() != "null") || slot.replace(text).is_some() {
                return None;
            }
        }
        let [name, version, title, description, website_url] = texts.map(Option::flatten);
        Some(Self { name: name?, version: version?, title, description, website_url, icons: Vec::new() }.bounded())
    }

    /// The same with texts of a length that can be kept for each client.
    fn bounded(mut self) -> Self {
        let texts = [
            Some(&mut self.name),
            Some(&mut self.version),
            self.title.as_mut(),
            self.description.as_mut(),
            self.website_url.as_mut(),
        ];
        for text in texts.into_iter().flatten() {
            if text.len() > MAX_TEXT_BYTES {
                let end = (0..=MAX_TEXT_BYTES).rev().find(|end| text.is_char_boundary(*end));
                text.truncate(end.unwrap_or_default());
            }
            text.shrink_to_fit();
        }
        self
    }

    /// The members that the revision has.
    pub(crate) fn project(&self, revision: Revision) -> Cow<'_, Self> {
        let (has_title, has_more) = (revision.has_structured_content(), revision.has_icons());
        let is_more = self.description.is_some() || self.website_url.is_some() || !self.icons.is_empty();
        if (self.title.is_some() && !has_title) || (is_more && !has_more) {
            let mut projected = self.clone();
            projected.title = projected.title.filter(|_| has_title);
            projected.description = projected.description.filter(|_| has_more);
            projected.website_url = projected.website_url.filter(|_| has_more);
            projected.icons.retain(|_| has_more);
            return Cow::Owned(projected);
        }
        Cow::Borrowed(self)
    }
}

/// What a server offers. A capability that is absent means that its methods do not exist.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct ServerCapabilities {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<ListCapability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompts: Option<ListCapability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resources: Option<ResourcesCapability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) completions: Option<Present>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logging: Option<Present>,
}

impl ServerCapabilities {
    /// The same for a client of whom nothing is remembered: it has no way to be told of changes, nor to say what it wants
    /// to have.
    pub(crate) fn without_session(self) -> Self {
        let unchanging = |_| ListCapability::default();
        Self {
            tools: self.tools.map(unchanging),
            prompts: self.prompts.map(unchanging),
            resources: self.resources.map(|_| ResourcesCapability::default()),
            logging: None,
            ..self
        }
    }

    /// Whether a client can be told that a resource has changed.
    pub(crate) fn subscribe(self) -> bool {
        self.resources.is_some_and(|resources| resources.subscribe)
    }

    /// The capabilities that the revision has.
    pub(crate) fn project(self, revision: Revision) -> Self {
        Self { completions: self.completions.filter(|_| revision.has_completions()), ..self }
    }
}

/// A capability with nothing more to say.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Present {}

/// What a server with tools, or with prompts, can do beyond listing and calling them.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListCapability {
    /// Tell that the list has changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) list_changed: bool,
}

/// What a server with resources can do beyond listing and reading them.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourcesCapability {
    /// Tell that the contents of a resource have changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) subscribe: bool,
    /// Tell that the lists have changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) list_changed: bool,
}

/// The params of `initialize`: what of them is used. The others are required all the same.
#[derive(Debug)]
pub(crate) struct InitializeRequest<'a> {
    pub(crate) protocol_version: Cow<'a, str>,
    /// An object, unread.
    #[cfg(feature = "ask")]
    pub(crate) capabilities: &'a RawValue,
    pub(crate) client_info: Implementation,
}

#[derive(Deserialize)]
struct RawInitialize<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "protocolVersion")]
    protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "clientInfo")]
    client_info: Option<&'a RawValue>,
}

impl<'a> InitializeRequest<'a> {
    /// Reads the params.
    ///
    /// # Errors
    /// `-32602` naming the member that is missing or wrong.
    pub(crate) fn decode(params: Option<&'a RawValue>) -> Result<Self, ErrorObject> {
        let params = params.ok_or_else(|| ErrorObject::invalid_params("`initialize` needs params"))?;
        let raw: RawInitialize<'_> = super::meta::object(params, "params")?;
        let protocol_version = raw
            .protocol_version
            .and_then(as_string)
            .ok_or_else(|| ErrorObject::invalid_params("`protocolVersion` must be a string"))?;
        let capabilities = raw.capabilities.filter(|capabilities| capabilities.get().starts_with('{'));
        let capabilities =
            capabilities.ok_or_else(|| ErrorObject::invalid_params("`capabilities` must be an object"))?;
        #[cfg(not(feature = "ask"))]
        let _ = capabilities;
        let client_info = raw.client_info.and_then(Implementation::of_client);
        let client_info = client_info
            .ok_or_else(|| ErrorObject::invalid_params("`clientInfo` must be an object with `name` and `version`"))?;
        Ok(Self {
            protocol_version,
            #[cfg(feature = "ask")]
            capabilities,
            client_info,
        })
    }
}

/// The result of `initialize`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InitializeResult<'a> {
    pub(crate) protocol_version: &'static str,
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) server_info: Cow<'a, Implementation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<&'a str>,
}

/// The result of `server/discover`, less the members that every cacheable result of the modern era has.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiscoverResult<'a> {
    pub(crate) supported_versions: Vec<&'static str>,
    pub(crate) capabilities: ServerCapabilities,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<&'a str>,
}
