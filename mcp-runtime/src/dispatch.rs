//! From a method to what answers it.

use std::sync::Arc;

use serde_json::value::RawValue;

#[cfg(feature = "ask")]
use crate::ask::Asks;
use crate::changes::Changes;
use crate::handler::Surroundings;
use crate::handler::completer::AnyCompleter;
use crate::jsonrpc::{ErrorObject, write_json};
use crate::limits::MAX_URI_BYTES;
use crate::live_set::LiveSet;
use crate::middleware::Stack;
use crate::protocol::call::CallToolRequest;
use crate::protocol::completion::{CompleteRequest, Reference};
use crate::protocol::lifecycle::{ListCapability, Present, ResourcesCapability, ServerCapabilities};
use crate::protocol::meta::{self, RequestParams};
use crate::protocol::pages::{CacheHint, ListParams};
use crate::protocol::prompts::GetPromptRequest;
use crate::protocol::resources::{decode_uri, not_found};
use crate::protocol::{Completion, Implementation, Revision};
use crate::registry::{Registrable, Registry};
use crate::target::Target;
use crate::text::shortened;
use crate::{prompt, resource, tool};

/// Everything that a server offers, each set of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Sets {
    pub(crate) changes: Changes,
    pub(crate) tools: LiveSet<tool::Registered>,
    pub(crate) prompts: LiveSet<prompt::Registered>,
    pub(crate) resources: LiveSet<resource::Registered>,
    /// The resources that have a template.
    pub(crate) templates: LiveSet<resource::Registered>,
}

/// A server without its connections: who it is and what it can do.
#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) sets: Sets,
    pub(crate) surroundings: Arc<Surroundings>,
    /// What stands around every call of a tool, if anything does.
    pub(crate) middleware: Option<Stack>,
    /// Whether the texts of errors are kept from the model.
    pub(crate) masks_errors: bool,
    /// How long lists may be kept.
    pub(crate) list_cache: CacheHint,
    /// How clients are asked.
    #[cfg(feature = "ask")]
    pub(crate) asks: Arc<Asks>,
    /// What is offered follows from what is registered, and from what may be.
    pub(crate) capabilities: ServerCapabilities,
    /// The member of `_meta` with the server's identity, which every result of the modern era carries.
    pub(crate) server_meta_member: String,
}

/// What becomes of a request to complete an argument.
#[derive(Debug)]
pub(crate) enum Completing {
    /// The answer is known.
    Known(Completion),
    /// A completer has to be asked.
    Ask(Target),
}

impl Dispatch {
    /// The member of `_meta` that tells who the server is.
    pub(crate) fn server_meta_member(info: &Implementation) -> String {
        let mut member = format!("\"{}\":", meta::SERVER_INFO).into_bytes();
        write_json(&mut member, info);
        String::from_utf8(member).unwrap_or_default()
    }

    /// Finds the tool of a call.
    ///
    /// # Errors
    /// `-32602` for params that are no call and for a tool that is not there.
    pub(crate) fn call_tool(&self, params: &RequestParams<'_>) -> Result<(Target, Box<str>), ErrorObject> {
        let request = CallToolRequest::decode(params)?;
        let tool = find(&self.sets.tools, &request.name);
        let tool = tool.ok_or_else(|| unknown("tool", &request.name))?;
        Ok((Target::Tool(tool), request.arguments.into()))
    }

    /// Finds a prompt.
    ///
    /// # Errors
    /// `-32602` for params that name none, and for one that is not there.
    pub(crate) fn get_prompt(&self, params: &RequestParams<'_>) -> Result<(Target, Box<str>), ErrorObject> {
        let request = GetPromptRequest::decode(params)?;
        let prompt = find(&self.sets.prompts, &request.name);
        let prompt = prompt.ok_or_else(|| unknown("prompt", &request.name))?;
        Ok((Target::Prompt(prompt), request.arguments.into()))
    }

    /// Finds a resource, and the variables if it is one of a template.
    ///
    /// # Errors
    /// `-32602` for params that name none, and the error of the revision for one that is not there.
    pub(crate) fn read_resource(
        &self,
        params: &RequestParams<'_>,
        revision: Revision,
    ) -> Result<(Target, Box<str>), ErrorObject> {
        let uri = decode_uri(params)?;
        let (resource, variables) = self.find_resource(&uri).ok_or_else(|| not_found(&uri, revision))?;
        Ok((Target::Resource { resource, uri: uri.into() }, variables.into()))
    }

    /// The resource with that URI, or else the first whose template it fits, and its variables.
    fn find_resource(&self, uri: &str) -> Option<(Arc<resource::Registered>, String)> {
        if uri.len() > MAX_URI_BYTES {
            return None;
        }
        let plain = self.sets.resources.read()?;
        let in_another_spelling = || plain.find(|resource| resource.matches(uri).is_some());
        match plain.lookup(uri).or_else(|| uri.contains('%').then(in_another_spelling).flatten()) {
            // What is hidden is not to be had in any other way, such as by a template.
            Some((_, false)) => return None,
            Some((resource, true)) if !resource.is_only_listed() => {
                return Some((Arc::clone(resource), "{}".to_owned()));
            }
            _ => {}
        }
        let templates = self.sets.templates.read()?;
        templates.enabled().find_map(|resource| Some((Arc::clone(resource), resource.matches(uri)?)))
    }

    /// The URI of a resource that is there.
    ///
    /// # Errors
    /// Those of [`read_resource`](Self::read_resource).
    pub(crate) fn known_uri(&self, params: &RequestParams<'_>, revision: Revision) -> Result<Box<str>, ErrorObject> {
        let uri = decode_uri(params)?;
        if self.find_resource(&uri).is_none() {
            return Err(not_found(&uri, revision));
        }
        Ok(uri.into())
    }

    /// Finds what completes an argument.
    ///
    /// # Errors
    /// `-32602` for params that are none, and for a prompt, a template or an argument that is not there.
    pub(crate) fn complete(&self, params: Option<&RawValue>) -> Result<Completing, ErrorObject> {
        let CompleteRequest { reference, argument, others } = CompleteRequest::decode(params)?;
        let (completer, allowed) = self.completer(&reference, &argument.name)?;
        let Some(completer) = completer else {
            let matching = allowed.into_iter().filter(|value| starts_like(value, &argument.value));
            return Ok(Completing::Known(Completion::new(matching)));
        };
        Ok(Completing::Ask(Target::Completion { completer, value: argument.value, others }))
    }

    /// The completer of an argument, and the values that its type allows.
    fn completer(
        &self,
        reference: &Reference,
        argument: &str,
    ) -> Result<(Option<Arc<AnyCompleter>>, Vec<String>), ErrorObject> {
        let found = match reference {
            Reference::Prompt { name } => {
                let prompt = find(&self.sets.prompts, name).ok_or_else(|| unknown("prompt", name))?;
                let is_known = prompt.has_argument(argument);
                is_known.then(|| (prompt.completer(argument), prompt.allowed_values(argument)))
            }
            Reference::Resource { uri } => {
                let resource = find(&self.sets.templates, uri).or_else(|| Some(self.find_resource(uri)?.0));
                let resource = resource.ok_or_else(|| unknown("resource", uri))?;
                let is_known = resource.has_variable(argument);
                is_known.then(|| (resource.completer(argument), resource.allowed_values(argument)))
            }
        };
        found.ok_or_else(|| unknown("argument", argument))
    }
}

impl Sets {
    /// The members of a page of a list.
    ///
    /// # Errors
    /// `-32602` for params that are none and for a cursor that no page has.
    pub(crate) fn page<'a, R: Registrable>(
        registry: Option<&'a Registry<R>>,
        params: Option<&RawValue>,
        revision: Revision,
    ) -> Result<&'a [u8], ErrorObject> {
        let params: ListParams = params.map_or_else(|| Ok(ListParams::default()), |raw| meta::object(raw, "params"))?;
        let page = registry.and_then(|registry| registry.page(params.cursor.as_deref(), revision));
        page.ok_or_else(|| ErrorObject::invalid_params("the cursor is unknown; list again from the start"))
    }

    /// What is offered, now that all sets have started.
    pub(crate) fn capabilities(&self, logs_to_clients: bool) -> ServerCapabilities {
        let resources_change = self.resources.can_change();
        let has_resources = self.resources.is_offered() || self.templates.is_offered();
        ServerCapabilities {
            tools: list_capability(&self.tools),
            prompts: list_capability(&self.prompts),
            resources: has_resources
                .then_some(ResourcesCapability { subscribe: resources_change, list_changed: resources_change }),
            completions: self.complete().then_some(Present {}),
            logging: logs_to_clients.then_some(Present {}),
        }
    }

    /// Whether anything completes any argument, now or later.
    fn complete(&self) -> bool {
        let of_prompts = self.prompts.read().is_some_and(|prompts| prompts.enabled().any(|prompt| prompt.completes()));
        let of_templates = self.templates.read().is_some_and(|all| all.enabled().any(|template| template.completes()));
        of_prompts || of_templates || self.prompts.can_change() || self.templates.can_change()
    }
}

fn list_capability<R: Registrable>(set: &LiveSet<R>) -> Option<ListCapability> {
    set.is_offered().then_some(ListCapability { list_changed: set.can_change() })
}

fn find<R: Registrable>(set: &LiveSet<R>, key: &str) -> Option<Arc<R>> {
    set.read()?.get(key).cloned()
}

fn unknown(what: &str, name: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!("unknown {what}: {}", shortened(name)))
}

/// Whether a value begins with what is typed so far, whatever its case.
fn starts_like(value: &str, typed: &str) -> bool {
    let mut letters = value.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|letter| letters.next() == Some(letter))
}
