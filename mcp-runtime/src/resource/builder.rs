//! Resources without a macro: a URI, and contents or a closure.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::future::{Future, ready};
use std::time::Duration;

use super::output::ResourceOutput;
use super::template::Template;
use super::value::ServerResource;
use crate::context::Context;
use crate::handler::about::{About, about_settings};
use crate::handler::completer::{Completer, Completers};
use crate::handler::params::Params;
use crate::handler::{Handler, Pace, Started};
use crate::protocol::pages::CacheHint;
use crate::protocol::{Annotations, CacheScope};
use crate::result::failed;

/// A resource that is being put together; [`handler`](Self::handler), [`text`](Self::text) or [`bytes`](Self::bytes) ends the
/// chain. [`ServerResource::builder`] begins it.
///
/// # Examples
/// ```
/// use mcp_runtime::{Server, ServerResource};
///
/// let about = ServerResource::builder("docs://about").name("about").mime_type("text/markdown").text("# Orders");
/// let page = ServerResource::builder("docs://pages/{page}").name("page").handler(|read, _| async move {
///     Ok::<_, std::convert::Infallible>(read.variable("page").map(|page| format!("This is page {page}.")))
/// });
/// let server = Server::new("docs", "1.0.0").resources([about, page]);
/// # let _ = server;
/// ```
#[must_use = "a resource without contents does nothing"]
#[derive(Debug)]
pub struct ResourceBuilder {
    about: About,
    uri: String,
    mime_type: Option<String>,
    size: Option<u64>,
    annotations: Annotations,
    cache: CacheHint,
    completers: Completers,
}

/// Which resource is read.
#[derive(Debug, Clone)]
pub struct ResourceRead {
    uri: String,
    variables: BTreeMap<String, String>,
}

impl ResourceRead {
    /// The URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// What stands for a variable of the template, without percent-encoding.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }
}

impl ResourceBuilder {
    pub(super) fn new(about: About, uri: String) -> Self {
        Self {
            about,
            uri,
            mime_type: None,
            size: None,
            annotations: Annotations::default(),
            cache: CacheHint::default(),
            completers: Completers::default(),
        }
    }

    /// The name for programs. Default: the URI.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.about.name = name.into().into();
        self
    }

    about_settings!();

    /// The MIME type. Default: not said in the list, and in the contents what fits their form.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The size of the contents in bytes, for the list. Default: that of the contents if they are given here, and not said
    /// otherwise.
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Who the resource is for and how much it matters. Default: not said.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// How long clients may keep the contents, and for whom; since 2026-07-28. Default: not at all.
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = CacheHint { ttl, scope };
        self
    }

    /// Completes a variable of the template for those who type it. Default: nothing.
    pub fn complete<M>(mut self, variable: impl Into<String>, completer: impl Completer<M>) -> Self {
        self.completers.add(variable.into(), completer.erased());
        self
    }

    /// Ends the chain without contents: the resource is listed, such as one of many files, and read by the first resource
    /// whose template its URI fits.
    pub fn listed(self) -> ServerResource {
        let listed = self.handler(|_, _| ready(Ok::<Option<String>, Infallible>(None)));
        ServerResource { is_only_listed: true, ..listed }
    }

    /// Ends the chain with a text.
    pub fn text(mut self, text: impl Into<String>) -> ServerResource {
        let text = text.into();
        self.size = self.size.or(u64::try_from(text.len()).ok());
        self.handler(move |_, _| ready(Ok::<_, Infallible>(text.clone())))
    }

    /// Ends the chain with bytes.
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> ServerResource {
        let bytes = bytes.into();
        self.size = self.size.or(u64::try_from(bytes.len()).ok());
        self.handler(move |_, _| ready(Ok::<_, Infallible>(bytes.clone())))
    }

    /// Ends the chain with an `async` closure of what is read and the context of the call.
    pub fn handler<F, Fut, T, E>(self, handler: F) -> ServerResource
    where
        F: Fn(ResourceRead, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: ResourceOutput,
        E: Display + 'static,
    {
        let mut params = Params::default();
        params.all::<BTreeMap<String, String>>("variables");
        let handler = Handler::built(params, Pace::Async, None, move |call| {
            Started::with(call.argument(0), |variables| {
                let context = call.context();
                let uri = context.resource_uri().unwrap_or_default().to_owned();
                let future = handler(ResourceRead { uri, variables }, context);
                async move { future.await.map_or_else(|error| failed(&error), ResourceOutput::into_outcome) }
            })
        });
        ServerResource {
            about: self.about,
            template: Template::parse(&self.uri),
            uri: self.uri.into(),
            mime_type: self.mime_type,
            size: self.size,
            annotations: self.annotations,
            cache: self.cache,
            is_enabled: true,
            is_only_listed: false,
            completers: self.completers,
            handler,
        }
    }
}
