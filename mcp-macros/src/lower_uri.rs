//! The URI of a resource, and the parameters that its variables belong to.

use syn::LitStr;

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
        errors.push(match nearest(name, &others) {
            Some(near) => diag::variable_named_almost(uri, name, near),
            None => diag::variable_without_parameter(uri, name, ty),
        });
    }
}
