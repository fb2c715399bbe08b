//! The collector of errors, and every text that the macros report.
//!
//! A text has two lines: what is wrong, and after `help: ` what to write instead.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use proc_macro2::{Ident, Punct, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, Lifetime, Type, TypeReference};

use crate::source::{elided, owned, owned_inside, source};

/// Collects the errors of one expansion, so that all are reported at once.
#[derive(Default)]
pub(crate) struct Errors {
    list: RefCell<Vec<Error>>,
    finished: Cell<bool>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn push(&self, error: Error) {
        self.list.borrow_mut().push(error);
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.list.borrow().is_empty()
    }

    pub(crate) fn finish(self) -> Vec<Error> {
        self.finished.set(true);
        self.list.take()
    }

    /// The tokens, followed by the errors.
    pub(crate) fn with(self, tokens: &TokenStream) -> TokenStream {
        let errors = self.finish();
        let errors = errors.iter().map(Error::to_compile_error);
        quote!(#tokens #(#errors)*)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(self.finished.get() || std::thread::panicking(), "errors were collected but not read");
    }
}

fn error(at: &dyn ToTokens, what: &dyn Display, help: &dyn Display) -> Error {
    Error::new_spanned(at.to_token_stream(), format_args!("{what}\nhelp: {help}"))
}

// Keys

pub(crate) fn unknown_key(owner: &str, key: &Ident, known: &[&str]) -> Error {
    let written = key.to_string();
    let all = ticked(known);
    let help = match nearest(&written, known) {
        Some(near) => format!("write `{near}`; the keys are {all}"),
        None => format!("the keys are {all}"),
    };
    error(key, &format_args!("unknown `{owner}` key `{written}`"), &help)
}

pub(crate) fn key_given_twice(key: &Ident) -> Error {
    error(key, &format_args!("`{key}` is given twice"), &"remove one of them")
}

pub(crate) fn not_a_key(owner: &str, token: &TokenTree) -> Error {
    error(token, &format_args!("a `{owner}` key must be a name"), &"write `key` or `key = value`")
}

pub(crate) fn empty_entry(owner: &str, comma: Option<&Punct>) -> Error {
    error(&comma, &format_args!("a `{owner}` key is missing before this comma"), &"remove the comma")
}

pub(crate) fn stray_after_key(key: &Ident, stray: &TokenTree) -> Error {
    let what = match stray {
        // The whole group would repeat the user's code.
        TokenTree::Group(_) => format!("the key `{key}` is not followed by a comma"),
        // It may stand behind the value of the key.
        TokenTree::Ident(next) => format!("there is no comma between the keys `{key}` and `{next}`"),
        stray => format!("the key `{key}` is followed by `{stray}`"),
    };
    let help = format_args!("write `{key} = value`, and a comma between two keys");
    error(stray, &what, &help)
}

pub(crate) fn not_a_string(key: &Ident, value: &TokenStream) -> Error {
    error(value, &format_args!("`{key}` takes a string literal"), &format_args!("write `{key} = \"text\"`"))
}

pub(crate) fn missing_value(key: &Ident, place: &TokenStream) -> Error {
    error(place, &format_args!("`{key}` takes a value"), &format_args!("write `{key} = \"text\"`"))
}

pub(crate) fn not_a_bool(key: &Ident, value: &TokenStream) -> Error {
    error(
        value,
        &format_args!("`{key}` takes `true` or `false`"),
        &format_args!("write `{key} = true` or `{key} = false`"),
    )
}

// Names

/// The rule that both texts about names end with.
const NAME_RULE: &str = "a name is 1 to 128 of the characters `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`";

pub(crate) fn name_is_empty(name: &dyn ToTokens) -> Error {
    error(name, &"a tool name cannot be empty", &format_args!("remove `name` to use that of the function; {NAME_RULE}"))
}

pub(crate) fn name_is_too_long(name: &dyn ToTokens, length: usize) -> Error {
    error(
        name,
        &format_args!("a tool name cannot have {length} characters"),
        &format_args!("write `name = \"…\"` with a shorter one; {NAME_RULE}"),
    )
}

pub(crate) fn bad_name_character(name: &dyn ToTokens, bad: char, better: &str) -> Error {
    error(
        name,
        &format_args!("a tool name cannot contain `{}`", bad.escape_debug()),
        &format_args!("write `name = \"{better}\"`; {NAME_RULE}"),
    )
}

pub(crate) fn parameter_named_twice(ident: &Ident, name: &str) -> Error {
    error(ident, &format_args!("two tool parameters are named `{name}`"), &"rename one of them")
}

// The item and its signature

pub(crate) fn not_a_function(keyword: &impl ToTokens) -> Error {
    let word = keyword.to_token_stream();
    error(
        keyword,
        &format_args!("`#[tool]` belongs on a function, not on `{word}`"),
        &"write it above an `async fn` or a `fn`",
    )
}

pub(crate) fn unreadable_function(error: &Error) -> Error {
    let what = format!("this function cannot be read as a tool: {error}");
    let help = "write `async fn name(parameter: Type) -> Type { … }`";
    Error::new(error.span(), format_args!("{what}\nhelp: {help}"))
}

pub(crate) fn qualifier(token: &dyn ToTokens) -> Error {
    let word = source(token);
    error(token, &format_args!("a tool cannot be `{word}`"), &format_args!("remove `{word}`"))
}

pub(crate) fn is_unsafe(token: &dyn ToTokens) -> Error {
    error(token, &"a tool cannot be `unsafe`", &"remove `unsafe`, and write an `unsafe` block in the body")
}

pub(crate) fn is_variadic(dots: &dyn ToTokens) -> Error {
    error(dots, &"a tool cannot be variadic", &"write one parameter, such as `values: Vec<String>`")
}

pub(crate) fn is_generic(generics: &dyn ToTokens) -> Error {
    error(generics, &"a tool cannot have type or const parameters", &"write concrete types in the signature")
}

pub(crate) fn has_where_clause(clause: &dyn ToTokens) -> Error {
    error(clause, &"a tool cannot have a `where` clause", &"remove it, and write concrete types in the signature")
}

pub(crate) fn has_receiver(receiver: &TokenStream) -> Error {
    let word = source(receiver);
    error(
        receiver,
        &format_args!("a tool is a free function and cannot take `{word}`"),
        &"move the function out of the `impl` block, and take what it needs as parameters",
    )
}

// Parameters

pub(crate) fn parameter_is_a_pattern(pattern: &dyn ToTokens, name: &str, ty: &Type) -> Error {
    let ty = source(ty);
    error(
        pattern,
        &"a tool parameter must be a plain name, not a pattern",
        &format_args!("write `{name}: {ty}` and take it apart in the body"),
    )
}

pub(crate) fn parameter_has_no_name(pattern: &dyn ToTokens, name: &str, ty: &Type) -> Error {
    let ty = source(ty);
    error(pattern, &"a tool parameter must have a name", &format_args!("write `{name}: {ty}`, or remove the parameter"))
}

pub(crate) fn parameter_has_derive_attribute(attr: &Attribute) -> Error {
    let path = source(attr.path());
    error(
        attr,
        &format_args!("a tool parameter cannot have `#[{path}]`"),
        &"remove it, and describe the parameter by a doc comment; the attribute works on the type",
    )
}

pub(crate) fn unknown_parameter_attribute(attr: &Attribute) -> Error {
    let path = source(attr.path());
    error(
        attr,
        &format_args!("unknown attribute `#[{path}]` on a tool parameter"),
        &"remove it; doc comments, `#[cfg]`, `#[allow]`, `#[expect]`, `#[warn]` and `#[deny]` are known here",
    )
}

pub(crate) fn parameter_is_mutable(reference: &TypeReference) -> Error {
    let ty = source(&reference.elem);
    error(
        reference,
        &"a tool parameter cannot be a `&mut` reference",
        &format_args!("write `{}`, or `&{ty}`", owned(reference)),
    )
}

pub(crate) fn parameter_names_lifetime(lifetime: &Lifetime, whole: &Type) -> Error {
    error(
        lifetime,
        &format_args!("a tool parameter cannot name the lifetime `{lifetime}`"),
        &format_args!("write `{}`", elided(whole)),
    )
}

pub(crate) fn parameter_contains_reference(reference: &TypeReference, whole: &Type) -> Error {
    let ty = source(reference);
    error(
        reference,
        &format_args!("a tool parameter cannot contain the reference `{ty}`"),
        &format_args!("write `{}`", owned_inside(whole)),
    )
}

pub(crate) fn parameter_is_impl_trait(ty: &dyn ToTokens) -> Error {
    error(ty, &"a tool parameter cannot be an `impl Trait` type", &"write a concrete type, such as `String`")
}

// Results

pub(crate) fn result_is_impl_trait(ty: &dyn ToTokens) -> Error {
    error(
        ty,
        &"the result of a tool cannot be an `impl Trait` type",
        &"write a concrete type, such as `String` or a struct of your own",
    )
}

pub(crate) fn result_is_impl_future(ty: &dyn ToTokens) -> Error {
    error(
        ty,
        &"the result of a tool cannot be an `impl Trait` type",
        &"write `async fn`, and the type that the future returns",
    )
}

pub(crate) fn result_borrows(reference: &TypeReference) -> Error {
    let ty = source(reference);
    error(
        reference,
        &format_args!("the result of a tool cannot contain the reference `{ty}`"),
        &format_args!("write `{}`", owned(reference)),
    )
}

pub(crate) fn result_names_lifetime(lifetime: &Lifetime) -> Error {
    error(
        lifetime,
        &format_args!("the result of a tool cannot have the lifetime `{lifetime}`"),
        &"write a type that owns its data",
    )
}

// `tools!`

pub(crate) fn no_runtime_path() -> Error {
    Error::new(Span::call_site(), "this is the inner part of a macro\nhelp: write `mcp_runtime::tools![…]`")
}

pub(crate) fn not_a_path(tokens: &dyn ToTokens) -> Error {
    error(tokens, &"`tools!` takes paths of tool functions", &"write `tools![add, shop::order_status]`")
}

pub(crate) fn path_is_called(arguments: &dyn ToTokens, path: &dyn ToTokens) -> Error {
    let path = source(path);
    error(arguments, &"`tools!` takes the path of a tool function, not a call", &format_args!("write `{path}`"))
}

pub(crate) fn path_has_arguments(arguments: &dyn ToTokens, ident: &Ident) -> Error {
    error(arguments, &"a tool in `tools!` has no generic arguments", &format_args!("write `{ident}`"))
}

pub(crate) fn stray_after_path(stray: &dyn ToTokens, path: &dyn ToTokens) -> Error {
    let path = source(path);
    error(
        stray,
        &format_args!("the path `{path}` is not followed by a comma"),
        &"write one path of a tool function, and a comma between two",
    )
}

// Words

/// `` `a`, `b` ``
fn ticked(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// The known word that was probably meant: one is the beginning of the other, or they differ in few characters.
fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let written = squeeze(written);
    let close = known.iter().filter_map(|word| {
        let word_squeezed = squeeze(word);
        let distance = edit_distance(&written, &word_squeezed);
        let near = is_prefix_of_either(&written, &word_squeezed)
            || sorted(&written) == sorted(&word_squeezed)
            || distance <= word_squeezed.len() / 3;
        near.then_some((distance, *word))
    });
    close.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// `read_only` and `readOnly` as the same word.
fn squeeze(word: &str) -> String {
    word.replace('_', "").to_lowercase()
}

fn is_prefix_of_either(a: &str, b: &str) -> bool {
    a.len().min(b.len()) >= 3 && (a.starts_with(b) || b.starts_with(a))
}

/// Equal for words that differ in the order of their characters.
fn sorted(word: &str) -> Vec<char> {
    let mut characters: Vec<char> = word.chars().collect();
    characters.sort_unstable();
    characters
}

/// How many characters to insert, remove or replace.
fn edit_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, a) in from.chars().enumerate() {
        let mut next = vec![line + 1];
        for ((above, replaced), b) in row.iter().skip(1).zip(&row).zip(to.chars()) {
            let inserted = next.last().map_or(0, |left| left + 1);
            let replaced = replaced + usize::from(a != b);
            next.push(inserted.min(above + 1).min(replaced));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
