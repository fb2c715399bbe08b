//! The annotated item: tokens -> [`HandlerFn`].
//!
//! Only the signature is read. The body stays tokens, so that a half-typed one does not stop the macro.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Ident, Lifetime, Result, Token, parenthesized};

use crate::diag::{Errors, signature as diag};
use crate::kind::Kind;
use crate::model::{HandlerFn, Input, InputKind, Param, Pattern, Qualifiers, Receiver};

/// Reads a function; on anything else reports what it is, and returns `None`.
pub(crate) fn func(kind: &Kind, item: TokenStream, errors: &Errors) -> Option<HandlerFn> {
    let parse = |input: ParseStream| parse_item(kind, input);
    let read = parse.parse2(item).map_err(|error| diag::unreadable_function(kind, &error));
    errors.ok(read.and_then(|func| func))
}

/// The inner error is ours (not a function), the outer one is the parser's.
fn parse_item(kind: &Kind, input: ParseStream) -> Result<Result<HandlerFn>> {
    let attrs = input.call(Attribute::parse_outer)?;
    let vis = input.parse()?;
    let qualifiers = parse_qualifiers(input)?;
    if !input.peek(Token![fn]) {
        let rest: TokenStream = input.parse()?;
        return Ok(Err(diag::not_a_function(kind, &keyword(&qualifiers, rest))));
    }
    let fn_token = input.parse()?;
    let ident = input.parse()?;
    let generics: Generics = input.parse()?;
    let content;
    Ok(Ok(HandlerFn {
        attrs,
        vis,
        qualifiers,
        fn_token,
        ident,
        generics,
        paren_token: parenthesized!(content in input),
        inputs: Punctuated::parse_terminated_with(&content, parse_input)?,
        output: input.parse()?,
        where_clause: input.parse()?,
        body: input.parse()?,
    }))
}

pub(crate) fn parse_qualifiers(input: ParseStream) -> Result<Qualifiers> {
    Ok(Qualifiers {
        constness: input.parse()?,
        asyncness: input.parse()?,
        unsafety: input.parse()?,
        abi: input.parse()?,
    })
}

/// Finds the item's keyword, part of which may have been taken for a qualifier: `const N: u8`, `extern "C" {}`.
pub(crate) fn keyword(qualifiers: &Qualifiers, rest: TokenStream) -> TokenStream {
    let first = rest.into_iter().next();
    let is_func = matches!(&first, Some(TokenTree::Ident(first)) if first == "fn");
    match qualifiers {
        _ if is_func => first.into_token_stream(),
        Qualifiers { constness: Some(keyword), .. } => keyword.to_token_stream(),
        Qualifiers { abi: Some(abi), .. } => abi.extern_token.to_token_stream(),
        _ => first.into_token_stream(),
    }
}

fn parse_input(input: ParseStream) -> Result<Input> {
    Ok(Input { attrs: input.call(Attribute::parse_outer)?, kind: parse_input_kind(input)? })
}

fn parse_input_kind(input: ParseStream) -> Result<InputKind> {
    if starts_receiver(input) {
        return parse_receiver(input).map(InputKind::Receiver);
    }
    if input.peek(Token![...]) {
        let dots: Token![...] = input.parse()?;
        return Ok(InputKind::Variadic(dots.to_token_stream()));
    }
    let pattern = parse_pattern(input)?;
    let colon_token = input.parse()?;
    if input.peek(Token![...]) {
        let dots: Token![...] = input.parse()?;
        return Ok(InputKind::Variadic(quote!(#pattern #colon_token #dots)));
    }
    Ok(InputKind::Param(Param { pattern, colon_token, ty: input.parse()? }))
}

/// `self`, `mut self`, `&self`, `&'a mut self`, but not the pattern `self::Point { .. }`.
pub(crate) fn starts_receiver(input: ParseStream) -> bool {
    let ahead = input.fork();
    let prefix = || -> Result<()> {
        if ahead.parse::<Option<Token![&]>>()?.is_some() {
            ahead.parse::<Option<Lifetime>>()?;
        }
        ahead.parse::<Option<Token![mut]>>()?;
        Ok(())
    };
    prefix().is_ok() && ahead.peek(Token![self]) && !ahead.peek2(Token![::])
}

fn parse_receiver(input: ParseStream) -> Result<Receiver> {
    let reference = match input.parse()? {
        Some(and) => Some((and, input.parse()?)),
        None => None,
    };
    let mutability = input.parse()?;
    let self_token = input.parse()?;
    let ty = match input.parse()? {
        Some(colon) => Some((colon, input.parse()?)),
        None => None,
    };
    Ok(Receiver { reference, mutability, self_token, ty })
}

fn parse_pattern(input: ParseStream) -> Result<Pattern> {
    if let Some(name) = parse_name(input) {
        return Ok(name);
    }
    let mut pattern = TokenStream::new();
    while !peek_colon(input) {
        if input.is_empty() || input.peek(Token![,]) {
            return Err(input.error("expected `:` and a type"));
        }
        // Taken as one token, or its second half would look like the colon before the type.
        if input.peek(Token![::]) {
            input.parse::<Token![::]>()?.to_tokens(&mut pattern);
        } else {
            pattern.extend([input.parse::<TokenTree>()?]);
        }
    }
    Ok(Pattern::Other(pattern))
}

fn parse_name(input: ParseStream) -> Option<Pattern> {
    let ahead = input.fork();
    let mutability = ahead.parse().ok()?;
    let ident: Ident = ahead.parse().ok()?;
    peek_colon(&ahead).then(|| {
        input.advance_to(&ahead);
        Pattern::Name(mutability, ident)
    })
}

fn peek_colon(input: ParseStream) -> bool {
    input.peek(Token![:]) && !input.peek(Token![::])
}
