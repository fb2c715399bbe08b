//! [`HandlerIr`] -> tokens. Nothing here can fail.
//!
//! Paths begin with the runtime's or with `::core`. Spans are mixed-site, except where an error of the compiler should
//! be shown at the user's own tokens.

/// `quote!` with mixed-site spans.
macro_rules! emit {
    ($($tokens:tt)*) => { ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*) };
}
pub(crate) use emit;

mod call;
mod params;
mod settings;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Error;

use crate::arg::is_kept_on_parameter;
use crate::lower::{Companion, HandlerIr, Returned};
use crate::model::HandlerFn;
use crate::runtime::Runtime;
use crate::tokens::last_span;

/// The function, its companion, and the errors, in this order.
pub(crate) fn output(func: &HandlerFn, companion: &Companion, ir: Option<&HandlerIr>, errors: &[Error]) -> TokenStream {
    let mut output = emit_func(func);
    output.extend(match ir {
        Some(ir) => emit_companion(companion, ir),
        None => emit_fallback(companion),
    });
    output.extend(errors.iter().map(Error::to_compile_error));
    output
}

// `fn f(/** A. */ #[arg(default)] a: u8) {}` becomes `fn f(a: u8) {}`.
pub(crate) fn emit_func(func: &HandlerFn) -> TokenStream {
    let mut func = func.clone();
    for input in &mut func.inputs {
        input.attrs.retain(is_kept_on_parameter);
    }
    func.into_token_stream()
}

// `fn add(..)` with a mistake leaves `const __tool_add: ToolDef = ToolDef::invalid("add");`.
fn emit_fallback(companion: &Companion) -> TokenStream {
    let Companion { kind, runtime, cfgs, vis, ident, identity } = companion;
    let (private, def) = (runtime.private(), kind.def());
    emit! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        #vis const #ident: #private::#def = #private::#def::invalid(#(#identity),*);
    }
}

// `#[tool(read_only)] pub fn add(..)` leaves
//
//     #[doc(hidden)]
//     #[allow(non_upper_case_globals, deprecated, unused_qualifications)]
//     pub const __tool_add: ToolDef = ToolDef::new("add", |..| {..}, |..| {..}, |..| {..}).read_only(true).sync();
//
// The function and the types of its signature are named once more. The function itself draws the lints about them, and
// can allow them.
//
// The user's expressions stand where nothing of ours is in scope but methods of our own types, and of `crate = path`
// its short name.
fn emit_companion(companion: &Companion, ir: &HandlerIr) -> TokenStream {
    let Companion { kind, runtime, cfgs, vis, ident, .. } = companion;
    let (private, def) = (runtime.private(), kind.def());
    let value = emit_def(companion, ir);
    emit! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_upper_case_globals, deprecated, unused_qualifications)]
        #vis const #ident: #private::#def = #value;
    }
}

// `ToolDef::new("add", |..| {..}, |..| {..}, |..| {..}).read_only(true).sync()`, and with `crate = path`
//
//     { use path::__private as __mcp_private; __mcp_private::ToolDef::new(..).read_only(true).sync() }
//
// so that a path that leads nowhere is not an error at each use.
fn emit_def(companion: &Companion, ir: &HandlerIr) -> TokenStream {
    let Companion { kind, runtime, identity, .. } = companion;
    let import = runtime.import();
    let runtime = &runtime.imported();
    let (private, def) = (runtime.private(), kind.def());
    let params = params::emit_params(ir, runtime);
    let output = emit_output(&ir.returned, runtime);
    let call = call::emit_call(kind, ir, runtime);
    let settings = settings::emit_settings(ir);
    let def = emit!(#private::#def::new(#(#identity,)* #params, #output, #call) #settings);
    match import {
        Some(import) => emit!({ #import #def }),
        None => def,
    }
}

// `-> u8` becomes
//
//     |__mcp_output| {
//         __mcp_output.success(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success());
//         __mcp_output.error(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_error());
//     }
fn emit_output(returned: &Returned, runtime: &Runtime) -> TokenStream {
    let success = emit_returns(returned, runtime, "__mcp_success");
    let error = emit_returns(returned, runtime, "__mcp_error");
    emit! {
        |__mcp_output| {
            __mcp_output.success(#success);
            __mcp_output.error(#error);
        }
    }
}

// `::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success()`
//
// The compiler reports an unmet bound at this whole expression. What stands before the type is placed at the type's
// first token and what stands after it at its last one, so that the user's type is underlined, and nothing more.
fn emit_returns(returned: &Returned, runtime: &Runtime, method: &str) -> TokenStream {
    let Returned { ty, first, last } = returned;
    let private = runtime.private_at(*first);
    let (first, last) = (runtime.hygienic(*first), runtime.hygienic(*last));
    let method = Ident::new(method, last);
    let before = quote_spanned!(first=> #private::Returns::<);
    let after = quote_spanned!(last=> >::NEW.#method());
    quote!(#before #ty #after)
}

// `("Add")`
//
// The parser reports an unfinished expression at the parenthesis behind it, so that is placed at the expression's end.
fn emit_argument(user: &TokenStream, argument: &TokenStream) -> TokenStream {
    let span = last_span(user.clone()).unwrap_or_else(Span::mixed_site);
    quote_spanned!(at(span)=> (#argument))
}

/// The place of the user's token with the hygiene of ours.
fn at(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

fn local(index: usize) -> Ident {
    format_ident!("__mcp_{}", index, span = Span::mixed_site())
}
