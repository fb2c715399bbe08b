//! The keys of our attributes: tokens -> [`HandlerAttr`], [`ArgAttr`] and [`FormAttr`].
//!
//! An attribute is a table with one row per key.

mod table;
mod uri;

use proc_macro2::TokenStream;
use syn::{Path, Result};

use self::table::{Row, Table, only};
use crate::diag::{Errors, arg as arg_diag, keys as diag};
use crate::entries::{Key, split_at_commas};
use crate::kind::{Kind, PROMPT, RESOURCE, TOOL};
use crate::model::{ArgAttr, FormAttr, HandlerAttr, IconAttr, Keyed};

/// Reads what stands between the parentheses of `#[tool(…)]` and of the attributes of other kinds.
pub(crate) fn handler_attr(kind: &Kind, tokens: TokenStream, errors: &Errors) -> HandlerAttr {
    let mut attr = HandlerAttr::default();
    let of_parameter = Table::of_kind("#[arg]", ARG, kind);
    let place_of = |key: &_| of_parameter.has(key).then(|| "the `#[arg]` of a parameter".to_owned());
    let table = Table::of_kind(kind.attribute, HANDLER, kind);
    let mut entries = split_at_commas(tokens);
    if kind.has_uri {
        attr.uri = uri::take(&mut entries, &|key| table.has(key), errors);
    }
    table.read(entries, &mut attr, &place_of, errors);
    attr
}

/// Reads what stands between the parentheses of each `#[arg(…)]` of one parameter.
pub(crate) fn arg_attr(kind: &Kind, lists: impl IntoIterator<Item = TokenStream>, errors: &Errors) -> ArgAttr {
    let mut attr = ArgAttr::default();
    let of_handler = Table::of_kind(kind.attribute, HANDLER, kind);
    let place_of = |key: &_| of_handler.has(key).then(|| format!("the `{}` of the function", kind.attribute));
    let entries = lists.into_iter().flat_map(split_at_commas);
    Table::of_kind("#[arg]", ARG, kind).read(entries, &mut attr, &place_of, errors);
    attr
}

/// Whether an `#[arg(…)]` of some kind of handler has a key of this name.
pub(crate) fn is_of_arg(name: &str) -> bool {
    ARG.iter().any(|row| row.is_named(name))
}

/// Reads what stands between the parentheses of each `#[form(…)]` of one type.
pub(crate) fn form_attr(lists: impl IntoIterator<Item = TokenStream>, errors: &Errors) -> FormAttr {
    let mut attr = FormAttr::default();
    let entries = lists.into_iter().flat_map(split_at_commas);
    Table::new("#[form]", FORM).read(entries, &mut attr, &|_| None, errors);
    attr
}

static HANDLER: &[Row<HandlerAttr>] = &[
    Row::new("name", |attr, key| set(&mut attr.name, key.string())),
    Row::new("title", |attr, key| set(&mut attr.title, key.text())),
    Row::new("description", |attr, key| set(&mut attr.description, key.text())),
    only(&[&TOOL], Row::new("read_only", |attr, key| set(&mut attr.read_only, key.flag()))),
    only(&[&TOOL], Row::new("destructive", |attr, key| set(&mut attr.destructive, key.flag()))),
    only(&[&TOOL], Row::new("idempotent", |attr, key| set(&mut attr.idempotent, key.flag()))),
    only(&[&TOOL], Row::new("open_world", |attr, key| set(&mut attr.open_world, key.flag()))),
    only(&[&RESOURCE], Row::new("mime_type", |attr, key| set(&mut attr.mime_type, key.text()))),
    only(&[&RESOURCE], Row::new("size", |attr, key| set(&mut attr.size, key.size()))),
    only(&[&RESOURCE], Row::new("priority", |attr, key| set(&mut attr.priority, key.priority()))),
    only(&[&RESOURCE], Row::repeated("audience", |attr, key| push_new(&mut attr.audience, key, key.one_of(AUDIENCE)))),
    only(&[&RESOURCE], Row::new("last_modified", |attr, key| set(&mut attr.last_modified, key.date()))),
    only(&[&RESOURCE], Row::new("ttl", |attr, key| set(&mut attr.ttl_millis, key.ttl_millis()))),
    only(&[&RESOURCE], Row::new("cache_scope", |attr, key| set(&mut attr.cache_scope, key.one_of(CACHE_SCOPE)))),
    Row::repeated("icon", |attr, key| push(&mut attr.icons, read_icon(key))),
    Row::new("meta", |attr, key| set(&mut attr.meta, key.expr())),
    Row::new("blocking", |attr, key| set(&mut attr.blocking, key.flag())),
    Row::new("timeout", |attr, key| set(&mut attr.timeout_millis, key.millis())),
    Row::new("crate", |attr, key| read_crate(&mut attr.krate, key)),
    Row::hidden("in_impl", |attr, key| set(&mut attr.in_impl, key.flag())),
];

static ARG: &[Row<ArgAttr>] = &[
    Row::new("default", |attr, key| set(&mut attr.default, keyed(key, key.optional_expr()))),
    Row::new("rename", |attr, key| set(&mut attr.rename, key.string())),
    Row::new("range", |attr, key| set(&mut attr.range, keyed(key, key.range()))),
    Row::new("len", |attr, key| set(&mut attr.len, keyed(key, key.range_or_exact()))),
    Row::new("pattern", |attr, key| set(&mut attr.pattern, keyed(key, key.text()))),
    Row::new("description", |attr, key| set(&mut attr.description, keyed(key, key.text()))),
    Row::repeated("example", |attr, key| push(&mut attr.examples, keyed(key, key.expr()))),
    only(&[&TOOL], Row::new("header", |attr, key| set(&mut attr.header, keyed(key, key.string())))),
    only(&[&PROMPT, &RESOURCE], Row::hidden("header", |_, key| Err(arg_diag::header_beyond_tools(&key.ident)))),
    only(&[&PROMPT, &RESOURCE], Row::new("complete", |attr, key| set(&mut attr.complete, keyed(key, key.completer())))),
    only(&[&TOOL], Row::hidden("complete", |_, key| Err(arg_diag::complete_on_tool(&key.ident)))),
];

static FORM: &[Row<FormAttr>] = &[Row::new("crate", |attr, key| read_crate(&mut attr.krate, key))];

const THEME: [&str; 2] = ["dark", "light"];
const AUDIENCE: [&str; 2] = ["user", "assistant"];
const CACHE_SCOPE: [&str; 2] = ["public", "private"];

static ICON: &[Row<IconAttr>] = &[
    Row::new("src", |attr, key| set(&mut attr.src, key.text())),
    Row::new("mime_type", |attr, key| set(&mut attr.mime_type, key.text())),
    Row::new("sizes", |attr, key| set(&mut attr.sizes, key.text())),
    Row::new("theme", |attr, key| set(&mut attr.theme, key.one_of(THEME))),
];

/// `icon(src = "a.png", …)`
fn read_icon(key: &Key) -> Result<IconAttr> {
    let list = key.list()?;
    let errors = Errors::new();
    let mut icon = IconAttr::default();
    Table::new("icon", ICON).read(split_at_commas(list), &mut icon, &|_| None, &errors);
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

/// Reads what [`handler_attr`] does, without a word about mistakes.
pub(crate) fn ignoring_errors(kind: &Kind, tokens: TokenStream) -> HandlerAttr {
    let errors = Errors::new();
    let attr = handler_attr(kind, tokens, &errors);
    errors.finish();
    attr
}

fn set<T>(field: &mut Option<T>, value: Result<T>) -> Result<()> {
    *field = Some(value?);
    Ok(())
}

fn push<T>(field: &mut Vec<T>, value: Result<T>) -> Result<()> {
    field.push(value?);
    Ok(())
}

/// One of several values, each at most once.
fn push_new(field: &mut Vec<TokenStream>, key: &Key, value: Result<TokenStream>) -> Result<()> {
    let value = value?;
    if field.iter().any(|given| given.to_string() == value.to_string()) {
        return Err(diag::value_given_twice(&key.ident, &value));
    }
    field.push(value);
    Ok(())
}

fn keyed<T>(key: &Key, value: Result<T>) -> Result<Keyed<T>> {
    Ok(Keyed { key: key.ident.clone(), value: value? })
}
