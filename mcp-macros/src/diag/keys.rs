//! About the keys of our attributes, in general; `owner` is the attribute, as a message names it.

use proc_macro2::{Ident, Punct, TokenStream, TokenTree};
use syn::{Error, LitStr, Path};

use super::error;
use crate::source::source;
use crate::words::{nearest, ticked};

/// `elsewhere` is where the key belongs, if another attribute has it.
pub(crate) fn unknown_key(owner: &str, key: &Ident, known: &[&str], elsewhere: Option<&str>) -> Error {
    let written = key.to_string();
    let all = ticked(known);
    let help = match (elsewhere, nearest(&written, known)) {
        (Some(place), _) => format!("write it in {place}; the keys here are {all}"),
        (None, Some(near)) => format!("write `{near}`; the keys are {all}"),
        (None, None) => format!("the keys are {all}"),
    };
    error(key, &format_args!("unknown `{owner}` key `{written}`"), &help)
}

pub(crate) fn key_given_twice(key: &Ident) -> Error {
    error(key, &format_args!("`{key}` is given twice"), &"remove one of them")
}

pub(crate) fn not_a_key(owner: &str, token: &TokenTree) -> Error {
    error(token, &format_args!("{} `{owner}` key must be a name", article(owner)), &"write `key` or `key = value`")
}

pub(crate) fn empty_entry(owner: &str, comma: Option<&Punct>) -> Error {
    error(&comma, &format_args!("{} `{owner}` key is missing before this comma", article(owner)), &"remove the comma")
}

pub(crate) fn stray_after_key(key: &Ident, stray: &TokenTree) -> Error {
    let what = match stray {
        // The whole group would repeat the user's code.
        TokenTree::Group(_) => format!("the key `{key}` is not followed by a comma"),
        // It may stand behind the value of the key.
        TokenTree::Ident(next) => format!("there is no comma between the keys `{key}` and `{next}`"),
        stray => format!("the key `{key}` is followed by `{stray}`"),
    };
    let help = format!("write `{key} = value`, and a comma between two keys");
    error(stray, &what, &help)
}

pub(crate) fn not_a_string(key: &Ident, value: &TokenStream) -> Error {
    error(value, &format_args!("`{key}` takes a string literal"), &format_args!("write `{key} = \"text\"`"))
}

pub(crate) fn missing_text(key: &Ident, place: &TokenStream) -> Error {
    error(place, &format_args!("`{key}` takes a value"), &format_args!("write `{key} = \"text\"`"))
}

pub(crate) fn missing_value(key: &Ident, place: &TokenStream) -> Error {
    error(place, &format_args!("`{key}` takes a value"), &format_args!("write `{key} = value`"))
}

pub(crate) fn missing_completer(key: &Ident, place: &TokenStream) -> Error {
    error(
        place,
        &format_args!("`{key}` takes a function"),
        &format_args!("write `{key} = cities`, of a function such as `fn cities(typed: &str) -> Vec<String>`"),
    )
}

pub(crate) fn not_a_bool(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes `true` or `false`"),
        &format_args!("write `{key} = true` or `{key} = false`"),
    )
}

pub(crate) fn not_a_range(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a range with at least one end"),
        &format_args!("write `{key} = 0..=20`, `{key} = 0..` or `{key} = ..=20`"),
    )
}

pub(crate) fn not_a_length(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a length, or a range with at least one end"),
        &format_args!("write `{key} = 5`, `{key} = 1..=80` or `{key} = 1..`"),
    )
}

pub(crate) fn range_is_empty(key: &Ident, range: &TokenStream) -> Error {
    let written = source(range);
    error(
        range,
        &format_args!("no value is inside of `{written}`"),
        &format_args!("write the lower end first, and `..=` before an end that is inside, as in `{key} = 1..=20`"),
    )
}

pub(crate) fn no_length(key: &Ident, range: &TokenStream) -> Error {
    let written = source(range);
    error(
        range,
        &format_args!("no length is inside of `{written}`"),
        &format_args!("write the lower end first, and `..=` before an end that is inside, as in `{key} = 1..=80`"),
    )
}

pub(crate) fn not_seconds(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a number of seconds, of at least a thousandth"),
        &format_args!("write `{key} = 30` or `{key} = 0.5`"),
    )
}

pub(crate) fn not_a_ttl(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a number of seconds, of at least a thousandth, or zero"),
        &format_args!("write `{key} = 300`, `{key} = 0.5` or `{key} = 0`"),
    )
}

pub(crate) fn not_a_size(key: &Ident, value: &TokenStream) -> Error {
    error(value, &format_args!("`{key}` takes a number of bytes"), &format_args!("write `{key} = 4096`"))
}

pub(crate) fn not_a_priority(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a number from 0 to 1"),
        &format_args!("write `{key} = 0.5`, where 1 is most important"),
    )
}

pub(crate) fn not_a_date(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes a date, or a date and a time, of ISO 8601"),
        &format_args!("write `{key} = \"2026-07-28\"` or `{key} = \"2026-07-28T09:00:00Z\"`"),
    )
}

pub(crate) fn not_one_of(key: &Ident, value: &TokenStream, [one, other]: [&str; 2]) -> Error {
    error(
        value,
        &format_args!("`{key}` is `{one}` or `{other}`"),
        &format_args!("write `{key} = \"{one}\"` or `{key} = \"{other}\"`"),
    )
}

pub(crate) fn value_given_twice(key: &Ident, value: &TokenStream) -> Error {
    let written = source(value);
    error(value, &format_args!("`{key} = {written}` is given twice"), &"remove one of them")
}

pub(crate) fn not_a_path(key: &Ident, value: &TokenStream) -> Error {
    error(value, &format_args!("`{key}` takes a path"), &format_args!("write `{key} = my_facade::mcp`"))
}

pub(crate) fn path_in_quotes(key: &Ident, value: &TokenStream, path: &Path) -> Error {
    let path = source(path);
    error(value, &format_args!("`{key}` takes a path, without quotes"), &format_args!("write `{key} = {path}`"))
}

// `icon(…)`

pub(crate) fn not_a_list(key: &Ident, value: &TokenStream) -> Error {
    let src = match syn::parse2::<LitStr>(value.clone()) {
        Ok(text) => source(text),
        Err(_) => "\"https://example.com/icon.png\"".to_owned(),
    };
    error(value, &format_args!("`{key}` takes keys"), &format_args!("write `{key}(src = {src})`"))
}

pub(crate) fn icon_has_no_src(key: &Ident) -> Error {
    let help = format!("write `{key}(src = \"https://example.com/icon.png\")`");
    error(key, &format_args!("`{key}` needs the key `src`"), &help)
}

/// In front of the name of an attribute.
fn article(owner: &str) -> &'static str {
    if owner.starts_with('i') { "an" } else { "a" }
}
