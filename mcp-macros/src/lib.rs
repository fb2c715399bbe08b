//! The procedural macros of `mcp-runtime`.
//!
//! Depend on `mcp-runtime`: it re-exports the attributes and carries their documentation.

mod arg;
mod bounds;
mod check;
mod check_args;
mod conditional;
mod dates;
mod diag;
mod doc;
mod emit;
mod entries;
mod expand;
mod form;
mod keys;
mod kind;
mod list;
mod lower;
mod lower_param;
mod lower_uri;
mod model;
mod parse;
mod receiver;
mod runtime;
mod source;
mod template;
#[cfg(test)]
mod tests;
mod tokens;
mod toolset;
mod types;
mod values;
mod words;

use proc_macro::TokenStream;

use crate::kind::{PROMPT, RESOURCE, TOOL};

#[expect(missing_docs, reason = "`mcp-runtime` documents it where it re-exports it")]
#[proc_macro_attribute]
pub fn tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::handler(&TOOL, &attr.into(), &item.into()).into()
}

#[expect(missing_docs, reason = "`mcp-runtime` documents it where it re-exports it")]
#[proc_macro_attribute]
pub fn prompt(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::handler(&PROMPT, &attr.into(), &item.into()).into()
}

#[expect(missing_docs, reason = "`mcp-runtime` documents it where it re-exports it")]
#[proc_macro_attribute]
pub fn resource(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::handler(&RESOURCE, &attr.into(), &item.into()).into()
}

#[expect(missing_docs, reason = "`mcp-runtime` documents it where it re-exports it")]
#[proc_macro_attribute]
pub fn toolset(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::toolset(attr.into(), &item.into()).into()
}

#[expect(missing_docs, reason = "`mcp-runtime` documents it where it re-exports it")]
#[proc_macro_derive(Form, attributes(form))]
pub fn form(item: TokenStream) -> TokenStream {
    expand::form(item.into()).into()
}

/// The inner part of `mcp_runtime::tools!`, which gives it the path of the runtime first.
#[doc(hidden)]
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    expand::list(&TOOL, input.into()).into()
}

/// The inner part of `mcp_runtime::prompts!`, likewise.
#[doc(hidden)]
#[proc_macro]
pub fn prompts(input: TokenStream) -> TokenStream {
    expand::list(&PROMPT, input.into()).into()
}

/// The inner part of `mcp_runtime::resources!`, likewise.
#[doc(hidden)]
#[proc_macro]
pub fn resources(input: TokenStream) -> TokenStream {
    expand::list(&RESOURCE, input.into()).into()
}
