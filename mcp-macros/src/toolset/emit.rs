//! [`ToolsetIr`] -> tokens. Nothing here can fail.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Attribute, Error, Visibility};

use super::attr::{add_keys, marks};
use super::lower::{List, Listed, Place, ToolsetIr};
use super::model::{Block, Func, Item, ToolsetAttr};
use crate::diag::Errors;
use crate::emit::{emit, emit_func};
use crate::kind::{Kind, TOOL};
use crate::{keys, parse};

/// The block, its lists, and the errors, in this order.
pub(crate) fn output(attr: &ToolsetAttr, block: &Block, ir: Option<&ToolsetIr>, errors: &[Error]) -> TokenStream {
    let items = block.items.iter().map(|item| match (item, ir) {
        (Item::Func(func), Some(_)) => emit_in_block(func, attr),
        (Item::Func(func), None) => emit_without_companion(func),
        (Item::Macro(_, tokens) | Item::Other(tokens), _) => tokens.clone(),
    });
    let mut body = Group::new(block.body.delimiter(), items.collect());
    body.set_span(block.body.span());
    let mut output = block.head.clone();
    body.to_tokens(&mut output);
    output.extend(ir.map(emit_list));
    output.extend(errors.iter().map(Error::to_compile_error));
    output
}

// `#[tool] fn f() {}` becomes `#[tool(in_impl)] fn f() {}`, and has the key `crate` of the block.
fn emit_in_block(func: &Func, attr: &ToolsetAttr) -> TokenStream {
    let added = |kind: &Kind, written: &TokenStream| {
        let given = keys::ignoring_errors(kind, written.clone());
        // It is there where a second `#[toolset]` stands on the block.
        let in_impl = (!func.has_receiver && given.in_impl.is_none()).then(|| emit!(in_impl,));
        let krate = attr.krate.as_ref().filter(|_| given.krate.is_none()).map(|path| emit!(crate = #path,));
        quote!(#in_impl #krate)
    };
    let mut attrs = func.attrs.clone();
    for attr in &mut attrs {
        add_keys(attr, &added);
    }
    let rest = &func.rest;
    quote!(#(#attrs)* #rest)
}

// A trait's block has no place for a companion, so `#[tool] fn f(#[arg(default)] a: u8) {}` becomes
// `fn f(a: u8) {}`.
fn emit_without_companion(func: &Func) -> TokenStream {
    let is_kept = |attr: &&Attribute| marks(std::slice::from_ref(attr)).is_empty();
    let kept: Vec<&Attribute> = func.attrs.iter().filter(is_kept).collect();
    let rest = &func.rest;
    let tokens = quote!(#(#kept)* #rest);
    if kept.len() == func.attrs.len() {
        return tokens;
    }
    // The kind matters to the errors alone, which nobody reads.
    let unread = Errors::new();
    let func = parse::func(&TOOL, tokens.clone(), &unread);
    unread.finish();
    func.as_ref().map_or(tokens, emit_func)
}

fn emit_list(ir: &ToolsetIr) -> TokenStream {
    match &ir.place {
        Place::Trait => emit_trait(ir),
        Place::Func(vis, name) => emit_named(ir, vis, name),
        Place::Nowhere => TokenStream::new(),
    }
}

// `#[toolset] impl<B> Desk<B> { .. }` leaves
//
//     #[automatically_derived]
//     impl<B> ::mcp_runtime::Toolset for Desk<B> {
//         fn tools() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::ToolDef> { .. }
//     }
//
// and `fn prompts()` or `fn resources()` beside it, if the block has some: the trait's own give empty lists.
fn emit_trait(ir: &ToolsetIr) -> TokenStream {
    let ToolsetIr { runtime, attrs, generics, self_ty, where_clause, .. } = ir;
    let path = runtime.path();
    let lists = std::iter::once(&ir.tools).chain(&ir.others);
    let funcs = lists.map(|list| {
        let name = Ident::new(list.kind.plural, Span::mixed_site());
        emit_list_func(ir, list, &name)
    });
    emit! {
        #(#attrs)*
        #[automatically_derived]
        impl #generics #path::Toolset for #self_ty #where_clause { #(#funcs)* }
    }
}

// `#[toolset(files)] impl Desk { #[tool] pub(crate) fn open() .. }` leaves
//
//     impl Desk {
//         /// The tools of this block, to register them.
//         #[must_use]
//         pub(crate) fn files() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::ToolDef> { .. }
//     }
fn emit_named(ir: &ToolsetIr, vis: &Visibility, name: &Ident) -> TokenStream {
    let ToolsetIr { attrs, generics, self_ty, where_clause, .. } = ir;
    let func = emit_list_func(ir, &ir.tools, name);
    emit! {
        #(#attrs)*
        impl #generics #self_ty #where_clause {
            /// The tools of this block, to register them.
            #[must_use]
            #vis #func
        }
    }
}

// `#[cfg(unix)] #[tool] fn read() ..` becomes
//
//     fn tools() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::ToolDef> {
//         let mut __mcp_tools = ::mcp_runtime::__private::Vec::new();
//         #[cfg(unix)]
//         ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_read);
//         __mcp_tools
//     }
//
// The name of a method could be that of one in the user's scope.
// Nothing changes the list where all of it is left out, hence the lint.
fn emit_list_func(ir: &ToolsetIr, list: &List, name: &Ident) -> TokenStream {
    let (private, def, local) = (ir.runtime.private(), list.kind.def(), list.kind.local_list());
    let is_conditional = |handler: &Listed| !handler.cfgs.is_empty();
    let unused = list.handlers.iter().all(is_conditional).then(|| emit!(#[allow(unused_mut)]));
    let handlers = list.handlers.iter().map(|Listed { cfgs, companion }| {
        emit! {
            #(#cfgs)*
            #private::Vec::push(&mut #local, Self::#companion);
        }
    });
    emit! {
        fn #name() -> #private::Vec<#private::#def> {
            #unused
            let mut #local = #private::Vec::new();
            #(#handlers)*
            #local
        }
    }
}
