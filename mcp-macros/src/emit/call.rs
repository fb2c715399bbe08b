//! The closure that calls the function.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote_spanned;

use super::{at, emit_returns, local};
use crate::kind::Kind;
use crate::lower::HandlerIr;
use crate::lower_param::Passing;
use crate::runtime::Runtime;

// `async fn f(a: &str)` becomes
//
//     |__mcp_call| {
//         let __mcp_0 = ::mcp_runtime::__private::Lend::<str>::NEW.__mcp_hold(__mcp_call, 0usize);
//         let (::core::option::Option::Some(__mcp_0),) = (__mcp_0,) else { return .. };
//         ::mcp_runtime::__private::Started::future(async move { .. })
//     }
pub(super) fn emit_call(kind: &Kind, ir: &HandlerIr, runtime: &Runtime) -> TokenStream {
    let arguments = emit_arguments(ir, &runtime.private());
    let start = emit_start(kind, ir, runtime);
    emit!(|__mcp_call| { #arguments #start })
}

// All arguments are taken before the first failure ends the call, so that every problem is reported:
//
//     let __mcp_0 = ::mcp_runtime::__private::receiver::<Self>(__mcp_call);
//     let __mcp_1 = ::mcp_runtime::__private::Take::<u8>::NEW.__mcp_take(__mcp_call, 1usize);
//     let (Some(__mcp_0), Some(__mcp_1),) = (__mcp_0, __mcp_1,) else { return .. };
fn emit_arguments(ir: &HandlerIr, private: &TokenStream) -> TokenStream {
    let receiver = ir.receiver.iter().map(|receiver| {
        let ty = quote_spanned!(at(receiver.span)=> Self);
        emit!(receiver::<#ty>(__mcp_call))
    });
    let params = ir.params.iter().enumerate().map(|(index, param)| {
        let ty = &param.ty;
        let index = Literal::usize_suffixed(index + first_param(ir));
        match param.passing {
            Passing::Taken => emit!(Take::<#ty>::NEW.__mcp_take(__mcp_call, #index)),
            Passing::Lent => emit!(Lend::<#ty>::NEW.__mcp_hold(__mcp_call, #index)),
        }
    });
    let takes: Vec<TokenStream> = receiver.chain(params).collect();
    if takes.is_empty() {
        return TokenStream::new();
    }
    let locals: Vec<Ident> = (0..takes.len()).map(local).collect();
    emit! {
        #(let #locals = #private::#takes;)*
        let (#(::core::option::Option::Some(#locals),)*) = (#(#locals,)*) else {
            return #private::Started::refused();
        };
    }
}

// `::mcp_runtime::__private::Started::future(async move { .. })`
//
// All of it is placed at the name of the function, because the compiler reports a future that is not `Send` at the
// block.
fn emit_start(kind: &Kind, ir: &HandlerIr, runtime: &Runtime) -> TokenStream {
    let private = runtime.private_at(ir.func.span());
    let body = emit_body(kind, ir, runtime);
    quote_spanned!(at(ir.func.span())=> #private::Started::future(async move { #body }))
}

// `async fn f(a: &str, b: u8)` becomes
//
//     ::mcp_runtime::__private::Returned::outcome(f(__mcp_0.__mcp_lend(), __mcp_1).await, .., ..)
fn emit_body(kind: &Kind, ir: &HandlerIr, runtime: &Runtime) -> TokenStream {
    let private = runtime.private();
    let func = emit_callee(ir);
    let arguments = emit_passed(ir);
    let wait = ir.is_async.then(|| emit!(.await));
    let ends = emit_ends(kind, ir, runtime);
    emit!(#private::Returned::outcome(#func(#(#arguments),*) #wait, #ends))
}

// What makes an outcome of the value, and what of the error:
//
//     ::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success().__mcp_tool(),
//     ::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_error().__mcp_failure()
fn emit_ends(kind: &Kind, ir: &HandlerIr, runtime: &Runtime) -> TokenStream {
    let end_success = kind.success();
    let success = emit_returns(&ir.returned, runtime, "__mcp_success");
    let error = emit_returns(&ir.returned, runtime, "__mcp_error");
    emit!(#success.#end_success(), #error.__mcp_failure())
}

// `&*__mcp_0` for a receiver, `__mcp_1.__mcp_lend()` or `__mcp_1` for a parameter.
fn emit_passed(ir: &HandlerIr) -> impl Iterator<Item = TokenStream> {
    let receiver = ir.receiver.iter().map(|receiver| {
        let local = local(0);
        match receiver.passing {
            Passing::Taken => emit!(#local),
            Passing::Lent => emit!(&*#local),
        }
    });
    let params = ir.params.iter().enumerate().map(|(index, param)| {
        let local = local(index + first_param(ir));
        match param.passing {
            Passing::Taken => emit!(#local),
            Passing::Lent => emit!(#local.__mcp_lend()),
        }
    });
    receiver.chain(params)
}

// `f`, or `Self::f` in an `impl` block.
fn emit_callee(ir: &HandlerIr) -> TokenStream {
    let func = &ir.func;
    if !ir.is_associated {
        return emit!(#func);
    }
    let span = ir.receiver.as_ref().map_or(func.span(), |receiver| receiver.span);
    let ty = quote_spanned!(at(span)=> Self);
    emit!(#ty::#func)
}

/// The index of the first parameter; that of a receiver is 0.
fn first_param(ir: &HandlerIr) -> usize {
    usize::from(ir.receiver.is_some())
}
