//! The pipelines: tokens -> model -> IR -> tokens.

use proc_macro2::TokenStream;

use crate::diag::Errors;
use crate::toolset::{emit as emit_toolset, lower as lower_toolset, parse as parse_toolset};
use crate::{arg, conditional, emit, keys, list, lower, parse};

/// Expands `#[tool(attr)] item`.
///
/// The function comes first and always, so that a mistake in the attribute adds no error elsewhere.
pub(crate) fn tool(attr: &TokenStream, item: &TokenStream) -> TokenStream {
    let errors = Errors::new();
    let func = parse::func(item.clone(), &errors);
    let keys = keys::handler_attr(attr.clone(), &errors);
    let Some(func) = func else {
        return errors.with(item);
    };
    let companion = lower::companion(&keys, &func);
    if let Some(split) = conditional::split(attr, &companion.runtime, &func) {
        // The one of the two that exists reports them.
        errors.finish();
        return split;
    }
    let args = arg::read(&func, &errors);
    let ir = lower::tool(keys, &func, args, &errors);
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

/// Expands `tools!(runtime; paths)`.
pub(crate) fn tools(input: TokenStream) -> TokenStream {
    let errors = Errors::new();
    let list = list::parse(input, &errors);
    let ir = list::lower(list, &errors);
    list::emit(&ir, &errors.finish())
}
