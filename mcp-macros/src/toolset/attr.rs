//! The `#[tool]`s, `#[prompt]`s and `#[resource]`s on functions of a block, also those inside of `#[cfg_attr]`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, MacroDelimiter, Meta, MetaList, Token, parse2, token};

use crate::entries::{Entry, split_at_commas};
use crate::kind::Kind;

/// One `#[tool]`, or an attribute of another kind, as it is written.
pub(super) struct Mark {
    pub(super) kind: &'static Kind,
    /// What stands in the brackets of the attribute.
    pub(super) whole: TokenStream,
    /// The predicates of the `#[cfg_attr]`s around it.
    pub(super) predicates: Vec<TokenStream>,
    /// What stands between its parentheses.
    pub(super) arguments: TokenStream,
}

pub(super) fn marks(attrs: &[Attribute]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for attr in attrs {
        visit(&mut attr.meta.clone(), &mut Vec::new(), &mut |kind, meta, predicates| {
            let arguments = match meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            let whole = meta.to_token_stream();
            marks.push(Mark { kind, whole, predicates: predicates.to_vec(), arguments });
        });
    }
    marks
}

// `#[tool(read_only)]` becomes `#[tool(in_impl, read_only)]`.
/// Writes more keys into each of these attributes; `added` makes them of those that are there.
pub(super) fn add_keys(attr: &mut Attribute, added: &dyn Fn(&Kind, &TokenStream) -> TokenStream) {
    visit(&mut attr.meta, &mut Vec::new(), &mut |kind, meta, _| match meta {
        Meta::List(list) => {
            let added = added(kind, &list.tokens);
            list.tokens = with_keys(kind, &list.tokens, &added);
        }
        Meta::Path(path) => {
            let tokens = added(kind, &TokenStream::new());
            let delimiter = MacroDelimiter::Paren(token::Paren::default());
            if !tokens.is_empty() {
                *meta = Meta::List(MetaList { path: path.clone(), delimiter, tokens });
            }
        }
        // The compiler refuses `#[tool = ..]`.
        Meta::NameValue(_) => {}
    });
}

// `"orders://recent", title = "Orders"` becomes `"orders://recent", in_impl, title = "Orders"`: a URI stays first.
fn with_keys(kind: &Kind, written: &TokenStream, added: &TokenStream) -> TokenStream {
    let mut entries = split_at_commas(written.clone()).into_iter();
    let Some(Entry { tokens: first, .. }) = entries.next().filter(|_| kind.has_uri) else {
        return quote!(#added #written);
    };
    quote!(#first, #added #(#entries)*)
}

/// What is done with one of the attributes, and the predicates that it stands under.
type Found<'a> = &'a mut dyn FnMut(&'static Kind, &mut Meta, &[TokenStream]);

fn visit(meta: &mut Meta, predicates: &mut Vec<TokenStream>, found: Found) {
    if let Some(kind) = Kind::of_attribute(meta.path()) {
        found(kind, meta, predicates);
    } else if let Meta::List(list) = meta {
        if list.path.is_ident("cfg_attr") {
            visit_conditional(list, predicates, found);
        }
    }
}

fn visit_conditional(list: &mut MetaList, predicates: &mut Vec<TokenStream>, found: Found) {
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
