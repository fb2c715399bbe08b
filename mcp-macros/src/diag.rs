//! The collector of errors, and every text that the macros report.
//!
//! A text has two lines: what is wrong, and after `help: ` what to write instead.

pub(crate) mod arg;
pub(crate) mod form;
pub(crate) mod keys;
pub(crate) mod list;
pub(crate) mod signature;
pub(crate) mod toolset;
pub(crate) mod uri;

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Error;

/// Collects the errors of one expansion, so that all are reported at once.
#[derive(Default)]
pub(crate) struct Errors {
    list: RefCell<Vec<Error>>,
    finished: Cell<bool>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn push(&self, error: Error) {
        self.list.borrow_mut().push(error);
    }

    /// The value, or `None` after taking the error.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.list.borrow().is_empty()
    }

    /// All errors in one, for the key that they are inside of.
    pub(crate) fn into_result(self) -> syn::Result<()> {
        let combined = self.finish().into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        });
        combined.map_or(Ok(()), Err)
    }

    pub(crate) fn finish(self) -> Vec<Error> {
        self.finished.set(true);
        self.list.take()
    }

    /// The tokens, followed by the errors.
    pub(crate) fn with(self, tokens: &TokenStream) -> TokenStream {
        let errors = self.finish();
        let errors = errors.iter().map(Error::to_compile_error);
        quote!(#tokens #(#errors)*)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(self.finished.get() || std::thread::panicking(), "errors were collected but not read");
    }
}

fn error(at: &dyn ToTokens, what: &dyn Display, help: &dyn Display) -> Error {
    Error::new_spanned(at.to_token_stream(), format_args!("{what}\nhelp: {help}"))
}

/// The same where there are no tokens to point at.
fn error_at(span: Span, what: &dyn Display, help: &dyn Display) -> Error {
    Error::new(span, format_args!("{what}\nhelp: {help}"))
}
