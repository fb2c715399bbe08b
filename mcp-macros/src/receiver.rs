//! The receivers that a tool may have: the runtime holds one value in an `Arc`, and calls run at the same time.

use syn::{Lifetime, Type};

use crate::diag::{self, Errors};
use crate::model::Receiver;
use crate::types::{as_reference, last_segment};

pub(crate) enum Kind {
    /// `&self`, `self: &Self`
    Lent,
    /// `self: Arc<Self>`
    Shared,
    /// `&mut self`
    Mutable,
    /// `self`, `self: Box<Self>` and what else there may be.
    Other,
}

pub(crate) fn kind(receiver: &Receiver) -> Kind {
    match (&receiver.reference, &receiver.ty) {
        (Some(_), _) if receiver.mutability.is_some() => Kind::Mutable,
        (Some(_), _) => Kind::Lent,
        (None, Some((_, ty))) => kind_of_type(ty),
        (None, None) => Kind::Other,
    }
}

fn kind_of_type(ty: &Type) -> Kind {
    match as_reference(ty) {
        Some(reference) if reference.mutability.is_some() => Kind::Mutable,
        Some(reference) if is_pointer(&reference.elem) => Kind::Other,
        Some(_) => Kind::Lent,
        None if last_segment(ty).is_some_and(|last| last.ident == "Arc") => Kind::Shared,
        None => Kind::Other,
    }
}

/// `&Arc<Self>` is no reference to the value.
fn is_pointer(ty: &Type) -> bool {
    let pointers = ["Arc", "Box", "Pin", "Rc"];
    last_segment(ty).is_none_or(|last| pointers.iter().any(|pointer| last.ident == pointer))
}

pub(crate) fn check_receiver(receiver: &Receiver, errors: &Errors) {
    match kind(receiver) {
        Kind::Lent | Kind::Shared => {}
        Kind::Mutable => errors.push(diag::receiver_is_mutable(receiver)),
        Kind::Other => errors.push(diag::receiver_is_owned(receiver)),
    }
    if let Some(lifetime) = lifetime(receiver).filter(|lifetime| lifetime.ident == "static") {
        errors.push(diag::receiver_is_static(lifetime));
    }
}

fn lifetime(receiver: &Receiver) -> Option<&Lifetime> {
    match (&receiver.reference, &receiver.ty) {
        (Some((_, lifetime)), _) => lifetime.as_ref(),
        (None, Some((_, ty))) => as_reference(ty)?.lifetime.as_ref(),
        (None, None) => None,
    }
}
