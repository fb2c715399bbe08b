//! The list of keys in an attribute: tokens -> [`Key`].
//!
//! Entries are cut at commas before any is read, so that a mistake in one leaves the others readable.

use std::iter::Peekable;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree, token_stream};
use quote::ToTokens;
use syn::{Attribute, Meta, Result};

use crate::diag::keys as diag;
use crate::tokens::is_punct;

/// What stands between the parentheses of an attribute; `None` if nothing does.
pub(crate) fn list_of(attr: &Attribute) -> Option<TokenStream> {
    match &attr.meta {
        Meta::List(list) if !list.tokens.is_empty() => Some(list.tokens.clone()),
        _ => None,
    }
}

/// One entry as it is written.
pub(crate) struct Key {
    pub(crate) ident: Ident,
    pub(crate) form: Form,
}

pub(crate) enum Form {
    /// `key`
    Flag,
    /// `key = value`; the value is kept as tokens, because it may be any expression.
    Value(Punct, TokenStream),
    /// `key(…)`
    List(Group),
}

pub(crate) fn parse_key(owner: &str, entry: Entry) -> Result<Key> {
    let mut tokens = entry.tokens.into_iter().peekable();
    let ident = match tokens.next() {
        Some(TokenTree::Ident(ident)) => ident,
        Some(other) => return Err(diag::not_a_key(owner, &other)),
        None => return Err(diag::empty_entry(owner, entry.comma.as_ref())),
    };
    let form = match tokens.next() {
        None => Form::Flag,
        Some(TokenTree::Punct(punct)) if is_assignment(&punct, tokens.peek()) => {
            Form::Value(punct, parse_value(&ident, &mut tokens)?)
        }
        Some(TokenTree::Group(group)) => Form::List(group),
        Some(other) => return Err(diag::stray_after_key(&ident, &other)),
    };
    match tokens.next() {
        Some(stray) => Err(diag::stray_after_key(&ident, &stray)),
        None => Ok(Key { ident, form }),
    }
}

/// Takes the rest of the entry. A second `key =` in it means that a comma is missing.
fn parse_value(key: &Ident, tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) -> Result<TokenStream> {
    let mut value = TokenStream::new();
    while let Some(token) = tokens.next() {
        if let (TokenTree::Ident(_), Some(TokenTree::Punct(next))) = (&token, tokens.peek()) {
            if is_lone_equals(next) {
                return Err(diag::stray_after_key(key, &token));
            }
        }
        value.extend([token]);
    }
    Ok(value)
}

/// `=`, but not the first half of `==` or `=>`. The value may follow without a space: `default=-1`.
fn is_assignment(punct: &Punct, next: Option<&TokenTree>) -> bool {
    let doubles = |next: &TokenTree| is_punct(next, '=') || is_punct(next, '>');
    let is_half = punct.spacing() == Spacing::Joint && next.is_some_and(doubles);
    punct.as_char() == '=' && !is_half
}

fn is_lone_equals(punct: &Punct) -> bool {
    punct.as_char() == '=' && punct.spacing() == Spacing::Alone
}

/// The tokens up to a comma, and that comma unless the list ends there.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) tokens: TokenStream,
    comma: Option<Punct>,
}

impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
        self.comma.to_tokens(tokens);
    }
}

/// Cuts at top-level commas, except those between the angle brackets of `name::<A, B>` and `<A as B<C, D>>::NAME`.
pub(crate) fn split_at_commas(tokens: TokenStream) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut tokens = tokens.into_iter();
    loop {
        let entry = next_entry(&mut tokens);
        let last = entry.comma.is_none();
        if !(last && entry.tokens.is_empty()) {
            entries.push(entry);
        }
        if last {
            return entries;
        }
    }
}

fn next_entry(input: &mut token_stream::IntoIter) -> Entry {
    let mut tokens = TokenStream::new();
    let mut angles = 0_usize;
    let mut previous = ' ';
    for token in input {
        let TokenTree::Punct(punct) = &token else {
            previous = ' ';
            tokens.extend([token]);
            continue;
        };
        match (punct.as_char(), previous) {
            (',', _) if angles == 0 => {
                let comma = Some(punct.clone());
                return Entry { tokens, comma };
            }
            // Elsewhere a `<` is a comparison.
            ('<', ':' | '=') => angles += 1,
            ('<', _) if angles > 0 => angles += 1,
            ('>', '-' | '=') => {}
            ('>', _) => angles = angles.saturating_sub(1),
            _ => {}
        }
        previous = punct.as_char();
        tokens.extend([token]);
    }
    Entry { tokens, comma: None }
}
