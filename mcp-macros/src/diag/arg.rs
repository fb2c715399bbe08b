//! About the attributes of parameters.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Error, LitStr};

use super::error;
use crate::kind::Kind;
use crate::source::source;

pub(crate) fn unknown_attribute(kind: &Kind, attr: &Attribute) -> Error {
    let path = source(attr.path());
    let args = if kind.has_uri { "" } else { "`#[args]`, " };
    error(
        attr,
        &format_args!("unknown attribute `#[{path}]` on a {kind} parameter"),
        &format_args!("remove it; `#[arg(…)]`, {args}doc comments, `#[cfg]` and attributes of lints are known here"),
    )
}

// Attributes of derive macros

pub(crate) fn derive_attribute(kind: &Kind, attr: &dyn ToTokens) -> Error {
    error(
        attr,
        &format_args!("this attribute does nothing on a {kind} parameter"),
        &"write `#[arg(…)]`; the other works inside of types",
    )
}

pub(crate) fn derive_key(kind: &Kind, owner: &str, key: &Ident, ours: Option<&str>) -> Error {
    let what = format!("a {kind} parameter cannot have `#[{owner}({key})]`");
    match ours {
        Some(ours) => error(key, &what, &format_args!("write `{ours}`")),
        None => error(key, &what, &"remove it, or take a type of your own that has it"),
    }
}

// `#[arg]`

pub(crate) fn arg_has_no_keys(attr: &Attribute) -> Error {
    error(attr, &"this `#[arg]` has no keys", &"write `#[arg(key = value)]`, or remove it")
}

pub(crate) fn receiver_has_arg(attr: &Attribute) -> Error {
    let path = source(attr.path());
    error(attr, &format_args!("a receiver cannot have `#[{path}]`"), &"remove it; a receiver is no argument of a call")
}

pub(crate) fn rename_is_empty(name: &LitStr) -> Error {
    error(name, &"the name of an argument cannot be empty", &"remove it to use the name of the parameter")
}

pub(crate) fn parameter_named_twice(kind: &Kind, name: &dyn ToTokens, text: &str) -> Error {
    error(name, &format_args!("two {kind} parameters are named `{text}`"), &"rename one of them")
}

pub(crate) fn bad_header(header: &LitStr) -> Error {
    error(header, &"this cannot be the name of a header", &"write letters, digits and `-`, as in `header = \"Region\"`")
}

pub(crate) fn header_given_twice(kind: &Kind, header: &LitStr) -> Error {
    let name = header.value();
    error(header, &format_args!("two {kind} parameters have the header `{name}`"), &"give one of them another header")
}

pub(crate) fn header_beyond_tools(key: &Ident) -> Error {
    error(
        key,
        &"`header` is for the arguments of tools",
        &"remove it; clients mirror no arguments of prompts and of resources into headers",
    )
}

pub(crate) fn complete_on_tool(key: &Ident) -> Error {
    error(
        key,
        &"`complete` is for the arguments of prompts and of resources",
        &"remove it; clients complete no arguments of tools",
    )
}

pub(crate) fn outside_of_bounds(
    key: &Ident,
    value: &TokenStream,
    what: &str,
    bounds_key: &Ident,
    bounds: &TokenStream,
) -> Error {
    let bounds = source(bounds);
    error(
        value,
        &format_args!("the {key} {what} is outside of `{bounds_key} = {bounds}`"),
        &format_args!("write a value that a call may send, or change `{bounds_key}`"),
    )
}

// `#[args]`

pub(crate) fn args_has_arguments(arguments: &dyn ToTokens) -> Error {
    error(
        arguments,
        &"`#[args]` takes no keys",
        &"write `#[args]`; what the arguments are is said inside of the parameter's type",
    )
}

pub(crate) fn args_beside_uri(kind: &Kind, attr: &Attribute) -> Error {
    error(
        attr,
        &format_args!("a {kind} parameter cannot have `#[args]`"),
        &"write one parameter for each variable of the URI",
    )
}

pub(crate) fn args_given_twice(attr: &Attribute) -> Error {
    error(attr, &"`#[args]` is given twice", &"remove one of them")
}

pub(crate) fn arg_beside_args(attr: &Attribute) -> Error {
    error(
        attr,
        &"a parameter with `#[args]` cannot have `#[arg]`",
        &"remove it; what the arguments are is said inside of the parameter's type",
    )
}

pub(crate) fn two_args(kind: &Kind, attr: &Attribute) -> Error {
    error(
        attr,
        &format_args!("two {kind} parameters have `#[args]`"),
        &"remove one of them; the parameter that has it takes all arguments",
    )
}
