//! The closure that describes the parameters.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use super::{at, emit_argument};
use crate::lower::{ReceiverIr, ToolIr};
use crate::lower_param::{ParamIr, Passing, Setting, Value};

// `&self, /** A. */ a: &str, #[arg(default = 3)] b: u8` becomes
//
//     |__mcp_params| {
//         #[allow(unused_imports)]
//         use ::mcp_runtime::__private::ParamUnshown as _;
//         __mcp_params.receiver::<Self>();
//         __mcp_params.lent::<str>("a").description("A.");
//         __mcp_params.taken::<u8>("b").__mcp_default(|| 3);
//     }
pub(super) fn emit_params(ir: &ToolIr, private: &TokenStream) -> TokenStream {
    let fallback = emit_fallback(ir, private);
    let receiver = ir.receiver.iter().map(emit_receiver);
    let params = ir.params.iter().map(emit_param);
    emit!(|__mcp_params| { #fallback #(#receiver)* #(#params)* })
}

// The trait is needed only where no inherent method comes first, hence the lint.
fn emit_fallback(ir: &ToolIr, private: &TokenStream) -> Option<TokenStream> {
    let is_shown = |setting: &Setting| matches!(setting.method, "__mcp_default" | "__mcp_example");
    let is_needed = ir.params.iter().any(|param| param.settings.iter().any(is_shown));
    is_needed.then(|| {
        emit! {
            #[allow(unused_imports)]
            use #private::ParamUnshown as _;
        }
    })
}

fn emit_receiver(receiver: &ReceiverIr) -> TokenStream {
    let ty = quote_spanned!(at(receiver.span)=> Self);
    emit!(__mcp_params.receiver::<#ty>();)
}

// `__mcp_params.taken::<u8>("b").__mcp_default(|| 3);`
fn emit_param(param: &ParamIr) -> TokenStream {
    let ParamIr { wire_name, ty, .. } = param;
    let settings = param.settings.iter().map(emit_setting);
    let method = match param.passing {
        _ if param.is_whole => emit!(all),
        Passing::Taken => emit!(taken),
        Passing::Lent => emit!(lent),
    };
    emit!(__mcp_params.#method::<#ty>(#wire_name) #(#settings)*;)
}

// `.at_most(20)`, `.__mcp_default(|| 3)`, `.__mcp_default(|| ::core::convert::Into::into("once"))`
//
// The compiler reports at the method what the type of the parameter lacks for it, so it is placed at the user's key.
fn emit_setting(setting: &Setting) -> TokenStream {
    let span = at(setting.span);
    let method = Ident::new(setting.method, span);
    let argument = match &setting.value {
        Value::Given(value) => emit_argument(value, value),
        Value::Made(value) => emit_argument(value, &emit!(|| #value)),
        Value::Text(text) => emit!((|| ::core::convert::Into::into(#text))),
        Value::TypeDefault => quote_spanned!(span=> (::core::default::Default::default)),
    };
    emit!(.#method #argument)
}
