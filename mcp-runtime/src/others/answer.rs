//! The methods for prompts, resources and completions.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::targets::{CompletionTarget, PromptTarget, ResourceTarget};
use crate::caller::Caller;
use crate::dispatch::{Dispatch, find, unknown, unknown_in};
use crate::handler::completer::AnyCompleter;
use crate::jsonrpc::ErrorObject;
use crate::limits::MAX_URI_BYTES;
use crate::protocol::completion::{CompleteRequest, Reference};
use crate::protocol::meta::RequestParams;
use crate::protocol::prompts::GetPromptRequest;
use crate::protocol::resources::{decode_uri, not_found};
use crate::protocol::{Completion, Revision};
use crate::reply::{self, Caching};
use crate::request::{Answer, Method, Request, Watch};
use crate::resource;
use crate::target::Target;

/// What becomes of a request to complete an argument.
#[derive(Debug)]
enum Completing {
    /// The answer is known.
    Known(Completion),
    /// A completer has to be asked.
    Ask(Target),
}

/// Appends the response in a revision, or says what has to happen before there is one.
///
/// # Errors
/// What to answer instead.
pub(super) fn answer(
    request: &Request<'_>,
    method: Method,
    revision: Revision,
    dispatch: &Arc<Dispatch>,
    caller: &Arc<Caller>,
    out: &mut Vec<u8>,
) -> Result<Answer, ErrorObject> {
    let call = |found| request.call(found, revision, dispatch, caller);
    let sets = &dispatch.sets;
    match method {
        Method::GetPrompt => call(get_prompt(dispatch, request.params)?),
        Method::ReadResource => call(read_resource(dispatch, request.params, revision)?),
        Method::Complete => match complete(dispatch, request.raw)? {
            Completing::Ask(target) => call((target, "{}".into())),
            Completing::Known(completion) => {
                let write = |out: &mut Vec<u8>| completion.write(out);
                reply::write_result(out, dispatch, request.id, revision, Caching::Undefined, write);
                Ok(Answer::Written)
            }
        },
        Method::ListPrompts => request.list(&sets.prompts, revision, dispatch, out),
        Method::ListResources => request.list(&sets.resources, revision, dispatch, out),
        Method::ListResourceTemplates => request.list(&sets.templates, revision, dispatch, out),
        Method::Subscribe => {
            let uri = known_uri(dispatch, request.params, revision)?;
            Ok(Answer::Watch(Watch { uri, begins: true }))
        }
        // Of a resource that is gone, too.
        Method::Unsubscribe => {
            let uri = decode_uri(request.params)?.into();
            Ok(Answer::Watch(Watch { uri, begins: false }))
        }
        _ => Err(ErrorObject::method_not_found(request.method)),
    }
}

/// Finds a prompt.
///
/// # Errors
/// `-32602` for params that name none, and for one that is not there.
fn get_prompt(dispatch: &Dispatch, params: &RequestParams<'_>) -> Result<(Target, Box<str>), ErrorObject> {
    let request = GetPromptRequest::decode(params)?;
    let prompt = find(&dispatch.sets.prompts, &request.name);
    let prompt = prompt.ok_or_else(|| unknown_in(&dispatch.sets.prompts, &request.name))?;
    Ok((Target::other(PromptTarget(prompt)), request.arguments.into()))
}

/// Finds a resource, and the variables if it is one of a template.
///
/// # Errors
/// `-32602` for params that name none, and the error of the revision for one that is not there.
fn read_resource(
    dispatch: &Dispatch,
    params: &RequestParams<'_>,
    revision: Revision,
) -> Result<(Target, Box<str>), ErrorObject> {
    let uri = decode_uri(params)?;
    let (resource, variables) = find_resource(dispatch, &uri).ok_or_else(|| not_found(&uri, revision))?;
    Ok((Target::other(ResourceTarget { resource, uri: uri.into() }), variables.into()))
}

/// The resource with that URI, or else the first whose template it fits, and its variables.
fn find_resource(dispatch: &Dispatch, uri: &str) -> Option<(Arc<resource::Registered>, String)> {
    if uri.len() > MAX_URI_BYTES {
        return None;
    }
    let plain = dispatch.sets.resources.read()?;
    let in_another_spelling = || plain.find(|resource| resource.matches(uri).is_some());
    match plain.lookup(uri).or_else(|| uri.contains('%').then(in_another_spelling).flatten()) {
        // What is hidden is not to be had in any other way, such as by a template.
        Some((_, false)) => return None,
        Some((resource, true)) if !resource.is_only_listed() => {
            return Some((Arc::clone(resource), "{}".to_owned()));
        }
        _ => {}
    }
    let templates = dispatch.sets.templates.read()?;
    templates.enabled().find_map(|resource| Some((Arc::clone(resource), resource.matches(uri)?)))
}

/// The URI of a resource that is there.
///
/// # Errors
/// Those of [`read_resource`].
fn known_uri(dispatch: &Dispatch, params: &RequestParams<'_>, revision: Revision) -> Result<Box<str>, ErrorObject> {
    let uri = decode_uri(params)?;
    if find_resource(dispatch, &uri).is_none() {
        return Err(not_found(&uri, revision));
    }
    Ok(uri.into())
}

/// Finds what completes an argument.
///
/// # Errors
/// `-32602` for params that are none, and for a prompt, a template or an argument that is not there.
fn complete(dispatch: &Dispatch, params: Option<&RawValue>) -> Result<Completing, ErrorObject> {
    let CompleteRequest { reference, argument, others } = CompleteRequest::decode(params)?;
    let (completer, allowed) = completer(dispatch, &reference, &argument.name)?;
    let Some(completer) = completer else {
        let matching = allowed.into_iter().filter(|value| starts_like(value, &argument.value));
        return Ok(Completing::Known(Completion::new(matching)));
    };
    Ok(Completing::Ask(Target::other(CompletionTarget { completer, value: argument.value, others })))
}

/// The completer of an argument, and the values that its type allows.
fn completer(
    dispatch: &Dispatch,
    reference: &Reference,
    argument: &str,
) -> Result<(Option<Arc<AnyCompleter>>, Vec<String>), ErrorObject> {
    let found = match reference {
        Reference::Prompt { name } => {
            let prompt = find(&dispatch.sets.prompts, name);
            let prompt = prompt.ok_or_else(|| unknown_in(&dispatch.sets.prompts, name))?;
            let is_known = prompt.has_argument(argument);
            is_known.then(|| (prompt.completer(argument), prompt.allowed_values(argument)))
        }
        Reference::Resource { uri } => {
            let resource = find(&dispatch.sets.templates, uri).or_else(|| Some(find_resource(dispatch, uri)?.0));
            let resource = resource.ok_or_else(|| unknown("resource", uri))?;
            let is_known = resource.has_variable(argument);
            is_known.then(|| (resource.completer(argument), resource.allowed_values(argument)))
        }
    };
    found.ok_or_else(|| unknown("argument", argument))
}

/// Whether a value begins with what is typed so far, whatever its case.
fn starts_like(value: &str, typed: &str) -> bool {
    let mut letters = value.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|letter| letters.next() == Some(letter))
}
