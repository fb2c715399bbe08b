//! [`HandlerAttr`] and [`HandlerFn`] -> [`HandlerIr`]: all checks, names and texts.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{Ident, LitBool, LitStr, ReturnType, Visibility};

use crate::check::{check_called_name, check_shown_name, check_signature};
use crate::check_args::check_args;
use crate::conditional::conditions;
use crate::diag::Errors;
use crate::doc;
use crate::kind::Kind;
use crate::lower_param::{ParamIr, Passing, lower_param, name_or};
use crate::lower_uri::lower_uri;
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
    /// What it is known by: the name, and the URI of a resource.
    pub(crate) identity: Vec<LitStr>,
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
    /// Further methods of the companion's type, and their arguments.
    pub(crate) facts: Vec<(&'static str, TokenStream)>,
    pub(crate) icons: Vec<IconIr>,
    pub(crate) meta: Option<TokenStream>,
    pub(crate) ttl_millis: Option<u64>,
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

pub(crate) fn companion(kind: &'static Kind, attr: &HandlerAttr, func: &HandlerFn) -> Companion {
    Companion {
        kind,
        runtime: Runtime::new(attr.krate.as_ref()),
        cfgs: conditions(&func.attrs),
        vis: func.vis.clone(),
        ident: kind.companion(&func.ident),
        identity: identity(kind, attr, func),
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
    let variables = attr.uri.as_ref().map(|uri| lower_uri(uri, func, &args, errors));
    if errors.has_errors() {
        return None;
    }
    let receiver = func.inputs.iter().find_map(lower_receiver);
    let params = func.inputs.iter().zip(args);
    Some(HandlerIr {
        func: func.ident.clone(),
        is_associated: receiver.is_some() || is_set(attr.in_impl.as_ref()),
        is_async: func.qualifiers.asyncness.is_some(),
        receiver,
        params: params.filter_map(|(input, arg)| lower_param(input, arg, variables.as_deref())).collect(),
        returned: lower_output(func),
        facts: lower_facts(&attr),
        title: attr.title,
        description: attr.description.or_else(|| doc::text(&func.attrs)),
        icons: attr.icons.into_iter().filter_map(lower_icon).collect(),
        meta: attr.meta,
        ttl_millis: attr.ttl_millis,
        timeout_millis: attr.timeout_millis,
        is_blocking: is_set(attr.blocking.as_ref()),
    })
}

fn is_set(flag: Option<&LitBool>) -> bool {
    flag.is_some_and(LitBool::value)
}

fn wire_name(attr: &HandlerAttr, func: &HandlerFn) -> LitStr {
    name_or(attr.name.as_ref(), &func.ident)
}

/// A resource whose URI is missing is known by its name twice, so that two of them in a list are no further error.
fn identity(kind: &Kind, attr: &HandlerAttr, func: &HandlerFn) -> Vec<LitStr> {
    let name = wire_name(attr, func);
    if !kind.has_uri {
        return vec![name];
    }
    let uri = attr.uri.clone().unwrap_or_else(|| name.clone());
    vec![name, uri]
}

fn check_name(kind: &Kind, attr: &HandlerAttr, func: &HandlerFn, errors: &Errors) {
    let check = if kind.has_uri { check_shown_name } else { check_called_name };
    match &attr.name {
        Some(name) => check(kind, &name.value(), name, errors),
        None => check(kind, &func.ident.unraw().to_string(), &func.ident, errors),
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

/// What is written; a hint that is not is not sent.
fn lower_facts(attr: &HandlerAttr) -> Vec<(&'static str, TokenStream)> {
    let hints = [
        ("read_only", &attr.read_only),
        ("destructive", &attr.destructive),
        ("idempotent", &attr.idempotent),
        ("open_world", &attr.open_world),
    ];
    let hints = hints.into_iter().filter_map(|(method, value)| Some((method, value.as_ref()?.to_token_stream())));
    let of_resource = [
        ("mime_type", &attr.mime_type),
        ("size", &attr.size),
        ("priority", &attr.priority),
        ("last_modified", &attr.last_modified),
        ("cache_scope", &attr.cache_scope),
    ];
    let of_resource = of_resource.into_iter().filter_map(|(method, value)| Some((method, value.clone()?)));
    let audience = attr.audience.iter().map(|role| ("audience", role.clone()));
    hints.chain(of_resource).chain(audience).collect()
}

/// `None` for what the checks have refused.
fn lower_icon(icon: IconAttr) -> Option<IconIr> {
    let settings = [("mime_type", icon.mime_type), ("sizes", icon.sizes), ("theme", icon.theme)];
    let written = settings.into_iter().filter_map(|(method, value)| Some((method, value?)));
    Some(IconIr { src: icon.src?, settings: written.collect() })
}
