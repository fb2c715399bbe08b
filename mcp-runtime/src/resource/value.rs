//! A resource as a value: what `#[resource]` has left behind, or what was put together at run time.

use std::panic::Location;

use super::builder::ResourceBuilder;
use super::def::ResourceDef;
use super::template::Template;
use crate::handler::Handler;
use crate::handler::about::About;
use crate::handler::completer::Completers;
use crate::protocol::Annotations;
use crate::protocol::pages::CacheHint;

/// A resource to register, or all that a URI template stands for: made by `#[resource]`, whose companions convert into it, or
/// [built](ServerResource::builder) at run time.
#[must_use = "a resource does nothing until it is registered"]
pub struct ServerResource {
    pub(super) about: About,
    /// As it was given.
    pub(super) uri: Box<str>,
    /// The same, read.
    pub(super) template: Result<Template, String>,
    pub(super) mime_type: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Annotations,
    pub(super) cache: CacheHint,
    pub(super) is_enabled: bool,
    /// Whether it is listed and no more: a template reads it.
    pub(super) is_only_listed: bool,
    pub(super) completers: Completers,
    pub(super) handler: Handler,
}

impl ServerResource {
    /// Begins a resource that is put together at run time, with its URI or the template of its URIs (RFC 6570; see
    /// [`#[resource]`](macro@crate::resource)).
    #[track_caller]
    pub fn builder(uri: impl Into<String>) -> ResourceBuilder {
        let uri = uri.into();
        ResourceBuilder::new(About::new(uri.clone(), Location::caller()), uri)
    }

    /// The URI, or the template of URIs.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Whether it stands for all URIs of a template.
    #[must_use]
    pub fn is_template(&self) -> bool {
        self.template.as_ref().is_ok_and(|template| !template.is_plain())
    }

    /// Hides the resource until [`ResourceSet::enable`](crate::ResourceSet::enable). A server whose set is not
    /// [given out](crate::Server::resource_set) never shows it.
    pub fn disabled(mut self) -> Self {
        self.is_enabled = false;
        self
    }
}

impl From<ResourceDef> for ServerResource {
    fn from(resource: ResourceDef) -> Self {
        Self {
            about: resource.def.about(),
            uri: resource.uri.into(),
            template: Template::parse(resource.uri),
            mime_type: resource.mime_type.map(str::to_owned),
            size: resource.size,
            annotations: resource.annotations(),
            cache: CacheHint { ttl: resource.ttl, scope: resource.scope },
            is_enabled: true,
            is_only_listed: false,
            completers: Completers::default(),
            handler: Handler::derived(&resource.def),
        }
    }
}

impl std::fmt::Debug for ServerResource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerResource")
            .field("uri", &self.uri)
            .field("origin", &self.about.origin)
            .finish_non_exhaustive()
    }
}
