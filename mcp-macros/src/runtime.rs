//! The path of the runtime crate in the output: `::mcp_runtime`, unless `crate = path` names another.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::Path;

use crate::tokens::{first_span, last_span};

#[derive(Clone)]
pub(crate) struct Runtime {
    path: TokenStream,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// `::mcp_runtime`, or what our `macro_rules!` wrapper gives.
    Ours,
    /// The user's path.
    Given,
    /// The user's path, where [`Runtime::import`] stands in front.
    Imported,
}

impl Runtime {
    /// Takes the path of the key `crate`.
    pub(crate) fn new(krate: Option<&Path>) -> Self {
        let Some(krate) = krate else {
            return Self::of_wrapper(quote_spanned!(Span::mixed_site()=> ::mcp_runtime));
        };
        // Lints see that the output is not the user's. The hygiene of `$crate` is what says which crate it is.
        let is_dollar_crate = krate.segments.first().is_some_and(|first| first.ident == "$crate");
        let path = krate.to_token_stream().into_iter().map(|mut token| {
            if !is_dollar_crate {
                token.set_span(token.span().resolved_at(Span::mixed_site()));
            }
            token
        });
        Self { path: path.collect(), form: Form::Given }
    }

    /// Takes the `$crate` that our `macro_rules!` wrapper gives.
    pub(crate) fn of_wrapper(path: TokenStream) -> Self {
        Self { path, form: Form::Ours }
    }

    pub(crate) fn path(&self) -> &TokenStream {
        &self.path
    }

    /// `use my_facade::mcp::__private as __mcp_private;` for a path of the user's.
    pub(crate) fn import(&self) -> Option<TokenStream> {
        let private = self.private();
        let end = last_span(private.clone())?;
        (self.form == Form::Given).then(|| quote_spanned!(end=> use #private as __mcp_private;))
    }

    /// The same where [`import`](Self::import) stands in front.
    pub(crate) fn imported(&self) -> Self {
        let form = if self.form == Form::Given { Form::Imported } else { self.form };
        Self { form, ..self.clone() }
    }

    /// `::mcp_runtime::__private`
    pub(crate) fn private(&self) -> TokenStream {
        let path = &self.path;
        // The compiler reports at the end of the user's path that it does not lead here.
        let end = match self.form {
            Form::Ours => None,
            Form::Given => last_span(path.clone()),
            Form::Imported => return quote_spanned!(Span::mixed_site()=> __mcp_private),
        };
        let end = self.hygienic(end.unwrap_or_else(Span::mixed_site));
        quote_spanned!(end=> #path::__private)
    }

    /// The same, in the place of the user's token, so that an error of the compiler is shown there.
    pub(crate) fn private_at(&self, span: Span) -> TokenStream {
        let path = self.private().into_iter().map(|mut token| {
            token.set_span(span.resolved_at(token.span()));
            token
        });
        path.collect()
    }

    /// The place of the user's token with the hygiene of the path: spans that differ in it do not join.
    pub(crate) fn hygienic(&self, span: Span) -> Span {
        let first = match self.form {
            Form::Imported => None,
            Form::Ours | Form::Given => first_span(self.path.clone()),
        };
        span.resolved_at(first.unwrap_or_else(Span::mixed_site))
    }
}
