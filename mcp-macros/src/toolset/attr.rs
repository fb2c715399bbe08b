//! The `#[tool]`s on functions of a block, also those inside of `#[cfg_attr]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, MacroDelimiter, Meta, MetaList, Token, parse2, token};

use crate::entries::split_at_commas;

/// One `#[tool]` as it is written.
pub(super) struct Mark {
    /// The predicates of the `#[cfg_attr]`s around it.
    pub(super) predicates: Vec<TokenStream>,
    /// What stands between its parentheses.
    pub(super) arguments: TokenStream,
}

pub(super) fn marks(attrs: &[Attribute]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for attr in attrs {
        visit(&mut attr.meta.clone(), &mut Vec::new(), &mut |meta, predicates| {
            let arguments = match meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            marks.push(Mark { predicates: predicates.to_vec(), arguments });
        });
    }
    marks
}

// `#[tool(read_only)]` becomes `#[tool(in_impl, read_only)]`.
/// Writes more keys into each `#[tool]`; `added` makes them of those that are there.
pub(super) fn add_keys(attr: &mut Attribute, added: &dyn Fn(&TokenStream) -> TokenStream) {
    visit(&mut attr.meta, &mut Vec::new(), &mut |meta, _| match meta {
        Meta::List(list) => {
            let (written, added) = (&list.tokens, added(&list.tokens));
            list.tokens = quote!(#added #written);
        }
        Meta::Path(path) => {
            let tokens = added(&TokenStream::new());
            let delimiter = MacroDelimiter::Paren(token::Paren::default());
            if !tokens.is_empty() {
                *meta = Meta::List(MetaList { path: path.clone(), delimiter, tokens });
            }
        }
        // The compiler refuses `#[tool = ..]`.
        Meta::NameValue(_) => {}
    });
}

/// Visits each `tool(…)`, with the predicates that it stands under.
fn visit(meta: &mut Meta, predicates: &mut Vec<TokenStream>, found: &mut dyn FnMut(&mut Meta, &[TokenStream])) {
    if meta.path().segments.last().is_some_and(|last| last.ident == "tool") {
        found(meta, predicates);
    } else if let Meta::List(list) = meta {
        if list.path.is_ident("cfg_attr") {
            visit_conditional(list, predicates, found);
        }
    }
}

fn visit_conditional(
    list: &mut MetaList,
    predicates: &mut Vec<TokenStream>,
    found: &mut dyn FnMut(&mut Meta, &[TokenStream]),
) {
    let mut entries = split_at_commas(list.tokens.clone()).into_iter();
    let Some(predicate) = entries.next() else {
        return;
    };
    let predicate = predicate.tokens;
    let metas = entries.map(|entry| parse2::<Meta>(entry.tokens));
    // The compiler reports what cannot be read.
    let Ok(mut metas) = metas.collect::<syn::Result<Punctuated<Meta, Token![,]>>>() else {
        return;
    };
    predicates.push(predicate.clone());
    for meta in &mut metas {
        visit(meta, predicates, found);
    }
    predicates.pop();
    list.tokens = quote!(#predicate, #metas);
}
