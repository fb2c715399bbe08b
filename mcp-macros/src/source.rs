//! Tokens as text, for the help lines of messages.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::{Token, Type, TypeReference, TypeSlice};

use crate::tokens::is_punct;

/// Tokens as people write them. `TokenStream::to_string` may put a space between any two.
pub(crate) fn source(tokens: impl ToTokens) -> String {
    let mut words = Vec::new();
    push_words(tokens.to_token_stream(), &mut words);
    let mut text = String::new();
    let mut previous = "";
    for word in &words {
        if has_space(previous, word) {
            text.push(' ');
        }
        text.push_str(word);
        previous = word;
    }
    text
}

/// Joins `::`, `->`, `..=` and lifetimes, and opens groups.
fn push_words(tokens: TokenStream, words: &mut Vec<String>) {
    let mut joint = false;
    for token in tokens {
        let word = match &token {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group);
                words.extend(open.map(str::to_owned));
                push_words(group.stream(), words);
                words.extend(close.map(str::to_owned));
                joint = false;
                continue;
            }
            other => other.to_string(),
        };
        match words.last_mut() {
            Some(last) if joint && matches!(last.as_str(), ":" | "-" | "'" | "." | "..") => last.push_str(&word),
            _ => words.push(word),
        }
        joint = matches!(&token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
    }
}

fn delimiters(group: &Group) -> (Option<&'static str>, Option<&'static str>) {
    match group.delimiter() {
        Delimiter::Parenthesis => (Some("("), Some(")")),
        Delimiter::Bracket => (Some("["), Some("]")),
        Delimiter::Brace => (Some("{"), Some("}")),
        Delimiter::None => (None, None),
    }
}

fn has_space(previous: &str, next: &str) -> bool {
    let separate = |word: &str| matches!(word, "->" | "=" | "+" | "{" | "}");
    let prefix = matches!(previous, "mut" | "dyn" | "impl" | "as") || previous.starts_with('\'');
    match (previous, next) {
        ("", _) | (_, "," | ";" | ":" | "::" | ">" | ")" | "]" | "<") => false,
        ("," | ";" | ":", _) => true,
        _ if separate(previous) || separate(next) || prefix => true,
        _ => (is_word(previous) || previous == ">") && is_word(next),
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '_' | '\'' | '"'))
}

/// A type without references: `Option<&str>` -> `Option<String>`
pub(crate) fn owned(ty: impl ToTokens) -> String {
    source(replace_references(ty.to_token_stream()))
}

/// The same inside a parameter type that may itself be a reference: `&[&str]` -> `&[String]`
pub(crate) fn owned_inside(whole: &Type) -> String {
    match whole {
        Type::Group(group) => owned_inside(&group.elem),
        Type::Paren(paren) => owned_inside(&paren.elem),
        Type::Reference(outer) => format!("&{}", owned(&outer.elem)),
        other => owned(other),
    }
}

/// Replaces every reference in a type by what owns its target.
fn replace_references(tokens: TokenStream) -> TokenStream {
    let replace = |input: ParseStream| -> syn::Result<TokenStream> {
        let mut output = TokenStream::new();
        while !input.is_empty() {
            if input.peek(Token![&]) {
                output.extend(replace_references(owner(input.parse()?)));
                continue;
            }
            output.extend([match input.parse()? {
                TokenTree::Group(group) => {
                    let content = replace_references(group.stream());
                    TokenTree::Group(Group::new(group.delimiter(), content))
                }
                other => other,
            }]);
        }
        Ok(output)
    };
    let original = tokens.clone();
    replace.parse2(tokens).unwrap_or(original)
}

/// `&str` -> `String`, `&[T]` -> `Vec<T>`, `&Path` -> `PathBuf`, `&dyn T` -> `Box<dyn T>`, `&T` -> `T`
fn owner(reference: TypeReference) -> TokenStream {
    match *reference.elem {
        Type::Slice(TypeSlice { elem, .. }) => quote!(Vec<#elem>),
        Type::TraitObject(ty) => quote!(Box<#ty>),
        Type::Path(ty) if ty.path.is_ident("str") => quote!(String),
        Type::Path(mut ty) => {
            if let Some(last) = ty.path.segments.last_mut() {
                if last.ident == "Path" {
                    last.ident = Ident::new("PathBuf", last.ident.span());
                }
            }
            ty.to_token_stream()
        }
        other => other.to_token_stream(),
    }
}

/// `&'a Page<'a>` -> `&Page<'_>`
pub(crate) fn elided(ty: &Type) -> String {
    source(elide(ty.to_token_stream()))
}

fn elide(tokens: TokenStream) -> TokenStream {
    let mut output = TokenStream::new();
    let mut tokens = tokens.into_iter();
    let mut after_and = false;
    while let Some(token) = tokens.next() {
        if let TokenTree::Group(group) = &token {
            let content = elide(group.stream());
            output.extend([TokenTree::Group(Group::new(group.delimiter(), content))]);
        } else if !is_punct(&token, '\'') {
            after_and = is_punct(&token, '&');
            output.extend([token]);
            continue;
        } else if let (Some(name), false) = (tokens.next(), after_and) {
            let keep = name.to_string() == "static";
            let name = if keep { name.to_token_stream() } else { quote!(_) };
            output.extend([token]);
            output.extend(name);
        }
        after_and = false;
    }
    output
}
