//! [`FormIr`] -> tokens. Nothing here can fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Error;

use super::lower::{FormIr, Shape};
use crate::emit::emit;

/// What the derived traits need, and the errors.
pub(crate) fn output(ir: Option<&FormIr>, errors: &[Error]) -> TokenStream {
    let derived = ir.map(|ir| match &ir.shape {
        Shape::Form(fields) => emit_form(ir, "IsForm", fields),
        Shape::Choice => emit_form(ir, "IsChoice", &[]),
    });
    let errors = errors.iter().map(Error::to_compile_error);
    quote!(#derived #(#errors)*)
}

// `struct Address { street: String }` leaves
//
//     const _: () = {
//         #[automatically_derived]
//         #[allow(deprecated)]
//         impl ::mcp_runtime::__private::IsForm for Address {}
//         #[allow(dead_code, deprecated, unused_qualifications)]
//         fn __mcp_check() {
//             ::mcp_runtime::__private::form_data::<Address>();
//             ::mcp_runtime::__private::form_field::<String>();
//         }
//     };
//
// and `enum Size { Small, Large }` the same with `IsChoice`, and without fields.
//
// Nobody calls the function; the compiler reports at each type what it lacks. At an `impl` of `Form` it would do so in its
// own words, with a list of all that is `Deserialize`. All types are named once more, and the item itself draws the lints
// about them, hence the others.
fn emit_form(ir: &FormIr, of_trait: &str, fields: &[TokenStream]) -> TokenStream {
    let FormIr { runtime, ident, .. } = ir;
    let of_trait = Ident::new(of_trait, Span::mixed_site());
    let import = runtime.import();
    let private = runtime.imported().private();
    emit! {
        const _: () = {
            #import
            #[automatically_derived]
            #[allow(deprecated)]
            impl #private::#of_trait for #ident {}
            #[allow(dead_code, deprecated, unused_qualifications)]
            fn __mcp_check() {
                #private::form_data::<#ident>();
                #(#private::form_field::<#fields>();)*
            }
        };
    }
}
