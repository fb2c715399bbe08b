//! The URI of a resource, and the parameters that its variables belong to.

use syn::LitStr;
use syn::ext::IdentExt as _;

use crate::diag::{Errors, uri as diag};
use crate::lower_param::argument_name;
use crate::model::{ArgAttr, HandlerFn, Input, InputKind, Param, Pattern};
use crate::template::{self, Variable};
use crate::types::{self, as_reference};
use crate::words::nearest;

/// The names of the variables. Reports what is wrong with the URI, or each variable that no parameter has.
pub(crate) fn lower_uri(uri: &LitStr, func: &HandlerFn, args: &[ArgAttr], errors: &Errors) -> Vec<String> {
    let variables = errors.ok(template::variables(uri)).unwrap_or_default();
    // What a parameter without a name was meant to be cannot be known.
    if func.inputs.iter().all(is_readable) {
        check_variables(uri, &variables, func, args, errors);
    }
    variables.into_iter().map(|variable| variable.name).collect()
}

fn is_readable(input: &Input) -> bool {
    matches!(&input.kind, InputKind::Receiver(_) | InputKind::Param(Param { pattern: Pattern::Name(..), .. }))
}

fn check_variables(uri: &LitStr, variables: &[Variable], func: &HandlerFn, args: &[ArgAttr], errors: &Errors) {
    let inputs = || func.inputs.iter().zip(args);
    let names = inputs().filter_map(|(input, arg)| argument_name(input, arg));
    let names: Vec<String> = names.map(|name| name.value()).collect();
    let is_variable = |name: &&str| variables.iter().any(|variable| variable.name == **name);
    let others: Vec<&str> = names.iter().map(String::as_str).filter(|name| !is_variable(name)).collect();
    let without: Vec<&Variable> = variables.iter().filter(|variable| !names.contains(&variable.name)).collect();
    // One of each are probably meant for each other, unless the parameter looks like what the server provides.
    let arguments = inputs().filter(|(input, _)| !is_named_like_injected(input));
    let arguments = arguments.filter_map(|(input, arg)| argument_name(input, arg)).map(|name| name.value());
    let mut arguments = arguments.filter(|name| others.contains(&name.as_str()));
    let lone = match (without.len(), arguments.next(), arguments.next()) {
        (1, Some(name), None) => Some(name),
        _ => None,
    };
    for Variable { name, is_in_query } in without {
        let ty = if *is_in_query { "Option<String>" } else { "String" };
        let renamed = || renamed(name, func, args).filter(|now| others.contains(&now.as_str()));
        let near = nearest(name, &others).map(str::to_owned).or_else(renamed);
        errors.push(match (near, &lone) {
            (Some(near), _) => diag::variable_named_almost(uri, name, &near),
            (None, Some(other)) => diag::variable_beside_other(uri, name, other, ty),
            (None, None) => diag::variable_without_parameter(uri, name, ty),
        });
    }
}

fn is_named_like_injected(input: &Input) -> bool {
    match &input.kind {
        InputKind::Param(Param { ty, .. }) => {
            types::is_named_like_injected(as_reference(ty).map_or(ty, |reference| &reference.elem))
        }
        _ => false,
    }
}

/// The name on the wire of the parameter that has this name in the source.
fn renamed(name: &str, func: &HandlerFn, args: &[ArgAttr]) -> Option<String> {
    let is_called = |input: &Input| match &input.kind {
        InputKind::Param(Param { pattern: Pattern::Name(_, ident), .. }) => ident.unraw() == name,
        _ => false,
    };
    let (input, arg) = func.inputs.iter().zip(args).find(|(input, _)| is_called(input))?;
    argument_name(input, arg).map(|now| now.value())
}
