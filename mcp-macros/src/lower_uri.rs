//! The URI of a resource, and the parameters that its variables belong to.

use syn::LitStr;
use syn::ext::IdentExt as _;

use crate::diag::{Errors, uri as diag};
use crate::lower_param::argument_name;
use crate::model::{ArgAttr, HandlerFn, Input, InputKind, Param, Pattern};
use crate::template::{self, Variable};
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
    let names = func.inputs.iter().zip(args).filter_map(|(input, arg)| argument_name(input, arg));
    let names: Vec<String> = names.map(|name| name.value()).collect();
    let is_variable = |name: &&str| variables.iter().any(|variable| variable.name == **name);
    let others: Vec<&str> = names.iter().map(String::as_str).filter(|name| !is_variable(name)).collect();
    for Variable { name, is_in_query } in variables.iter().filter(|variable| !names.contains(&variable.name)) {
        let ty = if *is_in_query { "Option<String>" } else { "String" };
        let renamed = || renamed(name, func, args).filter(|now| others.contains(&now.as_str()));
        errors.push(match nearest(name, &others).map(str::to_owned).or_else(renamed) {
            Some(near) => diag::variable_named_almost(uri, name, &near),
            None => diag::variable_without_parameter(uri, name, ty),
        });
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
