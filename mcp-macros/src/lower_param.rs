//! One parameter: the model of it and of its attributes -> [`ParamIr`].

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{LitStr, parse2};

use crate::doc;
use crate::model::{ArgAttr, Bounds, High, Input, InputKind, Keyed, Param, Pattern};
use crate::types::as_reference;

/// One parameter, which is one argument or something injected; its type decides at compile time.
pub(crate) struct ParamIr {
    pub(crate) wire_name: LitStr,
    pub(crate) source: Source,
    pub(crate) passing: Passing,
    /// Of a lent parameter the type behind the reference.
    pub(crate) ty: TokenStream,
    pub(crate) settings: Vec<Setting>,
}

/// Where the value of a parameter comes from.
pub(crate) enum Source {
    /// From one argument, or from the server, as the type decides.
    Any,
    /// The whole arguments object.
    Whole,
    /// From the server, because no variable of the URI has this name.
    Server { name: Span },
}

pub(crate) enum Passing {
    Taken,
    Lent,
}

/// A method of the parameter's builder.
pub(crate) struct Setting {
    pub(crate) method: &'static str,
    /// Where to report what the parameter's type lacks for it.
    pub(crate) span: Span,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// The expression itself.
    Given(TokenStream),
    /// An expression that a closure evaluates.
    Made(TokenStream),
    /// A string that a closure converts.
    Text(LitStr),
    /// The default of the type.
    TypeDefault,
}

/// The name on the wire; `None` for what has none.
pub(crate) fn argument_name(input: &Input, arg: &ArgAttr) -> Option<LitStr> {
    let InputKind::Param(Param { pattern: Pattern::Name(_, ident), .. }) = &input.kind else {
        return None;
    };
    Some(name_or(arg.rename.as_ref(), ident))
}

/// The name that is written, or else that of the function or parameter.
pub(crate) fn name_or(written: Option<&LitStr>, ident: &Ident) -> LitStr {
    written.cloned().unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), Span::mixed_site()))
}

/// `None` for what the checks have refused, and for a receiver. `variables` are those of a URI.
pub(crate) fn lower_param(input: &Input, arg: ArgAttr, variables: Option<&[String]>) -> Option<ParamIr> {
    let InputKind::Param(Param { pattern: Pattern::Name(_, ident), ty, .. }) = &input.kind else {
        return None;
    };
    let (passing, ty) = match as_reference(ty) {
        Some(reference) => (Passing::Lent, reference.elem.to_token_stream()),
        None => (Passing::Taken, ty.to_token_stream()),
    };
    let wire_name = argument_name(input, &arg)?;
    let source = match variables {
        _ if arg.whole.is_some() => Source::Whole,
        Some(variables) if !variables.contains(&wire_name.value()) => Source::Server { name: ident.span() },
        _ => Source::Any,
    };
    // Nobody sends what the server provides, so there is nothing to say about it.
    let settings = if let Source::Any = source { lower_settings(input, arg) } else { Vec::new() };
    Some(ParamIr { wire_name, source, passing, ty, settings })
}

fn lower_settings(input: &Input, arg: ArgAttr) -> Vec<Setting> {
    let mut settings = Vec::new();
    let mut push = |method, span, value| settings.push(Setting { method, span, value });
    match arg.description {
        Some(text) => push("description", text.key.span(), Value::Given(text.value)),
        None => {
            if let Some(text) = doc::text(&input.attrs) {
                push("description", Span::mixed_site(), Value::Given(text));
            }
        }
    }
    push_bounds(&mut push, arg.range, "at_least", |_| ["at_most", "less_than"]);
    // The second end does not ask for the length of the type again, or its lack would be two errors.
    push_bounds(&mut push, arg.len, "min_len", |has_low| {
        if has_low { ["__mcp_max_len", "__mcp_shorter_than"] } else { ["max_len", "shorter_than"] }
    });
    if let Some(pattern) = arg.pattern {
        push("pattern", pattern.key.span(), Value::Given(pattern.value));
    }
    if let Some(header) = arg.header {
        push("header", header.key.span(), Value::Given(header.value.to_token_stream()));
    }
    if let Some(complete) = arg.complete {
        push("complete", complete.key.span(), Value::Given(complete.value));
    }
    for example in arg.examples {
        push("__mcp_example", example.key.span(), made(example.value));
    }
    if let Some(default) = arg.default {
        push("__mcp_default", default.key.span(), default.value.map_or(Value::TypeDefault, made));
    }
    settings
}

/// Each end by itself, so that the compiler compares its type with the parameter's.
fn push_bounds(
    push: &mut impl FnMut(&'static str, Span, Value),
    bounds: Option<Keyed<Bounds>>,
    low: &'static str,
    high: fn(has_low: bool) -> [&'static str; 2],
) {
    let Some(Keyed { key, value }) = bounds else {
        return;
    };
    let [included, excluded] = high(value.low.is_some());
    if let Some(end) = value.low {
        push(low, key.span(), Value::Given(end));
    }
    match value.high {
        Some(High::Included(end)) => push(included, key.span(), Value::Given(end)),
        Some(High::Excluded(end)) => push(excluded, key.span(), Value::Given(end)),
        None => {}
    }
}

/// A string literal stands for what it converts into, such as a `String`.
fn made(value: TokenStream) -> Value {
    match parse2(value.clone()) {
        Ok(text) => Value::Text(text),
        Err(_) => Value::Made(value),
    }
}
