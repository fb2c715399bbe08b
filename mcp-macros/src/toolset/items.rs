//! The body of a block: tokens -> [`Item`]s.
//!
//! An item ends at a `;` or a brace group. Where that cuts a constant in two, nothing is lost, because only functions
//! and macros are looked into and all tokens are kept.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Generics, Ident, Path, Result, Token, Visibility, parenthesized};

use super::model::{Func, Item};
use crate::parse::{parse_qualifiers, starts_receiver};

pub(super) fn items(body: TokenStream) -> Vec<Item> {
    let mut items = Vec::new();
    let mut current = TokenStream::new();
    let mut end = End::default();
    for token in open_groups_of_items(body) {
        let is_end = end.is_at(&token);
        current.extend([token]);
        if is_end {
            items.push(item(std::mem::take(&mut current)));
        }
    }
    if !current.is_empty() {
        items.push(item(current));
    }
    items
}

/// Finds the ends of items. A brace group between angle brackets is an argument of a type: `fn f() -> Page<{ N }> {}`.
#[derive(Default)]
struct End {
    angles: usize,
    previous: Option<char>,
}

impl End {
    fn is_at(&mut self, token: &TokenTree) -> bool {
        let punct = match token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        match (punct, self.previous) {
            (Some('<'), _) => self.angles += 1,
            (Some('>'), Some('-' | '=')) => {}
            (Some('>'), _) => self.angles = self.angles.saturating_sub(1),
            _ => {}
        }
        let is_end = punct == Some(';') || (is_brace(token) && self.angles == 0);
        *self = Self { angles: if is_end { 0 } else { self.angles }, previous: punct };
        is_end
    }
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Opens the invisible groups around whole items, which `macro_rules!` fragments leave.
fn open_groups_of_items(tokens: TokenStream) -> TokenStream {
    let mut output = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if is_group_of_items(&group.stream(), group.delimiter()) => {
                output.extend(open_groups_of_items(group.stream()));
            }
            other => output.extend([other]),
        }
    }
    output
}

fn is_group_of_items(content: &TokenStream, delimiter: Delimiter) -> bool {
    let is_end = |last: TokenTree| End::default().is_at(&last);
    delimiter == Delimiter::None && content.clone().into_iter().last().is_some_and(is_end)
}

fn item(tokens: TokenStream) -> Item {
    if let Ok(func) = parse_func.parse2(tokens.clone()) {
        return Item::Func(func);
    }
    match parse_macro.parse2(tokens.clone()) {
        Ok(path) => Item::Macro(path, tokens),
        Err(_) => Item::Other(tokens),
    }
}

fn parse_func(input: ParseStream) -> Result<Func> {
    let attrs = input.call(Attribute::parse_outer)?;
    let ahead = input.fork();
    let vis = ahead.parse()?;
    parse_qualifiers(&ahead)?;
    ahead.parse::<Token![fn]>()?;
    let ident = ahead.parse()?;
    ahead.parse::<Generics>()?;
    let content;
    parenthesized!(content in ahead);
    content.call(Attribute::parse_outer)?;
    let has_receiver = starts_receiver(&content);
    content.parse::<TokenStream>()?;
    Ok(Func { attrs, vis, ident, has_receiver, rest: input.parse()? })
}

fn parse_macro(input: ParseStream) -> Result<Path> {
    input.call(Attribute::parse_outer)?;
    let ahead = input.fork();
    // A visibility is wrong here, which the compiler says.
    if ahead.parse::<Visibility>().is_ok() {
        input.advance_to(&ahead);
    }
    let path = input.call(Path::parse_mod_style)?;
    input.parse::<Token![!]>()?;
    input.parse::<Option<Ident>>()?;
    input.parse::<TokenStream>()?;
    Ok(path)
}

/// Those of any item; none where they cannot be read.
pub(super) fn attributes(item: TokenStream) -> Vec<Attribute> {
    let attributes = |input: ParseStream| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    attributes.parse2(item).unwrap_or_default()
}
