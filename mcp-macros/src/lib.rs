//! The procedural macros of `mcp-runtime`.
//!
//! Depend on `mcp-runtime`: it re-exports the attribute `tool`, and carries its documentation.

mod check;
mod conditional;
mod diag;
mod doc;
mod emit;
mod expand;
mod keys;
mod list;
mod lower;
mod model;
mod parse;
mod source;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a function a tool; documented at `mcp_runtime::tool`.
#[proc_macro_attribute]
pub fn tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(attr.into(), &item.into()).into()
}

/// The inner part of `mcp_runtime::tools!`, which gives it the path of the runtime first.
#[doc(hidden)]
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    expand::tools(input.into()).into()
}
