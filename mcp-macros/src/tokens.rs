//! What `proc_macro2` leaves to be asked of tokens.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// Where the tokens begin, inside the invisible groups that `macro_rules!` fragments leave.
pub(crate) fn first_span(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first_span(group.stream()),
        TokenTree::Group(group) => Some(group.span_open()),
        other => Some(other.span()),
    })
}

/// Where the tokens end, likewise.
pub(crate) fn last_span(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().last().and_then(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => last_span(group.stream()),
        TokenTree::Group(group) => Some(group.span_close()),
        other => Some(other.span()),
    })
}

/// Without the invisible groups that `macro_rules!` fragments leave around the whole.
pub(crate) fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        _ => tokens,
    }
}

pub(crate) fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}
