//! The keys of our attributes: tokens -> [`HandlerAttr`] and [`ArgAttr`].
//!
//! An attribute is a table with one row per key.

use proc_macro2::TokenStream;
use syn::{Ident, Path, Result};

use crate::diag::{Errors, keys as diag};
use crate::entries::{Key, parse_key, split_at_commas};
use crate::model::{ArgAttr, HandlerAttr, IconAttr, Keyed};

/// Reads what stands between the parentheses of `#[tool(…)]`.
pub(crate) fn handler_attr(tokens: TokenStream, errors: &Errors) -> HandlerAttr {
    let mut attr = HandlerAttr::default();
    parse_keys("#[tool]", TOOL, [tokens], &mut attr, errors);
    attr
}

/// Reads what stands between the parentheses of each `#[arg(…)]` of one parameter.
pub(crate) fn arg_attr(lists: impl IntoIterator<Item = TokenStream>, errors: &Errors) -> ArgAttr {
    let mut attr = ArgAttr::default();
    parse_keys("#[arg]", ARG, lists, &mut attr, errors);
    attr
}

const TOOL: &[Row<HandlerAttr>] = &[
    Row::new("name", |attr, key| set(&mut attr.name, key.string())),
    Row::new("title", |attr, key| set(&mut attr.title, key.text())),
    Row::new("description", |attr, key| set(&mut attr.description, key.text())),
    Row::new("read_only", |attr, key| set(&mut attr.read_only, key.flag())),
    Row::new("destructive", |attr, key| set(&mut attr.destructive, key.flag())),
    Row::new("idempotent", |attr, key| set(&mut attr.idempotent, key.flag())),
    Row::new("open_world", |attr, key| set(&mut attr.open_world, key.flag())),
    Row::repeated("icon", |attr, key| push(&mut attr.icons, read_icon(key))),
    Row::new("meta", |attr, key| set(&mut attr.meta, key.expr())),
    Row::new("blocking", |attr, key| set(&mut attr.blocking, key.flag())),
    Row::new("timeout", |attr, key| set(&mut attr.timeout_millis, key.millis())),
    Row::new("crate", |attr, key| read_crate(&mut attr.krate, key)),
    Row::hidden("in_impl", |attr, key| set(&mut attr.in_impl, key.flag())),
];

const ARG: &[Row<ArgAttr>] = &[
    Row::new("default", |attr, key| set(&mut attr.default, keyed(key, key.optional_expr()))),
    Row::new("rename", |attr, key| set(&mut attr.rename, key.string())),
    Row::new("range", |attr, key| set(&mut attr.range, keyed(key, key.range()))),
    Row::new("len", |attr, key| set(&mut attr.len, keyed(key, key.range_or_exact()))),
    Row::new("pattern", |attr, key| set(&mut attr.pattern, keyed(key, key.text()))),
    Row::new("description", |attr, key| set(&mut attr.description, keyed(key, key.text()))),
    Row::repeated("example", |attr, key| push(&mut attr.examples, keyed(key, key.expr()))),
    Row::new("header", |attr, key| set(&mut attr.header, keyed(key, key.string()))),
];

const ICON: &[Row<IconAttr>] = &[
    Row::new("src", |attr, key| set(&mut attr.src, key.text())),
    Row::new("mime_type", |attr, key| set(&mut attr.mime_type, key.text())),
    Row::new("sizes", |attr, key| set(&mut attr.sizes, key.text())),
    Row::new("theme", |attr, key| set(&mut attr.theme, key.theme())),
];

/// `icon(src = "a.png", …)`
fn read_icon(key: &Key) -> Result<IconAttr> {
    let list = key.list()?;
    let errors = Errors::new();
    let mut icon = IconAttr::default();
    parse_keys("icon", ICON, [list], &mut icon, &errors);
    if icon.src.is_none() && !errors.has_errors() {
        errors.push(diag::icon_has_no_src(&key.ident));
    }
    errors.into_result()?;
    Ok(icon)
}

/// `crate = my_facade::mcp`
///
/// A path in quotes is reported, and used all the same, or every path of the output would be wrong as well.
pub(crate) fn read_crate(field: &mut Option<Path>, key: &Key) -> Result<()> {
    let path = key.path();
    *field = path.as_ref().ok().cloned().or_else(|| key.quoted_path());
    path.map(|_| ())
}

/// Reads `#[tool(…)]` without a word about mistakes.
pub(crate) fn ignoring_errors(tokens: TokenStream) -> HandlerAttr {
    let errors = Errors::new();
    let attr = handler_attr(tokens, &errors);
    errors.finish();
    attr
}

/// One key of the attribute whose model is `A`.
struct Row<A> {
    name: &'static str,
    read: fn(&mut A, &Key) -> Result<()>,
    is_repeated: bool,
    is_hidden: bool,
}

impl<A> Row<A> {
    const fn new(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { name, read, is_repeated: false, is_hidden: false }
    }

    /// A key that may be given more than once.
    const fn repeated(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { is_repeated: true, ..Row::new(name, read) }
    }

    /// A key for our own use, which is in no text.
    const fn hidden(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { is_hidden: true, ..Row::new(name, read) }
    }
}

fn set<T>(field: &mut Option<T>, value: Result<T>) -> Result<()> {
    *field = Some(value?);
    Ok(())
}

fn push<T>(field: &mut Vec<T>, value: Result<T>) -> Result<()> {
    field.push(value?);
    Ok(())
}

fn keyed<T>(key: &Key, value: Result<T>) -> Result<Keyed<T>> {
    Ok(Keyed { key: key.ident.clone(), value: value? })
}

fn parse_keys<A>(
    owner: &str,
    rows: &[Row<A>],
    lists: impl IntoIterator<Item = TokenStream>,
    attr: &mut A,
    errors: &Errors,
) {
    let mut seen = Vec::new();
    for entry in lists.into_iter().flat_map(split_at_commas) {
        let read = parse_key(owner, entry).and_then(|key| {
            let row = find_row(owner, rows, &key.ident)?;
            if seen.contains(&row.name) && !row.is_repeated {
                return Err(diag::key_given_twice(&key.ident));
            }
            seen.push(row.name);
            (row.read)(attr, &key)
        });
        if let Err(error) = read {
            errors.push(error);
        }
    }
}

fn find_row<'a, A>(owner: &str, rows: &'a [Row<A>], key: &Ident) -> Result<&'a Row<A>> {
    rows.iter().find(|row| *key == row.name).ok_or_else(|| {
        let shown = rows.iter().filter(|row| !row.is_hidden);
        let names: Vec<&str> = shown.map(|row| row.name).collect();
        diag::unknown_key(owner, key, &names, place_of(owner, key))
    })
}

/// Where a key belongs that the other of the two attributes has.
fn place_of(owner: &str, key: &Ident) -> Option<&'static str> {
    match owner {
        "#[tool]" if has_key(ARG, key) => Some("the `#[arg]` of a parameter"),
        "#[arg]" if has_key(TOOL, key) => Some("the `#[tool]` of the function"),
        _ => None,
    }
}

fn has_key<A>(rows: &[Row<A>], key: &Ident) -> bool {
    rows.iter().any(|row| *key == row.name && !row.is_hidden)
}
