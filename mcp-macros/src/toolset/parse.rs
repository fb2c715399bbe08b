//! The attribute and the block: tokens -> [`ToolsetAttr`] and [`Block`].

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Error, Generics, Ident, LitStr, Result, Token, Visibility, parse2, token};

use super::items::items;
use super::model::{Block, ToolsetAttr};
use crate::diag::{Errors, keys as key_diag, toolset as diag};
use crate::entries::{Form, Key, parse_key, split_at_commas};
use crate::keys::read_crate;
use crate::parse::{keyword, parse_qualifiers};
use crate::tokens::ungrouped;

/// Reads `name, crate = path`, in any order.
pub(crate) fn attr(tokens: TokenStream, errors: &Errors) -> ToolsetAttr {
    let mut attr = ToolsetAttr::default();
    for entry in split_at_commas(tokens) {
        if let Err(error) = parse_key(OWNER, entry).and_then(|key| read_key(&mut attr, &key)) {
            errors.push(error);
        }
    }
    attr
}

const OWNER: &str = "#[toolset]";

fn read_key(attr: &mut ToolsetAttr, key: &Key) -> Result<()> {
    if key.ident == "crate" {
        return match attr.krate {
            Some(_) => Err(key_diag::key_given_twice(&key.ident)),
            None => read_crate(&mut attr.krate, key),
        };
    }
    match &key.form {
        Form::Flag if attr.name.is_some() => Err(diag::second_name(&key.ident)),
        Form::Flag => {
            let name = parse2(key.ident.to_token_stream());
            attr.name = Some(name.map_err(|_| diag::name_is_keyword(&key.ident))?);
            Ok(())
        }
        // What was meant is clear, and the function of this name may be called elsewhere.
        Form::Value(_, value) if key.ident == "name" => {
            let name = meant_name(value);
            let error = diag::name_as_value(&key.ident, name.as_ref());
            attr.name = attr.name.take().or(name);
            Err(error)
        }
        _ => Err(diag::unknown_key(&key.ident)),
    }
}

/// `files` or `"files"`
fn meant_name(value: &TokenStream) -> Option<Ident> {
    let quoted = || parse2::<LitStr>(value.clone()).ok()?.parse().ok();
    parse2(value.clone()).ok().or_else(quoted)
}

/// Reads an `impl` block; on anything else reports what it is, and returns `None`.
pub(crate) fn block(item: TokenStream, errors: &Errors) -> Option<Block> {
    let item = ungrouped(item);
    let mut head: Vec<TokenTree> = item.clone().into_iter().collect();
    head.pop();
    let parse = |input: ParseStream| parse_block(input, head.into_iter().collect());
    let read = parse.parse2(item).map_err(|error| diag::unreadable_block(&error));
    errors.ok(read.and_then(|block| block))
}

/// The inner error is ours (not an `impl` block), the outer one is the parser's.
fn parse_block(input: ParseStream, head: TokenStream) -> Result<Result<Block>> {
    let attrs = input.call(Attribute::parse_outer)?;
    if let Some(error) = find_impl(input)? {
        return Ok(Err(error));
    }
    let generics = parse_generics(input);
    input.parse::<Option<Token![!]>>()?;
    let first = input.parse()?;
    let (of_trait, self_ty) = match input.parse::<Option<Token![for]>>()? {
        Some(_) => (Some(first), input.parse()?),
        None => (None, first),
    };
    let where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        return Err(input.error("expected `{`"));
    }
    let body: Group = input.parse()?;
    let items = items(body.stream());
    Ok(Ok(Block { head, attrs, generics, of_trait, self_ty, where_clause, body, items }))
}

/// Reads up to and with `impl`; on another item reports its keyword.
fn find_impl(input: ParseStream) -> Result<Option<Error>> {
    input.parse::<Visibility>()?;
    let qualifiers = parse_qualifiers(input)?;
    if input.parse::<Option<Token![impl]>>()?.is_some() {
        return Ok(None);
    }
    Ok(Some(diag::not_a_block(&keyword(&qualifiers, input.parse()?))))
}

/// `<T>`, but not the beginning of `<T as Shop>::Till`.
fn parse_generics(input: ParseStream) -> Generics {
    let ahead = input.fork();
    let Ok(generics) = ahead.parse() else {
        return Generics::default();
    };
    input.advance_to(&ahead);
    generics
}
