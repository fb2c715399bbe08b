//! About `tools!` and the lists of other kinds.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::Error;

use super::{error, error_at};
use crate::kind::Kind;
use crate::source::source;

pub(crate) fn no_runtime_path(kind: &Kind) -> Error {
    let Kind { plural, .. } = kind;
    let what = "this is the inner part of a macro";
    error_at(Span::call_site(), &what, &format_args!("write `mcp_runtime::{plural}![…]`"))
}

pub(crate) fn not_a_path(kind: &Kind, tokens: &dyn ToTokens) -> Error {
    let Kind { plural, listed, .. } = kind;
    error(
        tokens,
        &format_args!("`{plural}!` takes paths of {kind} functions"),
        &format_args!("write `{plural}![{listed}]`"),
    )
}

pub(crate) fn path_is_called(kind: &Kind, arguments: &dyn ToTokens, path: &dyn ToTokens) -> Error {
    let Kind { plural, .. } = kind;
    let path = source(path);
    error(
        arguments,
        &format_args!("`{plural}!` takes the path of a {kind} function, not a call"),
        &format_args!("write `{path}`"),
    )
}

pub(crate) fn path_has_arguments(kind: &Kind, arguments: &dyn ToTokens, ident: &Ident) -> Error {
    let Kind { plural, .. } = kind;
    error(
        arguments,
        &format_args!("a {kind} in `{plural}!` has no generic arguments"),
        &format_args!("write `{ident}`"),
    )
}

pub(crate) fn stray_after_path(kind: &Kind, stray: &dyn ToTokens, path: &dyn ToTokens) -> Error {
    let path = source(path);
    error(
        stray,
        &format_args!("the path `{path}` is not followed by a comma"),
        &format_args!("write one path of a {kind} function, and a comma between two"),
    )
}
