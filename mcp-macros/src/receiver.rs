//! The receivers that a handler may have: the runtime holds one value in an `Arc`, and calls run at the same time.

use syn::{Lifetime, Type};

use crate::diag::{Errors, signature as diag};
use crate::kind::Kind;
use crate::model::Receiver;
use crate::types::{as_reference, last_segment};

/// How a receiver gets at the value.
pub(crate) enum Access {
    /// `&self`, `self: &Self`
    Lent,
    /// `self: Arc<Self>`
    Shared,
    /// `&mut self`
    Mutable,
    /// `self`, `self: Box<Self>` and what else there may be.
    Other,
}

pub(crate) fn access(receiver: &Receiver) -> Access {
    match (&receiver.reference, &receiver.ty) {
        (Some(_), _) if receiver.mutability.is_some() => Access::Mutable,
        (Some(_), _) => Access::Lent,
        (None, Some((_, ty))) => access_of_type(ty),
        (None, None) => Access::Other,
    }
}

fn access_of_type(ty: &Type) -> Access {
    match as_reference(ty) {
        Some(reference) if reference.mutability.is_some() => Access::Mutable,
        Some(reference) if is_pointer(&reference.elem) => Access::Other,
        Some(_) => Access::Lent,
        None if last_segment(ty).is_some_and(|last| last.ident == "Arc") => Access::Shared,
        None => Access::Other,
    }
}

/// `&Arc<Self>` is no reference to the value.
fn is_pointer(ty: &Type) -> bool {
    let pointers = ["Arc", "Box", "Pin", "Rc"];
    last_segment(ty).is_none_or(|last| pointers.iter().any(|pointer| last.ident == pointer))
}

pub(crate) fn check_receiver(kind: &Kind, receiver: &Receiver, errors: &Errors) {
    match access(receiver) {
        Access::Lent | Access::Shared => {}
        Access::Mutable => errors.push(diag::receiver_is_mutable(kind, receiver)),
        Access::Other => errors.push(diag::receiver_is_owned(kind, receiver)),
    }
    if let Some(lifetime) = lifetime(receiver).filter(|lifetime| lifetime.ident == "static") {
        errors.push(diag::receiver_is_static(kind, lifetime));
    }
}

fn lifetime(receiver: &Receiver) -> Option<&Lifetime> {
    match (&receiver.reference, &receiver.ty) {
        (Some((_, lifetime)), _) => lifetime.as_ref(),
        (None, Some((_, ty))) => as_reference(ty)?.lifetime.as_ref(),
        (None, None) => None,
    }
}
