//! About `#[toolset]` and its block.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{Error, Path, Type};

use super::{error, error_at};
use crate::kind::Kind;
use crate::source::source;

// Keys

const FORMS: &str = "write `#[toolset]`, `#[toolset(name)]`, or `crate = path` beside it";

pub(crate) fn unknown_key(key: &Ident) -> Error {
    error(key, &format_args!("unknown `#[toolset]` key `{key}`"), &FORMS)
}

pub(crate) fn name_as_value(key: &Ident, name: Option<&Ident>) -> Error {
    let help = match name {
        Some(name) => format!("write `#[toolset({name})]`"),
        None => FORMS.to_owned(),
    };
    error(key, &"`#[toolset]` takes a name without a key", &help)
}

pub(crate) fn name_is_keyword(name: &Ident) -> Error {
    error(name, &format_args!("`{name}` cannot be the name of a toolset"), &"write a name that a function may have")
}

pub(crate) fn name_is_taken(name: &Ident) -> Error {
    error(
        name,
        &format_args!("the toolset `{name}` is named like a function of its block"),
        &"give it another name, since it becomes a function beside that one",
    )
}

pub(crate) fn second_name(name: &Ident) -> Error {
    error(name, &"a toolset has one name", &"remove this one, or move its tools into another `impl` block")
}

// The block

pub(crate) fn not_a_block(keyword: &impl ToTokens) -> Error {
    let word = keyword.to_token_stream();
    let help = match word.to_string().as_str() {
        "fn" => "write `#[tool]`, and `#[toolset]` above the `impl` block that the function is in",
        _ => "write it above an `impl` block, and `#[tool]` above functions in it",
    };
    error(keyword, &format_args!("`#[toolset]` belongs on an `impl` block, not on `{word}`"), &help)
}

pub(crate) fn unreadable_block(error: &Error) -> Error {
    let what = format!("this block cannot be read as a toolset: {error}");
    error_at(error.span(), &what, &"write `impl Type { … }`")
}

pub(crate) fn block_of_trait(of_trait: &Type, self_ty: &Type) -> Error {
    let (of_trait_text, self_ty) = (source(of_trait), source(self_ty));
    error(
        of_trait,
        &format_args!("`#[toolset]` cannot be on an `impl` of the trait `{of_trait_text}`"),
        &format_args!("move its tools, prompts and resources to a block `impl {self_ty} {{ … }}`"),
    )
}

/// A named toolset has tools only.
pub(crate) fn is_empty(name: Option<&Ident>) -> Error {
    let (what, attributes) = match name {
        Some(_) => ("tool", "`#[tool]`"),
        None => ("tool, prompt or resource", "`#[tool]`, `#[prompt]` or `#[resource(\"…\")]`"),
    };
    let help = format!("write {attributes} above a function of the block");
    error_at(Span::call_site(), &format_args!("this toolset has no {what}"), &help)
}

pub(crate) fn macro_in_block(path: &Path) -> Error {
    let name = source(path);
    error(
        path,
        &format_args!("`#[toolset]` cannot look into the macro `{name}!`"),
        &"put `#[tool]` on free functions, or wrap the whole `impl` block in the macro",
    )
}

pub(crate) fn given_twice(kind: &Kind, at: &dyn ToTokens, identity: &str) -> Error {
    let plural = kind.plural;
    if kind.has_uri {
        return error(
            at,
            &format_args!("two {plural} of this block have the URI `{identity}`"),
            &"give one of them another URI",
        );
    }
    error(
        at,
        &format_args!("two {plural} of this block are named `{identity}`"),
        &format_args!("give one of them another name, by `#[{kind}(name = \"…\")]`"),
    )
}

pub(crate) fn only_tools(name: &Ident, kind: &Kind, attribute: &dyn ToTokens) -> Error {
    let plural = kind.plural;
    error(
        attribute,
        &format_args!("the named toolset `{name}` cannot have {plural}"),
        &format_args!("move this to the block with `#[toolset]` alone, or to one without it, for `{plural}![…]`"),
    )
}
