//! Doc attributes -> text.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// The text of all doc comments: a literal where it is known, otherwise a `concat!` that the compiler evaluates.
pub(crate) fn text(attrs: &[Attribute]) -> Option<TokenStream> {
    let mut pieces = pieces(attrs);
    if let Some(Piece::Text(first)) = pieces.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some(Piece::Text(last)) = pieces.last_mut() {
        *last = last.trim_end().to_owned();
    }
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    match pieces.as_slice() {
        [] => None,
        [Piece::Text(text)] => Some(literal(text).into_token_stream()),
        pieces => Some(concat(pieces)),
    }
}

enum Piece {
    Text(String),
    /// `#[doc = include_str!("..")]` and the like.
    Tokens(TokenStream),
}

// `#[doc = "See"] #[doc = include_str!("a.md")]` becomes `::core::concat!("See\n", include_str!("a.md"))`.
fn concat(pieces: &[Piece]) -> TokenStream {
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => literal(text).into_token_stream(),
        Piece::Tokens(tokens) => tokens.clone(),
    });
    quote_spanned!(Span::mixed_site()=> ::core::concat!(#(#pieces),*))
}

fn literal(text: &str) -> LitStr {
    LitStr::new(text, Span::mixed_site())
}

/// One piece per run of literal lines; line ends are in the texts.
fn pieces(attrs: &[Attribute]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for value in attrs.iter().filter_map(doc_value) {
        if !pieces.is_empty() {
            push_text(&mut pieces, "\n");
        }
        match value {
            Piece::Text(comment) => push_text(&mut pieces, &clean(&comment)),
            Piece::Tokens(_) => pieces.push(value),
        }
    }
    pieces
}

fn push_text(pieces: &mut Vec<Piece>, more: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(text)) => text.push_str(more),
        _ => pieces.push(Piece::Text(more.to_owned())),
    }
}

fn doc_value(attr: &Attribute) -> Option<Piece> {
    match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(piece(&meta.value)),
        _ => None,
    }
}

fn piece(value: &Expr) -> Piece {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Piece::Text(text.value()),
        // A fragment of a `macro_rules!` macro.
        Expr::Group(group) => piece(&group.expr),
        other => Piece::Tokens(other.to_token_stream()),
    }
}

/// Takes off what belongs to the comment: one space in front of a line; of a block comment, its stars or its indent.
fn clean(comment: &str) -> String {
    let Some((first, rest)) = comment.split_once('\n') else {
        return strip_space(comment).to_owned();
    };
    let rest: Vec<&str> = rest.lines().collect();
    let indent = indent(&rest);
    let rest: Vec<&str> = rest.iter().map(|line| strip(line, indent)).collect();
    let stars = |line: &&str| line.is_empty() || line.starts_with('*');
    let starred = rest.iter().all(stars);
    let rest = rest.into_iter().map(|line| match line.strip_prefix('*') {
        Some(line) if starred => strip_space(line),
        _ => line,
    });
    let lines: Vec<&str> = std::iter::once(strip_space(first)).chain(rest).collect();
    lines.join("\n")
}

/// The common indent, in bytes.
fn indent(lines: &[&str]) -> usize {
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let indents = filled.map(|line| line.len() - line.trim_start().len());
    indents.min().unwrap_or(0)
}

/// A blank line may be shorter than the indent.
fn strip(line: &str, indent: usize) -> &str {
    line.get(indent..).unwrap_or(line.trim())
}

fn strip_space(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line)
}
