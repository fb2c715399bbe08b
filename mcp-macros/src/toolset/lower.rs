//! [`ToolsetAttr`] and [`Block`] -> [`ToolsetIr`]: all checks, and what to list.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Ident, Visibility};

use super::attr::{Mark, marks};
use super::items::attributes;
use super::model::{Block, Func, Item, ToolsetAttr};
use crate::conditional::conditions;
use crate::diag::{Errors, toolset as diag};
use crate::keys;
use crate::kind::{KINDS, Kind, TOOL};
use crate::runtime::Runtime;

/// The lists of what a block has.
pub(crate) struct ToolsetIr {
    pub(crate) runtime: Runtime,
    /// The attributes of the block that belong to the list as well.
    pub(crate) attrs: Vec<TokenStream>,
    pub(crate) generics: TokenStream,
    pub(crate) self_ty: TokenStream,
    pub(crate) where_clause: TokenStream,
    pub(crate) place: Place,
    pub(crate) tools: List,
    /// Those of other kinds that the block has some of.
    pub(crate) others: Vec<List>,
}

/// What gives the lists.
pub(crate) enum Place {
    Trait,
    Func(Visibility, Ident),
    /// After an error, where any other place would add one.
    Nowhere,
}

/// All of one kind.
pub(crate) struct List {
    pub(crate) kind: &'static Kind,
    pub(crate) handlers: Vec<Listed>,
}

/// A handler of a list.
pub(crate) struct Listed {
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) companion: Ident,
}

/// Checks everything and lowers it; a trait's block has no list. After other errors there still is one, so that
/// registering it adds no error elsewhere.
pub(crate) fn toolset(attr: &ToolsetAttr, block: &Block, errors: &Errors) -> Option<ToolsetIr> {
    if let Some(of_trait) = &block.of_trait {
        errors.push(diag::block_of_trait(of_trait, &block.self_ty));
        return None;
    }
    let handlers: Vec<Marked> = block.items.iter().flat_map(marked).collect();
    check_macros(block, errors);
    check_identities(&handlers, errors);
    check_kinds(attr, &handlers, errors);
    if handlers.is_empty() && !errors.has_errors() && !has_unread_handler(block) {
        errors.push(diag::is_empty(attr.name.as_ref()));
    }
    Some(ToolsetIr {
        runtime: Runtime::new(attr.krate.as_ref()),
        attrs: lower_attrs(block),
        generics: block.generics.to_token_stream(),
        self_ty: block.self_ty.to_token_stream(),
        where_clause: block.where_clause.to_token_stream(),
        place: lower_place(attr, block, &handlers, errors),
        tools: lower_list(&TOOL, &handlers),
        others: lower_others(&handlers),
    })
}

/// A function, and one of the attributes that make a handler of it.
type Marked<'a> = (&'a Func, Mark);

/// A named list is as visible as the first tool of it.
fn lower_place(attr: &ToolsetAttr, block: &Block, handlers: &[Marked], errors: &Errors) -> Place {
    let Some(name) = &attr.name else {
        return Place::Trait;
    };
    let is_taken = |item: &Item| matches!(item, Item::Func(func) if func.ident == *name);
    if block.items.iter().any(is_taken) {
        errors.push(diag::name_is_taken(name));
        return Place::Nowhere;
    }
    let vis = handlers.first().map_or(Visibility::Inherited, |(func, _)| func.vis.clone());
    Place::Func(vis, name.clone())
}

fn marked(item: &Item) -> Vec<Marked<'_>> {
    match item {
        Item::Func(func) => marks(&func.attrs).into_iter().map(|mark| (func, mark)).collect(),
        _ => Vec::new(),
    }
}

/// An item that is no function says so itself, if it has one of our attributes.
fn has_unread_handler(block: &Block) -> bool {
    block.items.iter().any(|item| match item {
        Item::Other(tokens) => !marks(&attributes(tokens.clone())).is_empty(),
        _ => false,
    })
}

fn check_macros(block: &Block, errors: &Errors) {
    for item in &block.items {
        if let Item::Macro(path, _) = item {
            errors.push(diag::macro_in_block(path));
        }
    }
}

/// A name is for a further list of tools; there is one place for prompts and for resources.
fn check_kinds(attr: &ToolsetAttr, handlers: &[Marked], errors: &Errors) {
    let Some(name) = &attr.name else {
        return;
    };
    for (_, mark) in handlers.iter().filter(|(_, mark)| *mark.kind != TOOL) {
        errors.push(diag::only_tools(name, mark.kind, &mark.whole));
    }
}

/// Compares handlers that always exist. Others, and those of other blocks, are compared at start.
fn check_identities(handlers: &[Marked], errors: &Errors) {
    let mut seen = HashSet::new();
    for (func, mark) in handlers.iter().filter(|(func, mark)| lower_cfgs(func, mark).is_empty()) {
        let attr = keys::ignoring_errors(mark.kind, mark.arguments.clone());
        let written = if mark.kind.has_uri { attr.uri } else { attr.name };
        let (identity, at) = match written {
            Some(written) => (written.value(), written.to_token_stream()),
            None => (func.ident.unraw().to_string(), func.ident.to_token_stream()),
        };
        if !seen.insert((mark.kind.plural, identity.clone())) {
            errors.push(diag::given_twice(mark.kind, &at, &identity));
        }
    }
}

fn lower_others(handlers: &[Marked]) -> Vec<List> {
    let others = KINDS.into_iter().filter(|kind| **kind != TOOL);
    others.map(|kind| lower_list(kind, handlers)).filter(|list| !list.handlers.is_empty()).collect()
}

fn lower_list(kind: &'static Kind, handlers: &[Marked]) -> List {
    let of_kind = handlers.iter().filter(|(_, mark)| mark.kind == kind);
    List { kind, handlers: of_kind.map(|(func, mark)| lower_handler(func, mark)).collect() }
}

fn lower_handler(func: &Func, mark: &Mark) -> Listed {
    Listed { cfgs: lower_cfgs(func, mark), companion: mark.kind.companion(&func.ident) }
}

fn lower_cfgs(func: &Func, mark: &Mark) -> Vec<TokenStream> {
    let mut cfgs = conditions(&func.attrs);
    let predicates = mark.predicates.iter();
    cfgs.extend(predicates.map(|predicate| quote_spanned!(Span::mixed_site()=> #[cfg(#predicate)])));
    cfgs
}

/// The type may be one that a lint is about, such as a deprecated one.
fn lower_attrs(block: &Block) -> Vec<TokenStream> {
    let allows = block.attrs.iter().filter(|attr| attr.path().is_ident("allow"));
    let mut attrs = conditions(&block.attrs);
    attrs.extend(allows.map(Attribute::to_token_stream));
    attrs
}
