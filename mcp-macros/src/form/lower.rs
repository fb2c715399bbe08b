//! The item -> [`FormIr`]: all checks, and what to ask of the compiler.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Data, DataEnum, DataStruct, DeriveInput, Field, Fields};

use super::instead::{instead, names};
use super::serde::{SerdeKey, keys};
use crate::diag::{Errors, form as diag};
use crate::entries::list_of;
use crate::keys::{form_attr, is_of_arg};
use crate::runtime::Runtime;

/// A form or a choice.
pub(crate) struct FormIr {
    pub(crate) runtime: Runtime,
    pub(crate) ident: Ident,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    /// The types that have to be questions.
    Form(Vec<TokenStream>),
    Choice,
}

/// Checks everything and lowers it. After most errors there still is something, so that its use adds no error elsewhere.
pub(crate) fn form(item: &DeriveInput, errors: &Errors) -> Option<FormIr> {
    let attr = form_attr(lists(&item.attrs, errors), errors);
    check_has_no_arg(&item.attrs, errors);
    let shape = match &item.data {
        Data::Struct(data) => Some(lower_struct(item, data, errors)),
        Data::Enum(data) => Some(lower_enum(item, data, errors)),
        Data::Union(data) => {
            errors.push(diag::is_union(data.union_token));
            None
        }
    };
    if !item.generics.params.is_empty() {
        errors.push(diag::is_generic(&item.generics));
        return None;
    }
    Some(FormIr { runtime: Runtime::new(attr.krate.as_ref()), ident: item.ident.clone(), shape: shape? })
}

/// What stands between the parentheses of each `#[form(…)]`.
fn lists(attrs: &[Attribute], errors: &Errors) -> Vec<TokenStream> {
    let forms = attrs.iter().filter(|attr| attr.path().is_ident("form"));
    let lists = forms.filter_map(|attr| {
        list_of(attr).or_else(|| {
            errors.push(diag::has_no_keys(attr));
            None
        })
    });
    lists.collect()
}

fn lower_struct(item: &DeriveInput, data: &DataStruct, errors: &Errors) -> Shape {
    for SerdeKey { owner, key } in keys(&item.attrs).iter().filter(|key| key.is_one_of(&["transparent"])) {
        errors.push(diag::is_transparent(owner, key));
    }
    match &data.fields {
        Fields::Named(fields) => {
            let fields = fields.named.iter().filter_map(|field| lower_field(item, field, errors));
            return Shape::Form(fields.collect());
        }
        Fields::Unnamed(fields) => errors.push(diag::has_no_names(fields, &item.ident)),
        Fields::Unit => errors.push(diag::has_no_braces(&item.ident)),
    }
    Shape::Form(Vec::new())
}

/// The type that has to be a question; `None` where nothing is asked, or where the schema is not that of the type.
fn lower_field(item: &DeriveInput, field: &Field, errors: &Errors) -> Option<TokenStream> {
    check_is_inside(&field.attrs, errors);
    let keys = keys(&field.attrs);
    for SerdeKey { owner, key } in keys.iter().filter(|key| key.is_one_of(&["flatten"])) {
        errors.push(diag::is_flattened(owner, key));
    }
    let is_left_out = |key: &SerdeKey| {
        let is_other_schema = key.owner == "schemars" && key.is_one_of(&["with", "schema_with"]);
        is_other_schema || key.is_one_of(&["skip", "skip_deserializing", "flatten"])
    };
    (!keys.iter().any(is_left_out)).then(|| without_self(field.ty.to_token_stream(), &item.ident))
}

/// `Self` has no meaning outside of the item.
fn without_self(ty: TokenStream, name: &Ident) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            let mut name = name.clone();
            name.set_span(ident.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_self(group.stream(), name));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    ty.into_iter().map(replace).collect()
}

fn lower_enum(item: &DeriveInput, data: &DataEnum, errors: &Errors) -> Shape {
    let is_tag = |key: &&SerdeKey| key.is_one_of(&["tag", "content", "untagged"]);
    for SerdeKey { owner, key } in keys(&item.attrs).iter().filter(is_tag) {
        errors.push(diag::choice_is_tagged(owner, key));
    }
    if data.variants.is_empty() {
        errors.push(diag::has_no_choices(&item.ident));
    }
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        errors.push(diag::choice_has_data(&variant.ident, &variant.fields));
    }
    for variant in &data.variants {
        check_is_inside(&variant.attrs, errors);
    }
    Shape::Choice
}

fn check_is_inside(attrs: &[Attribute], errors: &Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("form")) {
        errors.push(diag::is_inside(attr, instead(attr).as_deref()));
    }
    check_has_no_arg(attrs, errors);
}

/// Other derive macros, such as those of clap, have an `#[arg]` of their own, with other keys, which is left to them. It is
/// no helper of `Form`, although rustc then adds that it does not know it: as one, keys that are not ours would be ignored,
/// and those who misplace `#[arg]` elsewhere would be told to derive `Form`.
fn check_has_no_arg(attrs: &[Attribute], errors: &Errors) {
    let is_ours = |attr: &&Attribute| names(attr).iter().any(|name| is_of_arg(name));
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")).filter(is_ours) {
        errors.push(diag::has_arg(attr, instead(attr).as_deref()));
    }
}
