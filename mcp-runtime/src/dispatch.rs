//! From a method to what answers it.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::value::RawValue;

#[cfg(feature = "ask")]
use crate::ask::Asks;
use crate::changes::Changes;
use crate::handler::Surroundings;
use crate::jsonrpc::{ErrorObject, write_json};
use crate::live_set::LiveSet;
use crate::middleware::Stack;
use crate::others::Others;
use crate::protocol::call::CallToolRequest;
use crate::protocol::lifecycle::{ListCapability, Present, ResourcesCapability, ServerCapabilities};
use crate::protocol::meta::{self, RequestParams};
use crate::protocol::pages::{CacheHint, ListParams};
use crate::protocol::{Implementation, Revision};
use crate::registry::{Registrable, Registry};
use crate::target::Target;
use crate::text::{misspelt, shortened};
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
    /// What is done for all but the tools, if there may be anything else.
    pub(crate) others: Option<&'static Others>,
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
        let tool = tool.ok_or_else(|| unknown_in(&self.sets.tools, &request.name))?;
        Ok((Target::Tool(tool), request.arguments.into()))
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
        let cursor = ListParams::cursor(params)?;
        let page = registry.and_then(|registry| registry.page(cursor.as_deref(), revision));
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
            completions: self.others.is_some_and(|others| (others.completes_any)(self)).then_some(Present {}),
            logging: logs_to_clients.then_some(Present {}),
        }
    }
}

fn list_capability<R: Registrable>(set: &LiveSet<R>) -> Option<ListCapability> {
    set.is_offered().then_some(ListCapability { list_changed: set.can_change() })
}

/// What has that key, unless it is hidden.
pub(crate) fn find<R: Registrable>(set: &LiveSet<R>, key: &str) -> Option<Arc<R>> {
    set.read()?.get(key).cloned()
}

/// The error for what is not there.
pub(crate) fn unknown(what: &str, name: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!("unknown {what}: {}", shortened(name)))
}

/// The error for what a set does not have, with the name that was likely meant. What is hidden is not named.
pub(crate) fn unknown_in<R: Registrable>(set: &LiveSet<R>, name: &str) -> ErrorObject {
    let registry = set.read();
    let enabled = registry.iter().flat_map(|registry| registry.enabled());
    let mut error = unknown(set.noun(), name);
    if let Some(meant) = misspelt(name, enabled.map(|thing| thing.key())) {
        // Writing to a `String` cannot fail.
        let _ = write!(error.message, "; did you mean `{meant}`?");
    }
    error
}
