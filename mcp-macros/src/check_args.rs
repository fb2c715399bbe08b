//! What the attributes of a parameter must not contain. Every function here only reports.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, Ident, LitStr, Meta, parse2};

use crate::arg::is_kept_on_parameter;
use crate::bounds::Number;
use crate::diag::{Errors, arg as diag};
use crate::entries::{Form, parse_key, split_at_commas};
use crate::kind::Kind;
use crate::lower_param::argument_name;
use crate::model::{ArgAttr, Bounds, HandlerFn, Input, InputKind, Keyed, Param, Pattern};
use crate::source::source;
use crate::tokens::ungrouped;
use crate::types::{as_reference, is_named_like_injected};

/// Checks the attributes of all inputs; `args` has one entry for each.
pub(crate) fn check_args(kind: &Kind, func: &HandlerFn, args: &[ArgAttr], errors: &Errors) {
    for (input, arg) in func.inputs.iter().zip(args) {
        check_attributes(kind, input, errors);
        check_keys(arg, errors);
    }
    check_names(kind, func, args, errors);
    check_headers(kind, args, errors);
    check_only_one_whole(kind, args, errors);
}

fn check_attributes(kind: &Kind, input: &Input, errors: &Errors) {
    let is_receiver = matches!(input.kind, InputKind::Receiver(_));
    let mut wholes = input.attrs.iter().filter(|attr| attr.path().is_ident("args"));
    let is_whole = wholes.next().is_some();
    for second in wholes {
        errors.push(diag::args_given_twice(second));
    }
    for attr in &input.attrs {
        let path = attr.path();
        let is_arg = path.is_ident("arg");
        if is_receiver && (is_arg || path.is_ident("args")) {
            errors.push(diag::receiver_has_arg(attr));
        } else if path.is_ident("args") && kind.has_uri {
            errors.push(diag::args_beside_uri(kind, attr));
        } else if path.is_ident("args") {
            check_has_no_arguments(attr, errors);
        } else if is_arg && is_whole {
            errors.push(diag::arg_beside_args(attr));
        } else if path.is_ident("serde") || path.is_ident("schemars") {
            check_derive_attribute(kind, attr, errors);
        } else if !is_arg && !path.is_ident("doc") && !is_kept_on_parameter(attr) {
            errors.push(diag::unknown_attribute(kind, attr));
        }
    }
}

fn check_has_no_arguments(args: &Attribute, errors: &Errors) {
    match &args.meta {
        Meta::Path(_) => {}
        Meta::List(list) if list.tokens.is_empty() => errors.push(diag::args_has_arguments(args)),
        Meta::List(list) => errors.push(diag::args_has_arguments(&list.tokens)),
        Meta::NameValue(meta) => errors.push(diag::args_has_arguments(&meta.value)),
    }
}

/// Reports each key of a `#[serde(…)]`, with our own key for it.
fn check_derive_attribute(kind: &Kind, attr: &Attribute, errors: &Errors) {
    let owner = source(attr.path());
    let Meta::List(list) = &attr.meta else {
        errors.push(diag::derive_attribute(kind, attr));
        return;
    };
    if list.tokens.is_empty() {
        errors.push(diag::derive_attribute(kind, attr));
    }
    for entry in split_at_commas(list.tokens.clone()) {
        let written = entry.tokens.clone();
        errors.push(match parse_key(&owner, entry) {
            Ok(key) => {
                diag::derive_key(kind, &owner, &key.ident, our_key(kind, &key.ident.to_string(), &key.form).as_deref())
            }
            Err(_) if written.is_empty() => diag::derive_attribute(kind, attr),
            Err(_) => diag::derive_attribute(kind, &written),
        });
    }
}

/// What says the same as a key of `#[serde]` or `#[schemars]`.
fn our_key(kind: &Kind, name: &str, form: &Form) -> Option<String> {
    let value = match form {
        Form::Value(_, value) => parse2::<LitStr>(value.clone()).ok(),
        _ => None,
    };
    let key = match (name, value) {
        ("default", Some(func)) => format!("default = {}()", func.value()),
        ("default", None) => "default".to_owned(),
        ("rename", Some(wire)) => format!("rename = {}", source(wire)),
        ("rename", None) => "rename = \"…\"".to_owned(),
        ("range", _) => "range = 0..=20".to_owned(),
        ("length", _) => "len = 1..=80".to_owned(),
        ("regex" | "pattern", _) => "pattern = \"…\"".to_owned(),
        ("example", _) => "example = …".to_owned(),
        ("description", _) => "description = \"…\"".to_owned(),
        ("flatten", _) if !kind.has_uri => return Some("#[args]".to_owned()),
        _ => return None,
    };
    Some(format!("#[arg({key})]"))
}

fn check_keys(arg: &ArgAttr, errors: &Errors) {
    if let Some(rename) = arg.rename.as_ref().filter(|rename| rename.value().is_empty()) {
        errors.push(diag::rename_is_empty(rename));
    }
    if let Some(header) = arg.header.as_ref().filter(|header| !is_header_name(&header.value.value())) {
        errors.push(diag::bad_header(&header.value));
    }
    let default = arg.default.iter().filter_map(|default| Some((&default.key, default.value.as_ref()?)));
    let examples = arg.examples.iter().map(|example| (&example.key, &example.value));
    for (key, value) in default.chain(examples) {
        check_inside(key, value, arg, errors);
    }
}

/// The characters of a token in RFC 9110.
fn is_header_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_allowed)
}

/// Compares a literal with literal bounds.
fn check_inside(key: &Ident, value: &TokenStream, arg: &ArgAttr, errors: &Errors) {
    let report = |bounds: &Keyed<Bounds>, what: &str| {
        errors.push(diag::outside_of_bounds(key, value, what, &bounds.key, &bounds.value.whole));
    };
    if let (Some(range), Some(number)) = (&arg.range, Number::read(value)) {
        if range.value.excludes(&number) {
            report(range, &format!("`{}`", source(ungrouped(value.clone()))));
        }
    }
    if let (Some(len), Ok(text)) = (&arg.len, parse2::<LitStr>(value.clone())) {
        let length = text.value().chars().count();
        if len.value.excludes(&Number::of_length(length)) {
            report(len, &format!("with {length} characters"));
        }
    }
}

/// Compares the names of arguments. What is injected has none on the wire; a type of the user's that is only named like
/// it is compared at start.
fn check_names(kind: &Kind, func: &HandlerFn, args: &[ArgAttr], errors: &Errors) {
    let mut names = HashSet::new();
    for (input, arg) in func.inputs.iter().zip(args) {
        let (InputKind::Param(Param { pattern: Pattern::Name(_, ident), ty, .. }), Some(name)) =
            (&input.kind, argument_name(input, arg))
        else {
            continue;
        };
        if is_named_like_injected(as_reference(ty).map_or(ty, |reference| &reference.elem)) {
            continue;
        }
        if names.contains(&name.value()) {
            let at = arg.rename.as_ref().map_or(ident.to_token_stream(), LitStr::to_token_stream);
            errors.push(diag::parameter_named_twice(kind, &at, &name.value()));
        }
        names.insert(name.value());
    }
}

/// Headers of HTTP are compared without case.
fn check_headers(kind: &Kind, args: &[ArgAttr], errors: &Errors) {
    let mut names = HashSet::new();
    for header in args.iter().filter_map(|arg| arg.header.as_ref()) {
        if !names.insert(header.value.value().to_ascii_lowercase()) {
            errors.push(diag::header_given_twice(kind, &header.value));
        }
    }
}

fn check_only_one_whole(kind: &Kind, args: &[ArgAttr], errors: &Errors) {
    for second in args.iter().filter_map(|arg| arg.whole.as_ref()).skip(1) {
        errors.push(diag::two_args(kind, second));
    }
}
