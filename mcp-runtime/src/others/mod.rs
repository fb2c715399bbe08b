//! What a server with prompts or resources does beyond one of tools.
//!
//! It is reached by one pointer, which the builder stores with the first of them. So a program that has none is linked
//! without all of it, which is a tenth of a server of tools, and no switch has to be set for that.

mod answer;
mod targets;

use std::sync::Arc;

use crate::caller::Caller;
use crate::dispatch::{Dispatch, Sets};
use crate::error::StartError;
use crate::handler::Surroundings;
use crate::jsonrpc::ErrorObject;
use crate::prompt::value::Prompt;
use crate::protocol::Revision;
use crate::registry::{Listed as _, Registry, same};
use crate::request::{Answer, Method, Request};
use crate::resource::value::ServerResource;
use crate::{prompt, resource};

/// What is done for all but the tools. A table of functions, so that whoever has it is all that leads to them.
#[expect(clippy::type_complexity, reason = "each stands once, and its function says what the parameters are")]
pub(crate) struct Others {
    /// Registers what there is, if nothing is wrong with it. Returns what is.
    pub(crate) start: fn(&Sets, Vec<Prompt>, Vec<ServerResource>, &Arc<Surroundings>, usize) -> Vec<String>,
    /// Whether anything completes any argument, now or later.
    pub(crate) completes_any: fn(&Sets) -> bool,
    /// Appends the response in a revision, or says what has to happen before there is one, or what to answer instead.
    pub(crate) answer:
        fn(&Request<'_>, Method, Revision, &Arc<Dispatch>, &Arc<Caller>, &mut Vec<u8>) -> Result<Answer, ErrorObject>,
}

impl std::fmt::Debug for Others {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Others")
    }
}

/// What a server with prompts or resources does. One alone brings what both need: most of it is the same.
pub(crate) static PROMPTS_AND_RESOURCES: Others = Others { start, completes_any, answer: answer::answer };

fn start(
    sets: &Sets,
    prompts: Vec<Prompt>,
    resources: Vec<ServerResource>,
    surroundings: &Arc<Surroundings>,
    page_size: usize,
) -> Vec<String> {
    let mut problems = Vec::new();
    let (templates, plain): (Vec<_>, Vec<_>) = resources.into_iter().partition(ServerResource::is_template);
    let prompts = Registry::new(&prompt::WORDS, prompts, Vec::new(), surroundings, page_size);
    let resources = Registry::new(&resource::WORDS, plain, Vec::new(), surroundings, page_size);
    let templates = Registry::new(&resource::TEMPLATE_WORDS, templates, Vec::new(), surroundings, page_size);
    let made = (keep(prompts, &mut problems), keep(resources, &mut problems), keep(templates, &mut problems));
    let (Some(prompts), Some(resources), Some(templates)) = made else { return problems };
    problems.extend(unread(&resources, &templates));
    problems.extend(unreachable(&templates));
    if problems.is_empty() {
        sets.prompts.start(prompts, Arc::clone(surroundings));
        sets.resources.start(resources, Arc::clone(surroundings));
        sets.templates.start(templates, Arc::clone(surroundings));
    }
    problems
}

fn completes_any(sets: &Sets) -> bool {
    let of_prompts = sets.prompts.read().is_some_and(|prompts| prompts.enabled().any(|prompt| prompt.completes()));
    let of_templates = sets.templates.read().is_some_and(|all| all.enabled().any(|template| template.completes()));
    of_prompts || of_templates || sets.prompts.can_change() || sets.templates.can_change()
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
