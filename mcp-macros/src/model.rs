//! What the user wrote, node by node, with its spans. Nothing here decides anything.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt as _};
use syn::punctuated::Punctuated;
use syn::{
    Abi, Attribute, Generics, Ident, Lifetime, LitBool, LitStr, Path, ReturnType, Token, Type, Visibility, WhereClause,
    token,
};

/// The keys of `#[tool(…)]` and of the attributes of other kinds, which have some of them.
#[derive(Default)]
pub(crate) struct HandlerAttr {
    pub(crate) uri: Option<LitStr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<TokenStream>,
    pub(crate) description: Option<TokenStream>,
    pub(crate) read_only: Option<LitBool>,
    pub(crate) destructive: Option<LitBool>,
    pub(crate) idempotent: Option<LitBool>,
    pub(crate) open_world: Option<LitBool>,
    pub(crate) mime_type: Option<TokenStream>,
    pub(crate) size: Option<TokenStream>,
    pub(crate) priority: Option<TokenStream>,
    pub(crate) audience: Vec<TokenStream>,
    pub(crate) last_modified: Option<TokenStream>,
    pub(crate) ttl_millis: Option<u64>,
    pub(crate) cache_scope: Option<TokenStream>,
    pub(crate) icons: Vec<IconAttr>,
    pub(crate) meta: Option<TokenStream>,
    pub(crate) blocking: Option<LitBool>,
    pub(crate) timeout_millis: Option<u64>,
    pub(crate) krate: Option<Path>,
    /// Set by `#[toolset]`, for a function without a receiver.
    pub(crate) in_impl: Option<LitBool>,
}

/// The keys of `icon(…)`.
#[derive(Default)]
pub(crate) struct IconAttr {
    pub(crate) src: Option<TokenStream>,
    pub(crate) mime_type: Option<TokenStream>,
    pub(crate) sizes: Option<TokenStream>,
    pub(crate) theme: Option<TokenStream>,
}

/// The keys of all `#[arg(…)]` of one parameter, and its `#[args]`.
#[derive(Default)]
pub(crate) struct ArgAttr {
    pub(crate) whole: Option<Attribute>,
    pub(crate) default: Option<Keyed<Option<TokenStream>>>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) range: Option<Keyed<Bounds>>,
    pub(crate) len: Option<Keyed<Bounds>>,
    pub(crate) pattern: Option<Keyed<TokenStream>>,
    pub(crate) description: Option<Keyed<TokenStream>>,
    pub(crate) examples: Vec<Keyed<TokenStream>>,
    pub(crate) header: Option<Keyed<LitStr>>,
    pub(crate) complete: Option<Keyed<TokenStream>>,
}

/// The keys of `#[form(…)]`.
#[derive(Default)]
pub(crate) struct FormAttr {
    pub(crate) krate: Option<Path>,
}

/// A value and the key in front of it.
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// `0..=20`, or the exact `5`, whose two ends are the same.
pub(crate) struct Bounds {
    pub(crate) whole: TokenStream,
    pub(crate) low: Option<TokenStream>,
    pub(crate) high: Option<High>,
}

/// The upper end of a range.
pub(crate) enum High {
    /// `..=20`
    Included(TokenStream),
    /// `..20`
    Excluded(TokenStream),
}

/// A function; its body (or semicolon) is kept as tokens.
#[derive(Clone)]
pub(crate) struct HandlerFn {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) fn_token: Token![fn],
    pub(crate) ident: Ident,
    /// Without the `where` clause, which has a place of its own.
    pub(crate) generics: Generics,
    pub(crate) paren_token: token::Paren,
    pub(crate) inputs: Punctuated<Input, Token![,]>,
    pub(crate) output: ReturnType,
    pub(crate) where_clause: Option<WhereClause>,
    pub(crate) body: TokenStream,
}

/// The words that may stand before `fn`.
#[derive(Clone)]
pub(crate) struct Qualifiers {
    pub(crate) constness: Option<Token![const]>,
    pub(crate) asyncness: Option<Token![async]>,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) abi: Option<Abi>,
}

/// One entry between the parentheses of a function.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) kind: InputKind,
}

#[derive(Clone)]
pub(crate) enum InputKind {
    Receiver(Receiver),
    Variadic(TokenStream),
    Param(Param),
}

/// `self`, in any of its forms.
#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) reference: Option<(Token![&], Option<Lifetime>)>,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) self_token: Token![self],
    pub(crate) ty: Option<(Token![:], Box<Type>)>,
}

/// `pattern: Type`
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) pattern: Pattern,
    pub(crate) colon_token: Token![:],
    pub(crate) ty: Box<Type>,
}

/// What stands before the colon of a parameter.
#[derive(Clone)]
pub(crate) enum Pattern {
    Name(Option<Token![mut]>, Ident),
    Other(TokenStream),
}

impl ToTokens for HandlerFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        self.qualifiers.to_tokens(tokens);
        self.fn_token.to_tokens(tokens);
        self.ident.to_tokens(tokens);
        self.generics.to_tokens(tokens);
        self.paren_token.surround(tokens, |tokens| self.inputs.to_tokens(tokens));
        self.output.to_tokens(tokens);
        self.where_clause.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

impl ToTokens for Qualifiers {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.constness.to_tokens(tokens);
        self.asyncness.to_tokens(tokens);
        self.unsafety.to_tokens(tokens);
        self.abi.to_tokens(tokens);
    }
}

impl ToTokens for Input {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        match &self.kind {
            InputKind::Receiver(receiver) => receiver.to_tokens(tokens),
            InputKind::Variadic(rest) => rest.to_tokens(tokens),
            InputKind::Param(param) => {
                param.pattern.to_tokens(tokens);
                param.colon_token.to_tokens(tokens);
                param.ty.to_tokens(tokens);
            }
        }
    }
}

impl ToTokens for Receiver {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if let Some((and, lifetime)) = &self.reference {
            and.to_tokens(tokens);
            lifetime.to_tokens(tokens);
        }
        self.mutability.to_tokens(tokens);
        self.self_token.to_tokens(tokens);
        if let Some((colon, ty)) = &self.ty {
            colon.to_tokens(tokens);
            ty.to_tokens(tokens);
        }
    }
}

impl ToTokens for Pattern {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Pattern::Name(mutability, ident) => {
                mutability.to_tokens(tokens);
                ident.to_tokens(tokens);
            }
            Pattern::Other(pattern) => pattern.to_tokens(tokens),
        }
    }
}
