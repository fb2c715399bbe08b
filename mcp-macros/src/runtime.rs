//! The path of the runtime crate in the output: `::mcp_runtime`, unless `crate = path` names another.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::Path;

use crate::lower::first_span;

#[derive(Clone)]
pub(crate) struct Runtime {
    path: TokenStream,
}

impl Runtime {
    /// Takes the path of the key `crate`.
    pub(crate) fn new(krate: Option<&Path>) -> Self {
        let Some(krate) = krate else {
            return Self { path: quote_spanned!(Span::mixed_site()=> ::mcp_runtime) };
        };
        // Lints see that the output is not the user's. The hygiene of `$crate` is what says which crate it is.
        let is_ours = krate.segments.first().is_none_or(|first| first.ident != "$crate");
        let path = krate.to_token_stream().into_iter().map(|mut token| {
            if is_ours {
                token.set_span(token.span().resolved_at(Span::mixed_site()));
            }
            token
        });
        Self { path: path.collect() }
    }

    /// Takes the `$crate` that our `macro_rules!` wrapper gives.
    pub(crate) fn of_wrapper(path: TokenStream) -> Self {
        Self { path }
    }

    pub(crate) fn path(&self) -> &TokenStream {
        &self.path
    }

    /// `::mcp_runtime::__private`
    pub(crate) fn private(&self) -> TokenStream {
        let path = &self.path;
        quote_spanned!(Span::mixed_site()=> #path::__private)
    }

    /// The same, in the place of the user's token, so that an error of the compiler is shown there.
    pub(crate) fn private_at(&self, span: Span) -> TokenStream {
        let path = self.path.clone().into_iter().map(|mut token| {
            token.set_span(span.resolved_at(token.span()));
            token
        });
        let span = self.hygienic(span);
        quote_spanned!(span=> #(#path)*::__private)
    }

    /// The place of the user's token with the hygiene of the path: spans that differ in it do not join.
    pub(crate) fn hygienic(&self, span: Span) -> Span {
        let first = first_span(self.path.clone());
        span.resolved_at(first.unwrap_or_else(Span::mixed_site))
    }
}
