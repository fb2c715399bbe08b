//! [`ToolIr`] -> tokens. Nothing here can fail.
//!
//! Paths begin with `::mcp_runtime::__private` or `::core`. Spans are mixed-site, except where an error of the compiler
//! should be shown at the user's own tokens.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::Error;

use crate::check::is_kept_on_parameter;
use crate::lower::{Companion, ParamIr, Passing, Returned, ToolIr};
use crate::model::ToolFn;

/// The function, its companion, and the errors, in this order.
pub(crate) fn output(func: &ToolFn, companion: &Companion, ir: Option<&ToolIr>, errors: &[Error]) -> TokenStream {
    let mut output = emit_func(func);
    output.extend(match ir {
        Some(ir) => emit_companion(companion, ir),
        None => emit_fallback(companion),
    });
    output.extend(errors.iter().map(Error::to_compile_error));
    output
}

/// `quote!` with mixed-site spans.
macro_rules! emit {
    ($($tokens:tt)*) => { quote_spanned!(Span::mixed_site()=> $($tokens)*) };
}

// `fn f(/** A. */ a: u8) {}` becomes `fn f(a: u8) {}`.
fn emit_func(func: &ToolFn) -> TokenStream {
    let mut func = func.clone();
    for input in &mut func.inputs {
        input.attrs.retain(is_kept_on_parameter);
    }
    func.into_token_stream()
}

// `fn add(..)` with a mistake leaves `const __tool_add: ToolDef = ToolDef::invalid("add");`.
fn emit_fallback(companion: &Companion) -> TokenStream {
    let Companion { cfgs, vis, ident, wire_name } = companion;
    emit! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        #vis const #ident: ::mcp_runtime::__private::ToolDef =
            ::mcp_runtime::__private::ToolDef::invalid(#wire_name);
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
// The user's expressions stand outside of the closures, and so in the user's scope.
fn emit_companion(companion: &Companion, ir: &ToolIr) -> TokenStream {
    let Companion { cfgs, vis, ident, wire_name } = companion;
    let params = emit_params(ir);
    let output = emit_output(&ir.returned);
    let call = emit_call(ir);
    let settings = emit_settings(ir);
    emit! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_upper_case_globals, deprecated, unused_qualifications)]
        #vis const #ident: ::mcp_runtime::__private::ToolDef =
            ::mcp_runtime::__private::ToolDef::new(#wire_name, #params, #output, #call) #settings;
    }
}

// `.title("Add").description("Add two numbers.").read_only(true).sync()`
fn emit_settings(ir: &ToolIr) -> TokenStream {
    let title = ir.title.iter().map(|title| emit!(.title(#title)));
    let description = ir.description.iter().map(|text| emit!(.description(#text)));
    let hints = ir.hints.iter().map(|hint| {
        let method = Ident::new(hint.method, Span::mixed_site());
        let value = &hint.value;
        emit!(.#method(#value))
    });
    let sync = (!ir.is_async).then(|| emit!(.sync()));
    quote!(#(#title)* #(#description)* #(#hints)* #sync)
}

// `/** A. */ a: &str, b: u8` becomes
//
//     |__mcp_params| {
//         __mcp_params.lent::<str>("a").description("A.");
//         __mcp_params.taken::<u8>("b");
//     }
fn emit_params(ir: &ToolIr) -> TokenStream {
    let params = ir.params.iter().map(|param| {
        let ParamIr { wire_name, ty, .. } = param;
        let description = param.description.iter().map(|text| emit!(.description(#text)));
        let method = match param.passing {
            Passing::Taken => emit!(taken),
            Passing::Lent => emit!(lent),
        };
        emit!(__mcp_params.#method::<#ty>(#wire_name) #(#description)*;)
    });
    emit!(|__mcp_params| { #(#params)* })
}

// `-> u8` becomes
//
//     |__mcp_output| {
//         #[allow(unused_imports)]
//         use ::mcp_runtime::__private::ReturnsPlain as _;
//         __mcp_output.success(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success());
//         __mcp_output.error(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_error());
//     }
//
// The trait is needed only where no inherent method comes first, hence the lint.
fn emit_output(returned: &Returned) -> TokenStream {
    let success = emit_returns(returned, "__mcp_success");
    let error = emit_returns(returned, "__mcp_error");
    emit! {
        |__mcp_output| {
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::ReturnsPlain as _;
            __mcp_output.success(#success);
            __mcp_output.error(#error);
        }
    }
}

// `::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success()`
//
// The compiler reports an unmet bound at this whole expression. What stands before the type is placed at the type's
// first token and what stands after it at its last one, so that the user's type is underlined, and nothing more.
fn emit_returns(returned: &Returned, method: &str) -> TokenStream {
    let Returned { ty, first, last } = returned;
    let (first, last) = (at(*first), at(*last));
    let method = Ident::new(method, last);
    let before = quote_spanned!(first=> ::mcp_runtime::__private::Returns::<);
    let after = quote_spanned!(last=> >::NEW.#method());
    quote!(#before #ty #after)
}

/// The place of the user's token with the hygiene of ours.
fn at(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

// `async fn f(a: &str)` becomes
//
//     |__mcp_call| {
//         #[allow(unused_imports)]
//         use ::mcp_runtime::__private::{FailedAny as _, ..};
//         let __mcp_0 = ::mcp_runtime::__private::Lend::<str>::hold(__mcp_call, 0usize);
//         let (Some(__mcp_0),) = (__mcp_0,) else { return ::mcp_runtime::__private::Started::refused() };
//         ::mcp_runtime::__private::Started::future(async move { .. })
//     }
//
// Which of the traits a signature needs is not known here, hence the lint.
fn emit_call(ir: &ToolIr) -> TokenStream {
    let arguments = emit_arguments(ir);
    let start = emit_start(ir);
    emit! {
        |__mcp_call| {
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::{
                FailedAny as _, FailedAsError as _, FailedDisplay as _, FailedError as _, FailedTool as _,
                LendUnsupported as _, ReturnedPlain as _, SucceededUnsupported as _, TakeUnsupported as _,
            };
            #arguments
            #start
        }
    }
}

// All arguments are taken before the first failure ends the call, so that every problem is reported:
//
//     let __mcp_0 = ::mcp_runtime::__private::Take::<u8>::take(__mcp_call, 0usize);
//     let (Some(__mcp_0),) = (__mcp_0,) else { return .. };
fn emit_arguments(ir: &ToolIr) -> TokenStream {
    if ir.params.is_empty() {
        return TokenStream::new();
    }
    let takes = ir.params.iter().enumerate().map(|(index, param)| {
        let local = local(index);
        let ty = &param.ty;
        let index = Literal::usize_suffixed(index);
        let take = match param.passing {
            Passing::Taken => emit!(Take::<#ty>::take),
            Passing::Lent => emit!(Lend::<#ty>::hold),
        };
        emit!(let #local = ::mcp_runtime::__private::#take(__mcp_call, #index);)
    });
    let locals: Vec<Ident> = (0..ir.params.len()).map(local).collect();
    emit! {
        #(#takes)*
        let (#(::core::option::Option::Some(#locals),)*) = (#(#locals,)*) else {
            return ::mcp_runtime::__private::Started::refused();
        };
    }
}

// `::mcp_runtime::__private::Started::future(async move { .. })`
//
// All of it is placed at the name of the function, because the compiler reports a future that is not `Send` at the
// block.
fn emit_start(ir: &ToolIr) -> TokenStream {
    let body = emit_body(ir);
    quote_spanned! {at(ir.func.span())=>
        ::mcp_runtime::__private::Started::future(async move { #body })
    }
}

// `async fn f(a: &str, b: u8)` becomes
//
//     let __mcp_returned = f(__mcp_0.__mcp_lend(), __mcp_1).await;
//     match ::mcp_runtime::__private::Returned(__mcp_returned).__mcp_split() { .. }
//
// Method lookup takes the `&` off one by one; each level is a less specific way to report an error.
fn emit_body(ir: &ToolIr) -> TokenStream {
    let func = &ir.func;
    let arguments = ir.params.iter().enumerate().map(|(index, param)| {
        let local = local(index);
        match param.passing {
            Passing::Taken => emit!(#local),
            Passing::Lent => emit!(#local.__mcp_lend()),
        }
    });
    let wait = ir.is_async.then(|| emit!(.await));
    emit! {
        let __mcp_returned = #func(#(#arguments),*) #wait;
        match ::mcp_runtime::__private::Returned(__mcp_returned).__mcp_split() {
            ::core::result::Result::Ok(__mcp_value) => {
                ::mcp_runtime::__private::Succeeded(__mcp_value).__mcp_outcome()
            }
            ::core::result::Result::Err(__mcp_error) => {
                (&&&&::mcp_runtime::__private::Failed(&__mcp_error)).__mcp_outcome()
            }
        }
    }
}

fn local(index: usize) -> Ident {
    format_ident!("__mcp_{}", index, span = Span::mixed_site())
}
