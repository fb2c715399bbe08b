//! What is said about a handler as a whole.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::emit_argument;
use crate::lower::{HandlerIr, IconIr};

// `.title("Add").description("Add two numbers.").read_only(true).sync()`
pub(super) fn emit_settings(ir: &HandlerIr) -> TokenStream {
    let title = ir.title.iter().map(|title| emit_setting("title", title));
    let description = ir.description.iter().map(|text| emit_setting("description", text));
    let facts = ir.facts.iter().map(|(method, value)| emit_setting(method, value));
    let icons = emit_icons(&ir.icons);
    let meta = ir.meta.iter().map(|meta| {
        let converted = emit_argument(meta, meta);
        emit!(.meta(|| ::core::convert::Into::into #converted))
    });
    let ttl = ir.ttl_millis.map(|millis| emit_duration("ttl", millis));
    let timeout = ir.timeout_millis.map(|millis| emit_duration("timeout", millis));
    let blocking = ir.is_blocking.then(|| emit!(.blocking()));
    let sync = (!ir.is_async).then(|| emit!(.sync()));
    quote!(#(#title)* #(#description)* #(#facts)* #icons #(#meta)* #ttl #timeout #blocking #sync)
}

// `.timeout(::core::time::Duration::from_millis(500))`
fn emit_duration(method: &str, millis: u64) -> TokenStream {
    let method = Ident::new(method, Span::mixed_site());
    let millis = Literal::u64_unsuffixed(millis);
    emit!(.#method(::core::time::Duration::from_millis(#millis)))
}

// `.icons(|__mcp_icons| { __mcp_icons.icon("a.png").sizes("48x48"); })`
fn emit_icons(icons: &[IconIr]) -> Option<TokenStream> {
    if icons.is_empty() {
        return None;
    }
    let icons = icons.iter().map(|icon| {
        let icon_of = emit_setting("icon", &icon.src);
        let settings = icon.settings.iter().map(|(method, value)| emit_setting(method, value));
        emit!(__mcp_icons #icon_of #(#settings)*;)
    });
    Some(emit!(.icons(|__mcp_icons| { #(#icons)* })))
}

// `.title("Add")`
fn emit_setting(method: &str, value: &TokenStream) -> TokenStream {
    let method = Ident::new(method, Span::mixed_site());
    let argument = emit_argument(value, value);
    emit!(.#method #argument)
}
