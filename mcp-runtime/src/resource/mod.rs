//! A resource: the companion that `#[resource]` leaves behind, the value that can be registered, and the registered resource
//! that the runtime reads.

pub(crate) mod builder;
pub(crate) mod def;
pub(crate) mod output;
mod probe;
pub(crate) mod set;
pub(crate) mod template;
pub(crate) mod value;

use std::panic::Location;
use std::sync::Arc;

use serde_json::{Map, Value};

use self::template::Template;
use self::value::ServerResource;
use crate::call_state::CallState;
use crate::handler::arguments::Taking;
use crate::handler::completer::AnyCompleter;
use crate::handler::{HandlerFuture, Pace, Surroundings};
use crate::json;
use crate::jsonrpc::write_json;
use crate::protocol::Revision;
use crate::protocol::resources::{ListedResource, ReadResourceResult};
use crate::registry::{Listed, Registrable, Words};
use crate::result::Outcome;

/// How resources are spoken of.
pub(crate) const WORDS: Words =
    Words { noun: "resource", key: "URI", member: "resources", adding: "Server::resources" };

/// How resources with a template are spoken of.
pub(crate) const TEMPLATE_WORDS: Words =
    Words { noun: "resource", key: "URI template", member: "resourceTemplates", adding: "Server::resources" };

/// A registered resource, or all that a template stands for.
#[derive(Debug)]
pub(crate) struct Registered {
    resource: ServerResource,
}

impl Registered {
    fn template(&self) -> Option<&Template> {
        self.resource.template.as_ref().ok()
    }

    /// Whether a URI is one of the template; its variables then, as an arguments object.
    pub(crate) fn matches(&self, uri: &str) -> Option<String> {
        let variables = self.template()?.matches(uri)?;
        let members = variables.into_iter().map(|(name, value)| (name.to_owned(), Value::String(value)));
        Some(json::text(&Value::Object(members.collect::<Map<_, _>>())))
    }

    /// Which URIs it has, whatever its variables are called; `None` without a template.
    pub(crate) fn form(&self) -> Option<String> {
        self.template().map(Template::form)
    }

    /// Whether it is listed and no more: a template reads it.
    pub(crate) fn is_only_listed(&self) -> bool {
        self.resource.is_only_listed
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        self.resource.handler.pace
    }

    /// Whether the template has a variable.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        self.template().is_some_and(|template| template.variables().any(|variable| variable == name))
    }

    /// What completes a variable, if anything does.
    pub(crate) fn completer(&self, variable: &str) -> Option<Arc<AnyCompleter>> {
        self.resource.completers.find(&self.resource.handler.params, variable)
    }

    /// Whether anything completes any variable: a completer, or the values of its type.
    pub(crate) fn completes(&self) -> bool {
        let has_values = |variable| !self.allowed_values(variable).is_empty();
        let variables = || self.template().into_iter().flat_map(Template::variables);
        self.resource.completers.any(&self.resource.handler.params) || variables().any(has_values)
    }

    /// The values that the type of a variable allows, if they are few and known.
    pub(crate) fn allowed_values(&self, variable: &str) -> Vec<String> {
        self.resource.handler.schema(false).allowed_values(variable)
    }

    /// Fills in what the function has left to the resource.
    pub(crate) fn fill_in(&self, result: &mut ReadResourceResult, uri: &str) {
        for contents in &mut result.contents {
            contents.fill_in(uri, self.resource.mime_type.as_deref());
        }
        result.cache = self.resource.cache;
    }

    /// Takes the variables and makes the body ready to run.
    ///
    /// # Errors
    /// What is wrong with the variables.
    pub(crate) fn prepare(
        &self,
        variables: &str,
        state: &Arc<CallState>,
        surroundings: &Surroundings,
    ) -> Result<HandlerFuture, Outcome> {
        let what = || format!("the variables of `{}`", self.resource.uri);
        // All are strings in a URI.
        let taking = Taking { unquote: true, open: false };
        self.resource.handler.prepare(WORDS.noun, &what, variables, taking, state, surroundings)
    }

    /// A template has no list of its own to be in.
    fn misuse(&self) -> Option<String> {
        let is_misused = self.is_only_listed() && self.resource.is_template();
        is_misused.then(|| "a template cannot be `listed` without contents: give it a `handler`".to_owned())
    }

    /// What of the parameters and the template does not fit together. The macro has seen most of it, but not the types.
    fn misfits(&self, template: &Template) -> Vec<String> {
        if self.resource.handler.is_built() {
            return Vec::new();
        }
        let params = || self.resource.handler.params.arguments().map(|(_, param)| param);
        let absent = template.variables().filter(|name| !params().any(|param| param.name() == *name));
        let absent = absent.map(|name| format!("the variable `{name}` of the template has no parameter"));
        let maybe = params().filter(|param| template.is_optional(param.name()) && !param.is_optional());
        let maybe = maybe.map(|param| {
            let name = param.name();
            format!("`{name}` may be missing in a URI, so its parameter has to be an `Option`, or to have a default")
        });
        absent.chain(maybe).collect()
    }
}

impl Registrable for Registered {
    type Source = ServerResource;

    fn source_key(resource: &ServerResource) -> &str {
        resource.uri()
    }

    fn register(resource: ServerResource, _: &Surroundings) -> Self {
        Self { resource }
    }
}

impl Listed for Registered {
    fn key(&self) -> &str {
        &self.resource.uri
    }

    fn origin(&self) -> &'static Location<'static> {
        self.resource.about.origin
    }

    fn starts_enabled(&self) -> bool {
        self.resource.is_enabled
    }

    fn problems(&self, surroundings: &Surroundings) -> Vec<String> {
        let ServerResource { handler, template, uri, .. } = &self.resource;
        let mut problems = handler.problems(&surroundings.states, false, &|_| Vec::new());
        problems.extend(self.misuse());
        match template {
            Ok(template) => problems.extend(self.misfits(template)),
            Err(problem) => problems.push(problem.clone()),
        }
        problems.into_iter().map(|problem| format!("resource `{uri}`: {problem}")).collect()
    }

    fn write_listed(&self, revision: Revision, out: &mut Vec<u8>) {
        let ServerResource { about, uri, mime_type, size, annotations, .. } = &self.resource;
        let is_template = self.resource.is_template();
        let resource = ListedResource {
            uri: (!is_template).then_some(uri),
            uri_template: is_template.then_some(uri),
            name: &about.name,
            title: about.title.as_deref(),
            description: about.description.as_deref(),
            mime_type: mime_type.as_deref(),
            size: size.filter(|_| !is_template),
            annotations: Some(annotations.clone()),
            icons: &about.icons,
            meta: about.meta.as_ref(),
        };
        write_json(out, &resource.project(revision));
    }
}
