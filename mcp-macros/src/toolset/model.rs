//! What the user wrote.

use proc_macro2::{Group, TokenStream};
use syn::{Attribute, Generics, Ident, Path, Type, Visibility, WhereClause};

/// The keys of `#[toolset(…)]`.
#[derive(Default)]
pub(crate) struct ToolsetAttr {
    pub(crate) name: Option<Ident>,
    pub(crate) krate: Option<Path>,
}

/// An `impl` block.
pub(crate) struct Block {
    /// All tokens in front of the body.
    pub(crate) head: TokenStream,
    pub(crate) attrs: Vec<Attribute>,
    /// Without the `where` clause, which has a place of its own.
    pub(crate) generics: Generics,
    /// The trait of a trait `impl`.
    pub(crate) of_trait: Option<Type>,
    pub(crate) self_ty: Type,
    pub(crate) where_clause: Option<WhereClause>,
    pub(crate) body: Group,
    pub(crate) items: Vec<Item>,
}

/// One item of the block; its tokens are kept as they are.
pub(crate) enum Item {
    Func(Func),
    /// `getter!(left);`
    Macro(Path, TokenStream),
    Other(TokenStream),
}

pub(crate) struct Func {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) has_receiver: bool,
    /// Everything behind the attributes.
    pub(crate) rest: TokenStream,
}
