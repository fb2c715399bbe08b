//! About `#[derive(Form)]`.

use proc_macro2::Ident;
use quote::quote;
use syn::{Attribute, Error, Fields, FieldsUnnamed, Generics, Token};

use super::{error, error_at};
use crate::source::source;

// The item

pub(crate) fn is_union(keyword: Token![union]) -> Error {
    error(
        &keyword,
        &"`#[derive(Form)]` belongs on a struct or an enum, not on `union`",
        &"write a struct with one field for each question",
    )
}

pub(crate) fn is_generic(generics: &Generics) -> Error {
    error(generics, &"a form cannot have generic parameters", &"write concrete types that own their data")
}

pub(crate) fn has_no_names(fields: &FieldsUnnamed, form: &Ident) -> Error {
    let tys: Vec<String> = fields.unnamed.iter().map(|field| source(&field.ty)).collect();
    let ty = tys.first().map_or("String", String::as_str);
    let help = format!("write `struct {form} {{ answer: {ty} }}`, with a name for each question");
    error(fields, &"the fields of a form must have names", &help)
}

pub(crate) fn has_no_braces(form: &Ident) -> Error {
    error(
        form,
        &"a form must have braces, because its answer is an object",
        &format_args!("write `struct {form} {{}}`, which asks for consent alone"),
    )
}

pub(crate) fn is_transparent(owner: &str, key: &Ident) -> Error {
    error(
        key,
        &format_args!("a form cannot have `#[{owner}({key})]`"),
        &"remove it, because the answer is an object with one member for each field",
    )
}

// `#[form]`

pub(crate) fn has_no_keys(attr: &Attribute) -> Error {
    error(attr, &"this `#[form]` has no keys", &"write `#[form(crate = my_facade::mcp)]`, or remove it")
}

/// `instead` is what the keys of the attribute are on a field.
pub(crate) fn is_inside(attr: &Attribute, instead: Option<&str>) -> Error {
    error(attr, &"`#[form]` belongs above the whole type", &write_instead(instead))
}

pub(crate) fn has_arg(attr: &Attribute, instead: Option<&str>) -> Error {
    error(attr, &"`#[arg]` belongs on a parameter, not on a form", &write_instead(instead))
}

fn write_instead(instead: Option<&str>) -> String {
    match instead {
        Some(instead) => format!("write `{instead}`"),
        None => "write `#[schemars(…)]` or `#[serde(…)]` for what is said about a field or a choice".to_owned(),
    }
}

// Fields

pub(crate) fn is_flattened(owner: &str, key: &Ident) -> Error {
    error(
        key,
        &format_args!("a field of a form cannot have `#[{owner}({key})]`, because a form is flat"),
        &"write the fields of the other type here",
    )
}

// Choices

pub(crate) fn has_no_choices(choice: &Ident) -> Error {
    error(choice, &"a choice needs at least one variant", &format_args!("write `enum {choice} {{ Yes, No }}`"))
}

pub(crate) fn choice_has_data(variant: &Ident, fields: &Fields) -> Error {
    error(
        &quote!(#variant #fields),
        &format_args!("the choice `{variant}` cannot have data"),
        &format_args!("write `{variant}`, and ask for the data in a field of the form"),
    )
}

pub(crate) fn choice_is_tagged(owner: &str, key: &Ident) -> Error {
    error(
        key,
        &format_args!("a choice cannot have `#[{owner}({key})]`"),
        &"remove it, because the answer is the name of a variant",
    )
}

pub(crate) fn unreadable(error: &Error) -> Error {
    let what = format!("this type cannot be read as a form: {error}");
    error_at(error.span(), &what, &"write `struct Name { field: Type }`")
}
