//! About the item, its name and its signature.

use quote::ToTokens;
use syn::{Error, Lifetime, Type, TypeReference};

use super::{error, error_at};
use crate::kind::Kind;
use crate::source::{elided, owned, owned_inside, source};
use crate::types::is_named_like_injected;

// Names

/// The rule that the texts about names end with.
const NAME_RULE: &str = "a name is 1 to 128 of the characters `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`";

pub(crate) fn name_is_empty(kind: &Kind, name: &dyn ToTokens) -> Error {
    error(
        name,
        &format_args!("a {kind} name cannot be empty"),
        &format_args!("remove `name` to use that of the function; {NAME_RULE}"),
    )
}

pub(crate) fn shown_name_is_empty(kind: &Kind, name: &dyn ToTokens) -> Error {
    error(name, &format_args!("a {kind} name cannot be empty"), &"remove `name` to use that of the function")
}

pub(crate) fn name_is_too_long(kind: &Kind, name: &dyn ToTokens, length: usize) -> Error {
    error(
        name,
        &format_args!("a {kind} name cannot have {length} characters"),
        &format_args!("write `name = \"…\"` with a shorter one; {NAME_RULE}"),
    )
}

pub(crate) fn bad_name_character(kind: &Kind, name: &dyn ToTokens, bad: char, better: &str) -> Error {
    error(
        name,
        &format_args!("a {kind} name cannot contain `{}`", bad.escape_debug()),
        &format_args!("write `name = \"{better}\"`; {NAME_RULE}"),
    )
}

// The item and its signature

pub(crate) fn not_a_function(kind: &Kind, keyword: &impl ToTokens) -> Error {
    let word = keyword.to_token_stream();
    let help = match word.to_string().as_str() {
        "impl" => "write it above functions of the block, and `#[toolset]` above the block",
        _ => "write it above an `async fn` or a `fn`",
    };
    error(keyword, &format_args!("`#[{kind}]` belongs on a function, not on `{word}`"), &help)
}

pub(crate) fn unreadable_function(kind: &Kind, error: &Error) -> Error {
    let what = format!("this function cannot be read as a {kind}: {error}");
    error_at(error.span(), &what, &"write `async fn name(parameter: Type) -> Type { … }`")
}

pub(crate) fn qualifier(kind: &Kind, token: &dyn ToTokens) -> Error {
    let word = source(token);
    error(token, &format_args!("a {kind} cannot be `{word}`"), &format_args!("remove `{word}`"))
}

pub(crate) fn is_unsafe(kind: &Kind, token: &dyn ToTokens) -> Error {
    error(
        token,
        &format_args!("a {kind} cannot be `unsafe`"),
        &"remove `unsafe`, and write an `unsafe` block in the body",
    )
}

pub(crate) fn is_variadic(kind: &Kind, dots: &dyn ToTokens) -> Error {
    error(dots, &format_args!("a {kind} cannot be variadic"), &"write one parameter, such as `values: Vec<String>`")
}

pub(crate) fn is_generic(kind: &Kind, generics: &dyn ToTokens) -> Error {
    error(
        generics,
        &format_args!("a {kind} cannot have type or const parameters"),
        &"write concrete types in the signature",
    )
}

pub(crate) fn has_where_clause(kind: &Kind, clause: &dyn ToTokens) -> Error {
    error(
        clause,
        &format_args!("a {kind} cannot have a `where` clause"),
        &"remove it, and write concrete types in the signature",
    )
}

// Receivers

pub(crate) fn receiver_is_mutable(kind: &Kind, receiver: &dyn ToTokens) -> Error {
    let word = source(receiver);
    error(
        receiver,
        &format_args!("a {kind} cannot take `{word}`, because calls run at the same time"),
        &"write `&self`, and put what changes into a lock, such as a `Mutex`",
    )
}

pub(crate) fn receiver_is_owned(kind: &Kind, receiver: &dyn ToTokens) -> Error {
    let word = source(receiver);
    error(
        receiver,
        &format_args!("a {kind} cannot take `{word}`, because all calls share one value"),
        &"write `&self`, or `self: Arc<Self>`",
    )
}

pub(crate) fn receiver_is_static(kind: &Kind, lifetime: &Lifetime) -> Error {
    error(
        lifetime,
        &format_args!("a {kind} cannot borrow its receiver for `'static`, because the server ends before that"),
        &"write `&self`, or `self: Arc<Self>`",
    )
}

// Parameters

pub(crate) fn parameter_is_a_pattern(kind: &Kind, pattern: &dyn ToTokens, name: &str, ty: &Type) -> Error {
    let ty = source(ty);
    error(
        pattern,
        &format_args!("a {kind} parameter must be a plain name, not a pattern"),
        &format_args!("write `{name}: {ty}` and take it apart in the body"),
    )
}

pub(crate) fn parameter_has_no_name(kind: &Kind, pattern: &dyn ToTokens, name: &str, ty: &Type) -> Error {
    let ty = source(ty);
    error(
        pattern,
        &format_args!("a {kind} parameter must have a name"),
        &format_args!("write `{name}: {ty}`, or remove the parameter"),
    )
}

pub(crate) fn parameter_is_mutable(kind: &Kind, reference: &TypeReference) -> Error {
    let ty = source(&reference.elem);
    let help = match injected(&reference.elem) {
        Some(lent) => format!("write `{lent}`"),
        None => format!("write `{}`, or `&{ty}`", owned(reference)),
    };
    error(reference, &format_args!("a {kind} parameter cannot be a `&mut` reference"), &help)
}

/// How a handler takes what is not an argument, if the type is named like that: lent, and not inside of another type.
fn injected(ty: &Type) -> Option<String> {
    is_named_like_injected(ty).then(|| format!("&{}", source(ty)))
}

pub(crate) fn parameter_names_lifetime(kind: &Kind, lifetime: &Lifetime, whole: &Type) -> Error {
    error(
        lifetime,
        &format_args!("a {kind} parameter cannot name the lifetime `{lifetime}`"),
        &format_args!("write `{}`", elided(whole)),
    )
}

pub(crate) fn parameter_contains_reference(kind: &Kind, reference: &TypeReference, whole: &Type) -> Error {
    let ty = source(reference);
    let better = injected(&reference.elem).unwrap_or_else(|| owned_inside(whole));
    error(
        reference,
        &format_args!("a {kind} parameter cannot contain the reference `{ty}`"),
        &format_args!("write `{better}`"),
    )
}

pub(crate) fn parameter_is_impl_trait(kind: &Kind, ty: &dyn ToTokens) -> Error {
    error(
        ty,
        &format_args!("a {kind} parameter cannot be an `impl Trait` type"),
        &"write a concrete type, such as `String`",
    )
}

// Results

pub(crate) fn result_is_impl_trait(kind: &Kind, ty: &dyn ToTokens) -> Error {
    error(
        ty,
        &format_args!("the result of a {kind} cannot be an `impl Trait` type"),
        &"write a concrete type, such as `String` or a struct of your own",
    )
}

pub(crate) fn result_is_impl_future(kind: &Kind, ty: &dyn ToTokens) -> Error {
    error(
        ty,
        &format_args!("the result of a {kind} cannot be an `impl Trait` type"),
        &"write `async fn`, and the type that the future returns",
    )
}

pub(crate) fn result_borrows(kind: &Kind, reference: &TypeReference) -> Error {
    let ty = source(reference);
    error(
        reference,
        &format_args!("the result of a {kind} cannot contain the reference `{ty}`"),
        &format_args!("write `{}`", owned(reference)),
    )
}

pub(crate) fn result_names_lifetime(kind: &Kind, lifetime: &Lifetime) -> Error {
    error(
        lifetime,
        &format_args!("the result of a {kind} cannot have the lifetime `{lifetime}`"),
        &"write a type that owns its data",
    )
}
