//! The keys of our attributes: tokens -> [`ToolAttr`].
//!
//! An attribute is a table with one row per key. Entries are cut at commas before any is read, so that a mistake in one
//! leaves the others readable.

use std::iter::Peekable;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree, token_stream};
use quote::ToTokens as _;
use syn::{Error, LitBool, LitStr, Result};

use crate::diag::{self, Errors};
use crate::model::ToolAttr;

/// Reads what stands between the parentheses of `#[tool(…)]`.
pub(crate) fn tool_attr(tokens: TokenStream, errors: &Errors) -> ToolAttr {
    parse_keys("#[tool]", TOOL, tokens, errors)
}

const TOOL: &[Row<ToolAttr>] = &[
    Row::new("name", |attr, key| set(&mut attr.name, key.string())),
    Row::new("title", |attr, key| set(&mut attr.title, key.expr())),
    Row::new("description", |attr, key| set(&mut attr.description, key.expr())),
    Row::new("read_only", |attr, key| set(&mut attr.read_only, key.flag())),
    Row::new("destructive", |attr, key| set(&mut attr.destructive, key.flag())),
    Row::new("idempotent", |attr, key| set(&mut attr.idempotent, key.flag())),
    Row::new("open_world", |attr, key| set(&mut attr.open_world, key.flag())),
];

/// One key of the attribute whose model is `A`.
struct Row<A> {
    name: &'static str,
    read: fn(&mut A, Key) -> Result<()>,
}

impl<A> Row<A> {
    const fn new(name: &'static str, read: fn(&mut A, Key) -> Result<()>) -> Self {
        Row { name, read }
    }
}

fn set<T>(field: &mut Option<T>, value: Result<T>) -> Result<()> {
    *field = Some(value?);
    Ok(())
}

/// One entry as it is written.
struct Key {
    ident: Ident,
    form: Form,
}

enum Form {
    /// `key`
    Flag,
    /// `key = value`; the value is kept as tokens, because it may be any expression.
    Value(Punct, TokenStream),
    /// `key(…)`
    List(Group),
}

impl Key {
    /// `key = "text"`
    fn string(self) -> Result<LitStr> {
        let value = self.value(diag::not_a_string)?;
        syn::parse2(value.clone()).map_err(|_| diag::not_a_string(&self.ident, &value))
    }

    /// `key = expression`
    fn expr(self) -> Result<TokenStream> {
        self.value(diag::missing_value)
    }

    /// `key` or `key = true` or `key = false`
    fn flag(self) -> Result<LitBool> {
        if let Form::Flag = self.form {
            return Ok(LitBool::new(true, self.ident.span()));
        }
        let value = self.value(diag::not_a_bool)?;
        syn::parse2(value.clone()).map_err(|_| diag::not_a_bool(&self.ident, &value))
    }

    /// The value after `=`, or the error that `wrong` makes of the key and of what stands in the value's place.
    fn value(&self, wrong: fn(&Ident, &TokenStream) -> Error) -> Result<TokenStream> {
        match &self.form {
            Form::Value(_, value) if !value.is_empty() => Ok(value.clone()),
            Form::Value(equals, _) => Err(wrong(&self.ident, &equals.to_token_stream())),
            Form::Flag => Err(wrong(&self.ident, &self.ident.to_token_stream())),
            Form::List(group) => Err(wrong(&self.ident, &group.to_token_stream())),
        }
    }
}

fn parse_keys<A: Default>(owner: &str, rows: &[Row<A>], tokens: TokenStream, errors: &Errors) -> A {
    let mut attr = A::default();
    let mut seen = Vec::new();
    for entry in split_at_commas(tokens) {
        let read = parse_key(owner, entry).and_then(|key| {
            let row = find_row(owner, rows, &key)?;
            if seen.contains(&row.name) {
                return Err(diag::key_given_twice(&key.ident));
            }
            seen.push(row.name);
            (row.read)(&mut attr, key)
        });
        if let Err(error) = read {
            errors.push(error);
        }
    }
    attr
}

fn find_row<'a, A>(owner: &str, rows: &'a [Row<A>], key: &Key) -> Result<&'a Row<A>> {
    rows.iter().find(|row| key.ident == row.name).ok_or_else(|| {
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        diag::unknown_key(owner, &key.ident, &names)
    })
}

fn parse_key(owner: &str, entry: Entry) -> Result<Key> {
    let mut tokens = entry.tokens.into_iter().peekable();
    let ident = match tokens.next() {
        Some(TokenTree::Ident(ident)) => ident,
        Some(other) => return Err(diag::not_a_key(owner, &other)),
        None => return Err(diag::empty_entry(owner, entry.comma.as_ref())),
    };
    let form = match tokens.next() {
        None => Form::Flag,
        Some(TokenTree::Punct(punct)) if is_lone_equals(&punct) => {
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

fn is_lone_equals(punct: &Punct) -> bool {
    punct.as_char() == '=' && punct.spacing() == Spacing::Alone
}

/// The tokens up to a comma, and that comma unless the list ends there.
struct Entry {
    tokens: Vec<TokenTree>,
    comma: Option<Punct>,
}

/// Cuts at top-level commas, except those between the angle brackets of `name::<A, B>` and `<A as B<C, D>>::NAME`.
fn split_at_commas(tokens: TokenStream) -> Vec<Entry> {
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
    let mut tokens = Vec::new();
    let mut angles = 0_usize;
    let mut previous = ' ';
    for token in input {
        let TokenTree::Punct(punct) = &token else {
            previous = ' ';
            tokens.push(token);
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
        tokens.push(token);
    }
    Entry { tokens, comma: None }
}
