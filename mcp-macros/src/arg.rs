//! The attributes `#[arg(…)]` and `#[args]` of a parameter: [`Attribute`] -> [`ArgAttr`].

use proc_macro2::TokenStream;
use syn::Attribute;

use crate::diag::{Errors, arg as diag};
use crate::entries::list_of;
use crate::keys;
use crate::kind::Kind;
use crate::model::{ArgAttr, HandlerFn, Input, InputKind};

/// One for each input of the function, in order.
pub(crate) fn read(kind: &Kind, func: &HandlerFn, errors: &Errors) -> Vec<ArgAttr> {
    func.inputs.iter().map(|input| read_input(kind, input, errors)).collect()
}

fn read_input(kind: &Kind, input: &Input, errors: &Errors) -> ArgAttr {
    // A receiver has none at all, which is checked later.
    if let InputKind::Receiver(_) = input.kind {
        return ArgAttr::default();
    }
    let named = |name| move |attr: &&Attribute| attr.path().is_ident(name);
    let lists = input.attrs.iter().filter(named("arg")).filter_map(|attr| keys_of(attr, errors));
    let whole = input.attrs.iter().find(named("args"));
    ArgAttr { whole: whole.cloned(), ..keys::arg_attr(kind, lists, errors) }
}

fn keys_of(attr: &Attribute, errors: &Errors) -> Option<TokenStream> {
    list_of(attr).or_else(|| {
        errors.push(diag::arg_has_no_keys(attr));
        None
    })
}

/// The attributes that a parameter keeps, of those that rustc allows there.
pub(crate) fn is_kept_on_parameter(attr: &Attribute) -> bool {
    let kept = ["cfg", "allow", "expect", "warn", "deny", "forbid"];
    kept.iter().any(|name| attr.path().is_ident(name))
}
