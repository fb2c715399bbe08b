//! About the URI of a resource. A place inside of a literal cannot be underlined, so texts name it.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Error, LitStr};

use super::{error, error_at};
use crate::source::source;

// Where it stands

pub(crate) fn is_missing() -> Error {
    let help = "write `#[resource(\"orders://recent\")]`, or a template, such as `#[resource(\"orders://{id}\")]`";
    error_at(Span::call_site(), &"this resource has no URI", &help)
}

pub(crate) fn is_not_first(uri: &LitStr) -> Error {
    let written = source(uri);
    error(uri, &"the URI of a resource stands first", &format_args!("write `#[resource({written}, …)]`"))
}

pub(crate) fn has_key(key: &Ident, value: &TokenStream) -> Error {
    let value = source(value);
    error(key, &"the URI of a resource has no key", &format_args!("write `#[resource({value}, …)]`"))
}

pub(crate) fn is_no_literal(tokens: &TokenStream) -> Error {
    error(
        tokens,
        &"the URI of a resource must be a string literal",
        &"write it here, such as `\"orders://recent\"`, because its variables belong to parameters",
    )
}

// Characters

pub(crate) fn no_scheme(uri: &LitStr) -> Error {
    error(
        uri,
        &"the URI of a resource needs a scheme",
        &"begin with one that you choose, as in `orders://recent`, or with a known one, as in `file:///notes.txt`",
    )
}

pub(crate) fn scheme_in_upper_case(uri: &LitStr, scheme: &str) -> Error {
    let lower = scheme.to_ascii_lowercase();
    error(uri, &format_args!("the scheme `{scheme}` is not in lower case"), &format_args!("write `{lower}:`"))
}

pub(crate) fn bad_character(uri: &LitStr, bad: char) -> Error {
    let encoded: Vec<String> = bad.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    let encoded = encoded.concat();
    error(
        uri,
        &format_args!("the URI of a resource cannot contain `{}`", bad.escape_debug()),
        &format_args!("write `{encoded}`, or remove it"),
    )
}

/// `names` are those that can stand between the braces.
pub(crate) fn bad_character_in_braces(uri: &LitStr, bad: char, operator: Option<char>, names: &str) -> Error {
    let operator = operator.map_or(String::new(), String::from);
    error(
        uri,
        &format_args!("the braces in the URI of a resource cannot contain `{}`", bad.escape_debug()),
        &format_args!("write `{{{operator}{names}}}`"),
    )
}

pub(crate) fn unclosed_brace(uri: &LitStr, after: &str) -> Error {
    let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let name: String = after.chars().take_while(is_name).collect();
    error(
        uri,
        &format_args!("the `{{{name}` in the URI of a resource has no `}}`"),
        &"write `}` behind the name of the variable, or `%7B` for the character `{`",
    )
}

pub(crate) fn stray_brace(uri: &LitStr) -> Error {
    error(
        uri,
        &"a `}` in the URI of a resource has no `{`",
        &"write `{` in front of the name of the variable, or `%7D` for the character `}`",
    )
}

// Expressions

pub(crate) fn operator_is_reserved(uri: &LitStr, expression: &str, operator: char, names: &str) -> Error {
    error(
        uri,
        &format_args!("`{{{expression}}}` begins with `{operator}`, which has no meaning yet"),
        &format_args!("write `{{{names}}}`"),
    )
}

pub(crate) fn has_path_parameters(uri: &LitStr, expression: &str, names: &[&str]) -> Error {
    let better: Vec<String> = names.iter().map(|name| format!(";{name}={{{name}}}")).collect();
    let better = better.concat();
    error(
        uri,
        &format_args!("the URI of a resource cannot contain the form `{{{expression}}}`"),
        &format_args!("write `{better}`"),
    )
}

pub(crate) fn several_variables(uri: &LitStr, expression: &str, operator: Option<char>, names: &[&str]) -> Error {
    let (first, next, between) = match operator {
        Some('.') => (".", ".", ""),
        Some('/') => ("/", "/", ""),
        Some('#') => ("#", "+", ","),
        Some('+') => ("+", "+", ","),
        _ => ("", "", ","),
    };
    let operators = std::iter::once(first).chain(std::iter::repeat(next));
    let each: Vec<String> = operators.zip(names).map(|(operator, name)| format!("{{{operator}{name}}}")).collect();
    let better = each.join(between);
    error(uri, &format_args!("`{{{expression}}}` has several variables"), &format_args!("write `{better}`"))
}

// Variables

pub(crate) fn variable_has_no_name(uri: &LitStr) -> Error {
    error(
        uri,
        &"a variable in the URI of a resource has no name",
        &"write it between the braces, as in `orders://{id}`",
    )
}

pub(crate) fn bad_variable(uri: &LitStr, name: &str) -> Error {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let better: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    let digit = if better.starts_with(|first: char| first.is_ascii_digit()) { "_" } else { "" };
    error(
        uri,
        &format_args!("a variable of a URI cannot be named `{name}`"),
        &format_args!("write `{digit}{better}`; a name is letters, digits and `_`, and begins with no digit"),
    )
}

pub(crate) fn variable_is_cut(uri: &LitStr, operator: Option<char>, name: &str, length: &str) -> Error {
    let operator = operator.map_or(String::new(), String::from);
    let is_number = !length.is_empty() && length.bytes().all(|digit| digit.is_ascii_digit());
    let bound = if is_number { format!(", and `#[arg(len = ..={length})]` on the parameter") } else { String::new() };
    error(
        uri,
        &format_args!("the variable `{name}` of a URI cannot have the modifier `:{length}`"),
        &format_args!("write `{{{operator}{name}}}`{bound}"),
    )
}

/// What takes several segments is `{+name}`; in a query each name has one value.
pub(crate) fn variable_is_exploded(uri: &LitStr, operator: Option<char>, name: &str) -> Error {
    let better = match operator {
        Some(operator @ ('/' | '.' | ';')) => format!("{operator}{{+{name}}}"),
        Some(operator @ ('#' | '?' | '&')) => format!("{{{operator}{name}}}"),
        _ => format!("{{+{name}}}"),
    };
    error(
        uri,
        &format_args!("the variable `{name}` of a URI cannot have the modifier `*`"),
        &format_args!("write `{better}`, whose value is one string"),
    )
}

pub(crate) fn variable_given_twice(uri: &LitStr, name: &str) -> Error {
    error(uri, &format_args!("the URI has the variable `{name}` twice"), &"rename one of them")
}

// Variables and parameters

pub(crate) fn variable_without_parameter(uri: &LitStr, name: &str, ty: &str) -> Error {
    let parameter = parameter(name, ty);
    error(uri, &belongs_to_none(name), &format_args!("write a parameter `{parameter}`, or remove the variable"))
}

pub(crate) fn variable_named_almost(uri: &LitStr, name: &str, near: &str) -> Error {
    let better = better(uri, name, near);
    error(uri, &belongs_to_none(name), &format_args!("write {better}, or rename the parameter `{near}` to `{name}`"))
}

/// `other` is the one parameter that belongs to no variable.
pub(crate) fn variable_beside_other(uri: &LitStr, name: &str, other: &str, ty: &str) -> Error {
    let (better, parameter) = (better(uri, name, other), parameter(name, ty));
    error(
        uri,
        &belongs_to_none(name),
        &format_args!("write {better} if the parameter `{other}` is meant, or a parameter `{parameter}`"),
    )
}

fn belongs_to_none(name: &str) -> String {
    format!("the variable `{name}` of the URI belongs to no parameter")
}

fn parameter(name: &str, ty: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => format!("{name}: {ty}"),
        // A keyword.
        Err(_) => format!("#[arg(rename = \"{name}\")] value: {ty}"),
    }
}

/// Another name in the same braces, which are left out where they have more in them.
fn better(uri: &LitStr, name: &str, other: &str) -> String {
    if uri.value().contains(&format!("{{{name}}}")) { format!("`{{{other}}}`") } else { format!("`{other}`") }
}
