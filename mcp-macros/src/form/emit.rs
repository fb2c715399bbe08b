//! [`FormIr`] -> tokens. Nothing here can fail.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Error;

use super::lower::{FormIr, Shape};
use crate::emit::emit;

/// What the derived traits need, and the errors.
pub(crate) fn output(ir: Option<&FormIr>, errors: &[Error]) -> TokenStream {
    let derived = ir.map(|ir| match &ir.shape {
        Shape::Form(fields) => emit_form(ir, fields),
        Shape::Choice => emit_choice(ir),
    });
    let errors = errors.iter().map(Error::to_compile_error);
    quote!(#derived #(#errors)*)
}

// `struct Address { street: String }` leaves
//
//     #[automatically_derived]
//     #[allow(deprecated)]
//     #[diagnostic::do_not_recommend]
//     impl ::mcp_runtime::Form for Address {}
//     const _: () = {
//         #[allow(dead_code, deprecated, unused_qualifications)]
//         fn __mcp_fields() {
//             ::mcp_runtime::__private::form_field::<String>();
//         }
//     };
//
// Nobody calls the function; the compiler reports at each type what it lacks. All types are named once more, and the
// struct itself draws the lints about them, hence the others.
fn emit_form(ir: &FormIr, fields: &[TokenStream]) -> TokenStream {
    let FormIr { runtime, ident, .. } = ir;
    let path = runtime.path();
    let import = runtime.import();
    let private = runtime.imported().private();
    emit! {
        #[automatically_derived]
        #[allow(deprecated)]
        #[diagnostic::do_not_recommend]
        impl #path::Form for #ident {}
        const _: () = {
            #[allow(dead_code, deprecated, unused_qualifications)]
            fn __mcp_fields() {
                #import
                #(#private::form_field::<#fields>();)*
            }
        };
    }
}

// `enum Size { Small, Large }` leaves, where the lint is about an enum that is deprecated itself,
//
//     #[automatically_derived]
//     #[allow(deprecated)]
//     #[diagnostic::do_not_recommend]
//     impl ::mcp_runtime::FormChoice for Size {}
//
// Without the last attribute the compiler lists it to those whose own type is none.
fn emit_choice(ir: &FormIr) -> TokenStream {
    let FormIr { runtime, ident, .. } = ir;
    let path = runtime.path();
    emit! {
        #[automatically_derived]
        #[allow(deprecated)]
        #[diagnostic::do_not_recommend]
        impl #path::FormChoice for #ident {}
    }
}
