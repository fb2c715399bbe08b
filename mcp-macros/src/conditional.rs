//! `#[cfg]` on a parameter, and on what our items belong to.
//!
//! An argument of a call cannot carry `#[cfg]`, and the macro cannot evaluate one. So the function is written twice,
//! with the parameter and without it, and the compiler keeps the one that applies.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Meta, parse2};

use crate::entries::split_at_commas;
use crate::kind::Kind;
use crate::model::HandlerFn;
use crate::runtime::Runtime;

/// The conditions under which an item exists, as attributes for another item.
pub(crate) fn conditions(attrs: &[Attribute]) -> Vec<TokenStream> {
    attrs.iter().filter_map(|attr| conditions_of(&attr.meta)).map(|meta| quote!(#[#meta])).collect()
}

// `cfg(unix)` stays, and of `cfg_attr(unix, cfg(test), inline)` stays `cfg_attr(unix, cfg(test))`.
fn conditions_of(meta: &Meta) -> Option<TokenStream> {
    let Meta::List(list) = meta else {
        return None;
    };
    if list.path.is_ident("cfg") {
        return Some(meta.to_token_stream());
    }
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let mut entries = split_at_commas(list.tokens.clone()).into_iter();
    let predicate = entries.next()?.tokens;
    let metas = entries.filter_map(|entry| conditions_of(&parse2(entry.tokens).ok()?));
    let metas: Vec<TokenStream> = metas.collect();
    let path = &list.path;
    (!metas.is_empty()).then(|| quote!(#path(#predicate, #(#metas),*)))
}

// `#[tool(read_only)] fn f(#[cfg(unix)] a: u8, b: u8) {}` becomes
//
//     #[cfg(unix)]
//     #[::mcp_runtime::tool(read_only)]
//     fn f(a: u8, b: u8) {}
//     #[cfg(not(unix))]
//     #[::mcp_runtime::tool(read_only)]
//     fn f(b: u8) {}
//
// A second `#[cfg]` is met when these expand.
/// Splits at the first `#[cfg]` of a parameter, if there is one.
pub(crate) fn split(kind: &Kind, attr: &TokenStream, runtime: &Runtime, func: &HandlerFn) -> Option<TokenStream> {
    let (index, condition) = first_condition(func)?;
    let with = without_condition(func, index);
    let without = without_input(func, index);
    let path = runtime.path();
    let attribute = kind.attribute_ident();
    Some(quote_spanned! {Span::mixed_site()=>
        #[cfg(#condition)]
        #[#path::#attribute(#attr)]
        #with
        #[cfg(not(#condition))]
        #[#path::#attribute(#attr)]
        #without
    })
}

fn first_condition(func: &HandlerFn) -> Option<(usize, TokenStream)> {
    let mut inputs = func.inputs.iter().enumerate();
    inputs.find_map(|(index, input)| Some((index, input.attrs.iter().find_map(condition)?)))
}

fn condition(attr: &Attribute) -> Option<TokenStream> {
    match &attr.meta {
        Meta::List(list) if list.path.is_ident("cfg") => Some(list.tokens.to_token_stream()),
        _ => None,
    }
}

fn without_condition(func: &HandlerFn, index: usize) -> HandlerFn {
    let mut func = func.clone();
    if let Some(input) = func.inputs.get_mut(index) {
        let cfg = |attr: &Attribute| condition(attr).is_some();
        if let Some(first) = input.attrs.iter().position(cfg) {
            input.attrs.remove(first);
        }
    }
    func
}

fn without_input(func: &HandlerFn, index: usize) -> HandlerFn {
    let mut func = func.clone();
    let inputs = std::mem::take(&mut func.inputs).into_iter().enumerate();
    func.inputs = inputs.filter(|(other, _)| *other != index).map(|(_, input)| input).collect();
    func
}
