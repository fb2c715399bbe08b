//! The URI at the beginning of `#[resource("orders://{id}", …)]`.

use proc_macro2::{Ident, TokenStream};
use syn::{LitStr, parse2};

use crate::diag::{Errors, uri as diag};
use crate::entries::{Entry, Form, parse_key};

/// Takes the URI out of the entries. Where it is in another place it is reported, and used all the same.
pub(super) fn take(entries: &mut Vec<Entry>, is_key: &dyn Fn(&Ident) -> bool, errors: &Errors) -> Option<LitStr> {
    if let Some(index) = entries.iter().position(|entry| literal(&entry.tokens).is_some()) {
        let uri = literal(&entries.remove(index).tokens)?;
        if index > 0 {
            errors.push(diag::is_not_first(&uri));
        }
        return Some(uri);
    }
    if let Some((index, key, value)) = find_key(entries) {
        entries.remove(index);
        errors.push(diag::has_key(&key, &value));
        return literal(&value);
    }
    if entries.first().is_some_and(|first| is_expression(first, is_key)) {
        errors.push(diag::is_no_literal(&entries.remove(0).tokens));
    } else {
        errors.push(diag::is_missing());
    }
    None
}

fn literal(tokens: &TokenStream) -> Option<LitStr> {
    parse2(tokens.clone()).ok()
}

/// `uri = "orders://recent"`, as other toolkits have it.
fn find_key(entries: &[Entry]) -> Option<(usize, Ident, TokenStream)> {
    entries.iter().enumerate().find_map(|(index, entry)| match parse_key("", entry.clone()).ok()? {
        key if key.ident != "uri" && key.ident != "uri_template" => None,
        key => match key.form {
            Form::Value(_, value) if !value.is_empty() => Some((index, key.ident, value)),
            _ => None,
        },
    })
}

/// `ORDERS` and `concat!("a", "b")`, but not `name = "a"`.
fn is_expression(entry: &Entry, is_key: &dyn Fn(&Ident) -> bool) -> bool {
    match parse_key("", entry.clone()) {
        Ok(key) => matches!(key.form, Form::Flag) && !is_key(&key.ident),
        Err(_) => !entry.tokens.is_empty(),
    }
}
