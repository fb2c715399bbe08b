//! The pipelines: tokens -> model -> IR -> tokens.

use proc_macro2::TokenStream;
use syn::parse2;

use crate::diag::{self, Errors};
use crate::form::{emit as emit_form, lower as lower_form};
use crate::kind::Kind;
use crate::toolset::{emit as emit_toolset, lower as lower_toolset, parse as parse_toolset};
use crate::{arg, conditional, emit, keys, list, lower, parse};

/// Expands `#[tool(attr)] item`, and the attributes of other kinds.
///
/// The function comes first and always, so that a mistake in the attribute adds no error elsewhere.
pub(crate) fn handler(kind: &'static Kind, attr: &TokenStream, item: &TokenStream) -> TokenStream {
    let errors = Errors::new();
    let func = parse::func(kind, item.clone(), &errors);
    let keys = keys::handler_attr(kind, attr.clone(), &errors);
    let Some(func) = func else {
        return errors.with(item);
    };
    let companion = lower::companion(kind, &keys, &func);
    if let Some(split) = conditional::split(kind, attr, &companion.runtime, &func) {
        // The one of the two that exists reports them.
        errors.finish();
        return split;
    }
    let args = arg::read(kind, &func, &errors);
    let ir = lower::handler(kind, keys, &func, args, &errors);
    emit::output(&func, &companion, ir.as_ref(), &errors.finish())
}

/// Expands `#[toolset(attr)] item`.
///
/// The block comes first and always, likewise.
pub(crate) fn toolset(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let errors = Errors::new();
    let block = parse_toolset::block(item.clone(), &errors);
    let attr = parse_toolset::attr(attr, &errors);
    let Some(block) = block else {
        return errors.with(item);
    };
    let ir = lower_toolset::toolset(&attr, &block, &errors);
    emit_toolset::output(&attr, &block, ir.as_ref(), &errors.finish())
}

/// Expands `#[derive(Form)] item`.
pub(crate) fn form(item: TokenStream) -> TokenStream {
    let errors = Errors::new();
    let item = errors.ok(parse2(item).map_err(|error| diag::form::unreadable(&error)));
    let ir = item.and_then(|item| lower_form::form(&item, &errors));
    emit_form::output(ir.as_ref(), &errors.finish())
}

/// Expands `tools!(runtime; paths)`, and the lists of other kinds.
pub(crate) fn list(kind: &'static Kind, input: TokenStream) -> TokenStream {
    let errors = Errors::new();
    let list = list::parse(kind, input, &errors);
    let ir = list::lower(list, &errors);
    list::emit(&ir, &errors.finish())
}
