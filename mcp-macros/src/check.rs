//! What the signature and the name of a handler must not contain. Every function here only reports.

use quote::ToTokens;
use syn::{GenericParam, Ident, ReturnType, Type, TypeImplTrait, TypeParamBound};

use crate::diag::{Errors, signature as diag};
use crate::kind::Kind;
use crate::model::{HandlerFn, Input, InputKind, Param, Pattern};
use crate::receiver::check_receiver;
use crate::types::{Found, as_reference, last_segment, walk};

/// Checks everything except the name of the handler and the attributes of parameters.
pub(crate) fn check_signature(kind: &Kind, func: &HandlerFn, errors: &Errors) {
    check_qualifiers(kind, func, errors);
    check_generics(kind, func, errors);
    for input in &func.inputs {
        check_input(kind, input, errors);
    }
    if let ReturnType::Type(_, ty) = &func.output {
        check_result_type(kind, ty, func.qualifiers.asyncness.is_some(), errors);
    }
}

/// Checks the characters and the length of a name that clients call.
pub(crate) fn check_called_name(kind: &Kind, name: &str, at: &dyn ToTokens, errors: &Errors) {
    let allowed = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let length = name.chars().count();
    if name.is_empty() {
        errors.push(diag::name_is_empty(kind, at));
    } else if let Some(bad) = name.chars().find(|c| !allowed(c)) {
        let better = name.chars().map(|c| if allowed(&c) { c } else { '_' });
        errors.push(diag::bad_name_character(kind, at, bad, &better.collect::<String>()));
    } else if length > MAX_NAME_CHARS {
        errors.push(diag::name_is_too_long(kind, at, length));
    }
}

/// Checks a name that clients only show.
pub(crate) fn check_shown_name(kind: &Kind, name: &str, at: &dyn ToTokens, errors: &Errors) {
    if name.is_empty() {
        errors.push(diag::shown_name_is_empty(kind, at));
    }
}

const MAX_NAME_CHARS: usize = 128;

fn check_qualifiers(kind: &Kind, func: &HandlerFn, errors: &Errors) {
    if let Some(token) = &func.qualifiers.constness {
        errors.push(diag::qualifier(kind, token));
    }
    if let Some(token) = &func.qualifiers.unsafety {
        errors.push(diag::is_unsafe(kind, token));
    }
    if let Some(abi) = &func.qualifiers.abi {
        errors.push(diag::qualifier(kind, abi));
    }
}

/// Lifetime parameters are legal; what may be wrong is their use, which is reported there.
fn check_generics(kind: &Kind, func: &HandlerFn, errors: &Errors) {
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    if !func.generics.params.iter().all(is_lifetime) {
        errors.push(diag::is_generic(kind, &func.generics));
    }
    if let Some(clause) = &func.where_clause {
        errors.push(diag::has_where_clause(kind, clause));
    }
}

fn check_input(kind: &Kind, input: &Input, errors: &Errors) {
    match &input.kind {
        InputKind::Receiver(receiver) => check_receiver(kind, receiver, errors),
        InputKind::Variadic(dots) => errors.push(diag::is_variadic(kind, dots)),
        InputKind::Param(param) => {
            check_pattern(kind, param, errors);
            check_parameter_type(kind, &param.ty, errors);
        }
    }
}

fn check_pattern(kind: &Kind, param: &Param, errors: &Errors) {
    if let Pattern::Other(pattern) = &param.pattern {
        let name = suggested_name(&param.ty);
        errors.push(if pattern.to_string() == "_" {
            diag::parameter_has_no_name(kind, pattern, &name, &param.ty)
        } else {
            diag::parameter_is_a_pattern(kind, pattern, &name, &param.ty)
        });
    }
}

/// `DateRange` -> `date_range`; `value` where the type has no name of its own that is free.
fn suggested_name(ty: &Type) -> String {
    let name = last_segment(ty).map(|last| &last.ident);
    let mut snake = String::new();
    for c in name.map_or(String::new(), Ident::to_string).chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    // A primitive type, or a keyword.
    let is_free = name.is_some_and(|name| *name != snake) && syn::parse_str::<Ident>(&snake).is_ok();
    if is_free { snake } else { "value".to_owned() }
}

fn check_parameter_type(kind: &Kind, whole: &Type, errors: &Errors) {
    let inner = match as_reference(whole) {
        Some(reference) if reference.mutability.is_some() => {
            errors.push(diag::parameter_is_mutable(kind, reference));
            return;
        }
        Some(reference) => {
            if let Some(lifetime) = reference.lifetime.as_ref().filter(|it| it.ident != "_") {
                errors.push(diag::parameter_names_lifetime(kind, lifetime, whole));
            }
            &reference.elem
        }
        None => whole,
    };
    walk(inner, &mut |found| match found {
        Found::Reference(reference) => {
            errors.push(diag::parameter_contains_reference(kind, reference, whole));
        }
        Found::ImplTrait(ty) => errors.push(diag::parameter_is_impl_trait(kind, ty)),
        Found::Lifetime(lifetime) if lifetime.ident == "_" => {}
        Found::Lifetime(lifetime) => errors.push(diag::parameter_names_lifetime(kind, lifetime, whole)),
    });
}

fn check_result_type(kind: &Kind, ty: &Type, is_async: bool, errors: &Errors) {
    walk(ty, &mut |found| match found {
        Found::Reference(reference) => {
            let lifetime = reference.lifetime.as_ref();
            if lifetime.is_none_or(|lifetime| lifetime.ident != "static") {
                errors.push(diag::result_borrows(kind, reference));
            }
        }
        Found::ImplTrait(ty) if !is_async && is_future(ty) => {
            errors.push(diag::result_is_impl_future(kind, ty));
        }
        Found::ImplTrait(ty) => errors.push(diag::result_is_impl_trait(kind, ty)),
        Found::Lifetime(lifetime) => errors.push(diag::result_names_lifetime(kind, lifetime)),
    });
}

fn is_future(ty: &TypeImplTrait) -> bool {
    ty.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|segment| segment.ident == "Future")
        }
        _ => false,
    })
}
