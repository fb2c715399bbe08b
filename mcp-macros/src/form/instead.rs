//! What `#[arg(…)]` and `#[form(…)]` on a field are meant to say, in the attributes that say it there.

use proc_macro2::TokenStream;
use syn::{Attribute, LitInt, Meta, parse2};

use crate::entries::{Form, Key, parse_key, split_at_commas};
use crate::model::{Bounds, High};
use crate::source::source;

/// `#[schemars(range(min = 1, max = 12))]` for `#[arg(range = 1..=12)]`; `None` where a key has no such form.
pub(super) fn instead(attr: &Attribute) -> Option<String> {
    let said: Vec<(&str, String)> = keys(attr)?.iter().map(said).collect::<Option<_>>()?;
    let of = |owner| {
        let said: Vec<&str> = said.iter().filter(|(of, _)| *of == owner).map(|(_, said)| said.as_str()).collect();
        (!said.is_empty()).then(|| format!("#[{owner}({})]", said.join(", ")))
    };
    let attrs: Vec<String> = ["schemars", "serde"].into_iter().filter_map(of).collect();
    (!attrs.is_empty()).then(|| attrs.join(" "))
}

/// The names of the keys that can be read.
pub(super) fn names(attr: &Attribute) -> Vec<String> {
    let Meta::List(list) = &attr.meta else {
        return Vec::new();
    };
    let keys = split_at_commas(list.tokens.clone()).into_iter().filter_map(|entry| parse_key("#[arg]", entry).ok());
    keys.map(|key| key.ident.to_string()).collect()
}

fn keys(attr: &Attribute) -> Option<Vec<Key>> {
    let Meta::List(list) = &attr.meta else {
        return None;
    };
    split_at_commas(list.tokens.clone()).into_iter().map(|entry| parse_key("#[arg]", entry).ok()).collect()
}

/// The attribute that a key belongs to on a field, and what it says there.
fn said(key: &Key) -> Option<(&'static str, String)> {
    let text = |value: syn::Result<TokenStream>| value.ok().map(source);
    match key.ident.to_string().as_str() {
        name @ ("title" | "description") => Some(("schemars", format!("{name} = {}", text(key.text())?))),
        "example" => Some(("schemars", format!("example = {}", text(key.expr())?))),
        "range" => Some(("schemars", format!("range({})", ends(&key.range().ok()?)?))),
        "len" => Some(("schemars", format!("length({})", ends(&key.range_or_exact().ok()?)?))),
        "pattern" => Some(("schemars", format!("regex(pattern = {})", text(key.text())?))),
        "rename" => Some(("serde", format!("rename = {}", source(key.string().ok()?)))),
        "default" if matches!(key.form, Form::Flag) => Some(("serde", "default".to_owned())),
        _ => None,
    }
}

/// `min = 1, max = 12`
fn ends(bounds: &Bounds) -> Option<String> {
    let low = bounds.low.as_ref().map(|low| format!("min = {}", source(low)));
    let high = match &bounds.high {
        Some(High::Included(high)) => Some(format!("max = {}", source(high))),
        // Only of a whole number is it known what stands before it.
        Some(High::Excluded(high)) => Some(format!("max = {}", whole(high)?.checked_sub(1)?)),
        None => None,
    };
    let ends: Vec<String> = low.into_iter().chain(high).collect();
    Some(ends.join(", "))
}

fn whole(end: &TokenStream) -> Option<u64> {
    let literal: LitInt = parse2(end.clone()).ok()?;
    literal.base10_parse().ok()
}
