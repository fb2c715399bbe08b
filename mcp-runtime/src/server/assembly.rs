//! From what a server was given to what serves: everything registered and checked.

use std::sync::Arc;

use super::Server;
#[cfg(feature = "ask")]
use crate::ask::Asks;
use crate::dispatch::Dispatch;
use crate::error::StartError;
use crate::handle::Assembled;
use crate::handler::Surroundings;
use crate::middleware::Stack;
use crate::registry::{Listed as _, Registry, same};
use crate::resource::value::ServerResource;
use crate::state::States;
use crate::{prompt, resource, tool};

impl Server {
    /// Makes the states and puts the server together.
    ///
    /// # Errors
    /// Names everything that keeps it from working.
    pub(crate) async fn assemble(mut self) -> Result<Assembled, StartError> {
        let (mut states, mut problems) = (States::default(), Vec::new());
        #[cfg(feature = "http")]
        problems.extend(self.http.problems());
        for state in std::mem::take(&mut self.states) {
            problems.extend(states.add(state));
        }
        let mut has_failed = false;
        for make in std::mem::take(&mut self.state_makers) {
            match make().await {
                Ok(state) => problems.extend(states.add(state)),
                Err(problem) => {
                    problems.push(problem);
                    has_failed = true;
                }
            }
        }
        if has_failed {
            // All that needs the state would lack it.
            return Err(StartError { problems });
        }
        self.assemble_with(states, problems)
    }

    /// The same with the states. It awaits nothing, so that it is no part of every future that starts a server.
    fn assemble_with(self, states: States, mut problems: Vec<String>) -> Result<Assembled, StartError> {
        let (strict_arguments, open_arguments) = (self.strict_arguments, self.open_arguments);
        let surroundings = Arc::new(Surroundings { states, strict_arguments, open_arguments });
        let size = self.page_size;
        let (templates, plain): (Vec<_>, Vec<_>) = self.resources.into_iter().partition(ServerResource::is_template);
        let tools = Registry::new(&tool::WORDS, self.tools, self.replacements, &surroundings, size);
        let prompts = Registry::new(&prompt::WORDS, self.prompts, Vec::new(), &surroundings, size);
        let resources = Registry::new(&resource::WORDS, plain, Vec::new(), &surroundings, size);
        let templates = Registry::new(&resource::TEMPLATE_WORDS, templates, Vec::new(), &surroundings, size);
        let registries = (keep(tools, &mut problems), keep(prompts, &mut problems));
        let registries = (registries, keep(resources, &mut problems), keep(templates, &mut problems));
        let ((Some(tools), Some(prompts)), Some(resources), Some(templates)) = registries else {
            return Err(StartError { problems });
        };
        problems.extend(unread(&resources, &templates));
        problems.extend(unreachable(&templates));
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        for doubt in tool::names::doubts(&tools.keys().collect::<Vec<_>>()) {
            tracing::warn!("{doubt}");
        }
        self.sets.tools.start(tools, Arc::clone(&surroundings));
        self.sets.prompts.start(prompts, Arc::clone(&surroundings));
        self.sets.resources.start(resources, Arc::clone(&surroundings));
        self.sets.templates.start(templates, Arc::clone(&surroundings));
        #[cfg(feature = "ask")]
        let asks = Asks::new(self.asks).map_err(|error| StartError { problems: vec![error.to_string()] })?;
        let dispatch = Dispatch {
            server_meta_member: Dispatch::server_meta_member(&self.info),
            capabilities: self.sets.capabilities(self.logs_to_clients),
            info: self.info,
            instructions: self.instructions,
            sets: self.sets,
            surroundings,
            middleware: Stack::new(self.middleware.into_iter().map(|make| make()).collect()),
            masks_errors: self.masks_errors,
            list_cache: self.list_cache,
            #[cfg(feature = "ask")]
            asks,
        };
        Ok(Assembled { dispatch: Arc::new(dispatch), limits: self.limits, shutdown_hooks: self.shutdown_hooks })
    }
}

/// The resources that are listed for a template to read, and fit none.
fn unread(
    resources: &Registry<resource::Registered>,
    templates: &Registry<resource::Registered>,
) -> impl Iterator<Item = String> {
    let listed = resources.enabled().filter(|resource| resource.is_only_listed()).map(|resource| resource.key());
    let unread = listed.filter(|uri| !templates.enabled().any(|template| template.matches(uri).is_some()));
    unread.map(|uri| format!("resource `{uri}`: it is only listed, and fits no template of another resource"))
}

/// The templates that differ in nothing but the names of their variables: all but the first of them would never be read.
fn unreachable(templates: &Registry<resource::Registered>) -> Vec<String> {
    let (mut forms, mut keys) = (Vec::new(), Vec::new());
    for template in templates.enabled() {
        forms.push(template.form().unwrap_or_default());
        keys.push(template.key());
    }
    let mut problems = Vec::new();
    for same in same(&forms.iter().map(String::as_str).collect::<Vec<_>>()) {
        let same: Vec<String> =
            same.iter().filter_map(|index| keys.get(*index)).map(|uri| format!("`{uri}`")).collect();
        let same = same.join(", ");
        problems.push(format!("the resources {same} have the same URIs, so only the first of them would ever be read"));
    }
    problems
}

/// What was made, or nothing with the problems kept.
fn keep<T>(made: Result<T, StartError>, problems: &mut Vec<String>) -> Option<T> {
    made.map_err(|error| problems.extend(error.problems)).ok()
}
