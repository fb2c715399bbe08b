//! Types as trees.

use syn::{
    GenericArgument, Lifetime, PathArguments, PathSegment, Type, TypeImplTrait, TypeParamBound, TypePath, TypeReference,
};

/// A type without the parentheses around it, and without the invisible groups that `macro_rules!` fragments leave.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        ty => ty,
    }
}

pub(crate) fn as_reference(ty: &Type) -> Option<&TypeReference> {
    match ungrouped(ty) {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// The last segment of a path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ungrouped(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Whether a type has the name of what the server provides. Only the compiler knows what it is.
pub(crate) fn is_named_like_injected(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|last| match &last.arguments {
        PathArguments::None => last.ident == "Context",
        _ => last.ident == "State",
    })
}

/// What may be wrong somewhere in a type.
pub(crate) enum Found<'a> {
    Reference(&'a TypeReference),
    ImplTrait(&'a TypeImplTrait),
    /// In a path or a trait object; never `'static`, which owns as much as any type.
    Lifetime(&'a Lifetime),
}

/// Visits a type from outside in. Types of functions are left out: their references belong to the callee's arguments.
pub(crate) fn walk<'a>(ty: &'a Type, visit: &mut dyn FnMut(Found<'a>)) {
    match ty {
        Type::Reference(reference) => {
            visit(Found::Reference(reference));
            walk(&reference.elem, visit);
        }
        Type::ImplTrait(ty) => visit(Found::ImplTrait(ty)),
        Type::Array(ty) => walk(&ty.elem, visit),
        Type::Group(ty) => walk(&ty.elem, visit),
        Type::Paren(ty) => walk(&ty.elem, visit),
        Type::Ptr(ty) => walk(&ty.elem, visit),
        Type::Slice(ty) => walk(&ty.elem, visit),
        Type::Tuple(ty) => ty.elems.iter().for_each(|elem| walk(elem, visit)),
        Type::TraitObject(ty) => ty.bounds.iter().for_each(|bound| {
            if let TypeParamBound::Lifetime(lifetime) = bound {
                walk_lifetime(lifetime, visit);
            }
        }),
        Type::Path(ty) => walk_path(ty, visit),
        _ => {}
    }
}

fn walk_path<'a>(ty: &'a TypePath, visit: &mut dyn FnMut(Found<'a>)) {
    if let Some(qself) = &ty.qself {
        walk(&qself.ty, visit);
    }
    for segment in &ty.path.segments {
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
            continue;
        };
        for argument in &arguments.args {
            match argument {
                GenericArgument::Type(ty) => walk(ty, visit),
                GenericArgument::AssocType(assoc) => walk(&assoc.ty, visit),
                GenericArgument::Lifetime(lifetime) => walk_lifetime(lifetime, visit),
                _ => {}
            }
        }
    }
}

fn walk_lifetime<'a>(lifetime: &'a Lifetime, visit: &mut dyn FnMut(Found<'a>)) {
    if lifetime.ident != "static" {
        visit(Found::Lifetime(lifetime));
    }
}
