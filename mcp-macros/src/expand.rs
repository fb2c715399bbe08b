//! The pipelines: tokens -> model -> IR -> tokens.

use proc_macro2::TokenStream;

use crate::diag::Errors;
use crate::{conditional, emit, keys, list, lower, parse};

/// Expands `#[tool(attr)] item`.
///
/// The function comes first and always, so that a mistake in the attribute adds no error elsewhere.
pub(crate) fn tool(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let errors = Errors::new();
    let func = parse::func(item.clone(), &errors);
    if let Some(split) = func.as_ref().and_then(|func| conditional::split(&attr, func)) {
        return errors.with(&split);
    }
    let attr = keys::tool_attr(attr, &errors);
    let Some(func) = func else {
        return errors.with(item);
    };
    let companion = lower::companion(&attr, &func);
    let ir = lower::tool(attr, &func, &errors);
    emit::output(&func, &companion, ir.as_ref(), &errors.finish())
}

/// Expands `tools!(runtime; paths)`.
pub(crate) fn tools(input: TokenStream) -> TokenStream {
    let errors = Errors::new();
    let list = list::parse(input, &errors);
    let ir = list::lower(list, &errors);
    list::emit(&ir, &errors.finish())
}
