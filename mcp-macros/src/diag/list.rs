//! About `tools!`.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::Error;

use super::error;
use crate::source::source;

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
