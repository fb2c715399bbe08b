//! The closure that describes the parameters.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::LitStr;

use super::{at, emit_argument};
use crate::lower::{HandlerIr, ReceiverIr};
use crate::lower_param::{ParamIr, Passing, Setting, Source, Value};
use crate::runtime::Runtime;

// `&self, /** A. */ a: &str, #[arg(default = 3)] b: u8` becomes
//
//     |__mcp_params| {
//         #[allow(unused_imports)]
//         use ::mcp_runtime::__private::{ParamUnshown as _, ParamUnsupported as _};
//         __mcp_params.receiver::<Self>();
//         __mcp_params.lent::<str>("a").description("A.");
//         __mcp_params.taken::<u8>("b").__mcp_default(|| 3);
//     }
pub(super) fn emit_params(ir: &HandlerIr, runtime: &Runtime) -> TokenStream {
    let fallback = emit_fallback(ir, &runtime.private());
    let receiver = ir.receiver.iter().map(emit_receiver);
    let params = ir.params.iter().map(|param| emit_param(param, runtime));
    emit!(|__mcp_params| { #fallback #(#receiver)* #(#params)* })
}

// The traits are needed only where no inherent method comes first, hence the lint; those of every type are inherent.
fn emit_fallback(ir: &HandlerIr, private: &TokenStream) -> Option<TokenStream> {
    let of_some_types = |setting: &Setting| !matches!(setting.method, "description" | "header" | "complete");
    let is_needed = ir.params.iter().any(|param| param.settings.iter().any(of_some_types));
    is_needed.then(|| {
        emit! {
            #[allow(unused_imports)]
            use #private::{ParamUnshown as _, ParamUnsupported as _};
        }
    })
}

fn emit_receiver(receiver: &ReceiverIr) -> TokenStream {
    let ty = quote_spanned!(at(receiver.span)=> Self);
    emit!(__mcp_params.receiver::<#ty>();)
}

// `__mcp_params.taken::<u8>("b").__mcp_default(|| 3);`
fn emit_param(param: &ParamIr, runtime: &Runtime) -> TokenStream {
    let ParamIr { wire_name, ty, .. } = param;
    let settings = param.settings.iter().map(|setting| emit_setting(setting, runtime));
    let described = match (&param.source, &param.passing) {
        (Source::Whole, _) => emit!(all::<#ty>),
        (Source::Any, Passing::Taken) => emit!(taken::<#ty>),
        (Source::Any, Passing::Lent) => emit!(lent::<#ty>),
        (Source::Server { name }, Passing::Taken) => emit_provided("provided", ty, *name),
        (Source::Server { name }, Passing::Lent) => emit_provided("provided_lent", ty, *name),
    };
    emit!(__mcp_params.#described(#wire_name) #(#settings)*;)
}

// `provided::<<&State<Db> as ::core::ops::Deref>::Target>`
//
// The compiler reports at the type argument that the server does not provide the type. It is the name that is wrong
// then, so the argument begins and ends there. Its middle keeps the user's places, or a type that does not exist would
// be reported once more, here.
fn emit_provided(method: &str, ty: &TokenStream, name: Span) -> TokenStream {
    let span = at(name);
    let method = Ident::new(method, span);
    let before = quote_spanned!(span=> <&);
    let after = quote_spanned!(span=> as ::core::ops::Deref>::Target);
    quote_spanned!(span=> #method::<#before #ty #after>)
}

// `.at_most(20)`, `.__mcp_default(|| 3)`, `.__mcp_default(|| ::mcp_runtime::__private::text("once"))`
//
// The compiler reports at the method what the type of the parameter lacks for it, so it is placed at the user's key;
// and at the call of `text` that the type is made of no string.
fn emit_setting(setting: &Setting, runtime: &Runtime) -> TokenStream {
    let span = at(setting.span);
    let method = Ident::new(setting.method, span);
    let argument = match &setting.value {
        Value::Given(value) => emit_argument(value, value),
        Value::Made(value) => emit_argument(value, &emit!(|| #value)),
        Value::Text(text) => emit_text(text, runtime),
        Value::TypeDefault => quote_spanned!(span=> (::core::default::Default::default)),
    };
    emit!(.#method #argument)
}

// `(|| ::mcp_runtime::__private::text("once"))`
fn emit_text(text: &LitStr, runtime: &Runtime) -> TokenStream {
    let private = runtime.private_at(text.span());
    let called = quote_spanned!(runtime.hygienic(text.span())=> #private::text(#text));
    emit!((|| #called))
}
