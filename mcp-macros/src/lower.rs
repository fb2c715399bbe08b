//! [`ToolAttr`] and [`ToolFn`] -> [`ToolIr`]: all checks, names and texts.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, Ident, LitBool, LitStr, ReturnType, Visibility};

use crate::check::{as_reference, check_signature, check_tool_name};
use crate::diag::Errors;
use crate::doc;
use crate::model::{Input, InputKind, Param, Pattern, ToolAttr, ToolFn};

/// What every companion needs, also the fallback one after an error.
pub(crate) struct Companion {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) wire_name: LitStr,
}

/// A tool without mistakes.
pub(crate) struct ToolIr {
    pub(crate) func: Ident,
    pub(crate) is_async: bool,
    pub(crate) params: Vec<ParamIr>,
    pub(crate) returned: Returned,
    pub(crate) title: Option<TokenStream>,
    pub(crate) description: Option<TokenStream>,
    pub(crate) hints: Vec<Hint>,
}

/// One parameter, which is one argument or something injected; its type decides at compile time.
pub(crate) struct ParamIr {
    pub(crate) wire_name: LitStr,
    pub(crate) passing: Passing,
    /// Of a lent parameter the type behind the reference.
    pub(crate) ty: TokenStream,
    pub(crate) description: Option<TokenStream>,
}

pub(crate) enum Passing {
    Taken,
    Lent,
}

/// The return type, and where to report that it lacks a trait.
pub(crate) struct Returned {
    pub(crate) ty: TokenStream,
    pub(crate) first: Span,
    pub(crate) last: Span,
}

/// A hint that was written; the others are not sent.
pub(crate) struct Hint {
    pub(crate) method: &'static str,
    pub(crate) value: LitBool,
}

pub(crate) fn companion(attr: &ToolAttr, func: &ToolFn) -> Companion {
    let is_cfg = |attr: &&Attribute| attr.path().is_ident("cfg");
    Companion {
        cfgs: func.attrs.iter().filter(is_cfg).cloned().collect(),
        vis: func.vis.clone(),
        ident: companion_ident(&func.ident),
        wire_name: wire_name(attr, func),
    }
}

/// `order_status` -> `__tool_order_status`
pub(crate) fn companion_ident(func: &Ident) -> Ident {
    format_ident!("__tool_{}", func.unraw(), span = func.span())
}

/// Checks everything and lowers it; after any error there is no tool.
pub(crate) fn tool(attr: ToolAttr, func: &ToolFn, errors: &Errors) -> Option<ToolIr> {
    check_name(&attr, func, errors);
    check_signature(func, errors);
    if errors.has_errors() {
        return None;
    }
    Some(ToolIr {
        func: func.ident.clone(),
        is_async: func.qualifiers.asyncness.is_some(),
        params: func.inputs.iter().filter_map(lower_input).collect(),
        returned: lower_output(func),
        hints: lower_hints(&attr),
        title: attr.title,
        description: attr.description.or_else(|| doc::text(&func.attrs)),
    })
}

fn wire_name(attr: &ToolAttr, func: &ToolFn) -> LitStr {
    let of_func = || LitStr::new(&func.ident.unraw().to_string(), Span::mixed_site());
    attr.name.clone().unwrap_or_else(of_func)
}

fn check_name(attr: &ToolAttr, func: &ToolFn, errors: &Errors) {
    match &attr.name {
        Some(name) => check_tool_name(&name.value(), name, errors),
        None => check_tool_name(&func.ident.unraw().to_string(), &func.ident, errors),
    }
}

/// `None` for what the checks have refused.
fn lower_input(input: &Input) -> Option<ParamIr> {
    let InputKind::Param(Param { pattern: Pattern::Name(_, ident), ty, .. }) = &input.kind else {
        return None;
    };
    let (passing, ty) = match as_reference(ty) {
        Some(reference) => (Passing::Lent, reference.elem.to_token_stream()),
        None => (Passing::Taken, ty.to_token_stream()),
    };
    Some(ParamIr {
        wire_name: LitStr::new(&ident.unraw().to_string(), Span::mixed_site()),
        passing,
        ty,
        description: doc::text(&input.attrs),
    })
}

fn lower_output(func: &ToolFn) -> Returned {
    match &func.output {
        ReturnType::Default => Returned { ty: quote!(()), first: func.ident.span(), last: func.ident.span() },
        ReturnType::Type(_, ty) => {
            let ty = ty.to_token_stream();
            Returned {
                first: first_span(ty.clone()).unwrap_or(func.ident.span()),
                last: last_span(ty.clone()).unwrap_or(func.ident.span()),
                ty,
            }
        }
    }
}

/// Where the tokens begin, inside the invisible groups that `macro_rules!` fragments leave.
pub(crate) fn first_span(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first_span(group.stream()),
        TokenTree::Group(group) => Some(group.span_open()),
        other => Some(other.span()),
    })
}

/// Where the tokens end, likewise.
pub(crate) fn last_span(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().last().and_then(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => last_span(group.stream()),
        TokenTree::Group(group) => Some(group.span_close()),
        other => Some(other.span()),
    })
}

fn lower_hints(attr: &ToolAttr) -> Vec<Hint> {
    let hints = [
        ("read_only", &attr.read_only),
        ("destructive", &attr.destructive),
        ("idempotent", &attr.idempotent),
        ("open_world", &attr.open_world),
    ];
    let written = hints.into_iter().filter_map(|(method, value)| {
        let value = value.clone()?;
        Some(Hint { method, value })
    });
    written.collect()
}
