//! [`HandlerAttr`] and [`HandlerFn`] -> [`HandlerIr`]: all checks, names and texts.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{Ident, LitBool, LitStr, ReturnType, Visibility};

use crate::check::{check_called_name, check_signature};
use crate::check_args::check_args;
use crate::conditional::conditions;
use crate::diag::Errors;
use crate::doc;
use crate::kind::Kind;
use crate::lower_param::{ParamIr, Passing, lower_param};
use crate::model::{ArgAttr, HandlerAttr, HandlerFn, IconAttr, Input, InputKind};
use crate::receiver::{Access, access};
use crate::runtime::Runtime;
use crate::tokens::{first_span, last_span};

/// What every companion needs, also the fallback one after an error.
pub(crate) struct Companion {
    pub(crate) kind: &'static Kind,
    pub(crate) runtime: Runtime,
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) wire_name: LitStr,
}

/// A handler without mistakes.
pub(crate) struct HandlerIr {
    pub(crate) func: Ident,
    /// Whether the function is called by `Self::name`.
    pub(crate) is_associated: bool,
    pub(crate) is_async: bool,
    pub(crate) receiver: Option<ReceiverIr>,
    pub(crate) params: Vec<ParamIr>,
    pub(crate) returned: Returned,
    pub(crate) title: Option<TokenStream>,
    pub(crate) description: Option<TokenStream>,
    pub(crate) hints: Vec<Hint>,
    pub(crate) icons: Vec<IconIr>,
    pub(crate) meta: Option<TokenStream>,
    pub(crate) timeout_millis: Option<u64>,
    pub(crate) is_blocking: bool,
}

pub(crate) struct ReceiverIr {
    pub(crate) passing: Passing,
    /// Where to report what the type of the receiver lacks.
    pub(crate) span: Span,
}

/// The source of an icon, and the settings that were written.
pub(crate) struct IconIr {
    pub(crate) src: TokenStream,
    pub(crate) settings: Vec<(&'static str, TokenStream)>,
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

pub(crate) fn companion(kind: &'static Kind, attr: &HandlerAttr, func: &HandlerFn) -> Companion {
    Companion {
        kind,
        runtime: Runtime::new(attr.krate.as_ref()),
        cfgs: conditions(&func.attrs),
        vis: func.vis.clone(),
        ident: kind.companion(&func.ident),
        wire_name: wire_name(attr, func),
    }
}

/// Checks everything and lowers it; after any error there is no handler.
pub(crate) fn handler(
    kind: &Kind,
    attr: HandlerAttr,
    func: &HandlerFn,
    args: Vec<ArgAttr>,
    errors: &Errors,
) -> Option<HandlerIr> {
    check_name(kind, &attr, func, errors);
    check_signature(kind, func, errors);
    check_args(kind, func, &args, errors);
    if errors.has_errors() {
        return None;
    }
    let receiver = func.inputs.iter().find_map(lower_receiver);
    Some(HandlerIr {
        func: func.ident.clone(),
        is_associated: receiver.is_some() || is_set(attr.in_impl.as_ref()),
        is_async: func.qualifiers.asyncness.is_some(),
        receiver,
        params: func.inputs.iter().zip(args).filter_map(|(input, arg)| lower_param(input, arg)).collect(),
        returned: lower_output(func),
        hints: lower_hints(&attr),
        title: attr.title,
        description: attr.description.or_else(|| doc::text(&func.attrs)),
        icons: attr.icons.into_iter().filter_map(lower_icon).collect(),
        meta: attr.meta,
        timeout_millis: attr.timeout_millis,
        is_blocking: is_set(attr.blocking.as_ref()),
    })
}

fn is_set(flag: Option<&LitBool>) -> bool {
    flag.is_some_and(LitBool::value)
}

fn wire_name(attr: &HandlerAttr, func: &HandlerFn) -> LitStr {
    let of_func = || LitStr::new(&func.ident.unraw().to_string(), Span::mixed_site());
    attr.name.clone().unwrap_or_else(of_func)
}

fn check_name(kind: &Kind, attr: &HandlerAttr, func: &HandlerFn, errors: &Errors) {
    match &attr.name {
        Some(name) => check_called_name(kind, &name.value(), name, errors),
        None => check_called_name(kind, &func.ident.unraw().to_string(), &func.ident, errors),
    }
}

/// `None` for what the checks have refused.
fn lower_receiver(input: &Input) -> Option<ReceiverIr> {
    let InputKind::Receiver(receiver) = &input.kind else {
        return None;
    };
    let passing = match access(receiver) {
        Access::Lent => Passing::Lent,
        Access::Shared => Passing::Taken,
        Access::Mutable | Access::Other => return None,
    };
    Some(ReceiverIr { passing, span: receiver.self_token.span })
}

fn lower_output(func: &HandlerFn) -> Returned {
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

fn lower_hints(attr: &HandlerAttr) -> Vec<Hint> {
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

/// `None` for what the checks have refused.
fn lower_icon(icon: IconAttr) -> Option<IconIr> {
    let settings = [("mime_type", icon.mime_type), ("sizes", icon.sizes), ("theme", icon.theme)];
    let written = settings.into_iter().filter_map(|(method, value)| Some((method, value?)));
    Some(IconIr { src: icon.src?, settings: written.collect() })
}
