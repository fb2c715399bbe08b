//! What may stand behind a key: tokens -> typed value.

use std::time::Duration;

use proc_macro2::{Literal, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Error, Ident, Lit, LitBool, LitStr, Path, Result};

use crate::bounds::{Number, exact, has_dots, parse_range};
use crate::dates::is_date;
use crate::diag::keys as diag;
use crate::entries::{Form, Key};
use crate::model::Bounds;
use crate::tokens::first_span;

impl Key {
    /// `key = "text"`
    pub(crate) fn string(&self) -> Result<LitStr> {
        let value = self.value(diag::not_a_string)?;
        syn::parse2(value.clone()).map_err(|_| diag::not_a_string(&self.ident, &value))
    }

    /// `key = expression`, of a text
    pub(crate) fn text(&self) -> Result<TokenStream> {
        self.value(diag::missing_text)
    }

    /// `key = expression`
    pub(crate) fn expr(&self) -> Result<TokenStream> {
        self.value(diag::missing_value)
    }

    /// `key = expression`, of a function that completes
    pub(crate) fn completer(&self) -> Result<TokenStream> {
        self.value(diag::missing_completer)
    }

    /// `key` or `key = expression`
    pub(crate) fn optional_expr(&self) -> Result<Option<TokenStream>> {
        match self.form {
            Form::Flag => Ok(None),
            _ => self.expr().map(Some),
        }
    }

    /// `key` or `key = true` or `key = false`
    pub(crate) fn flag(&self) -> Result<LitBool> {
        if let Form::Flag = self.form {
            return Ok(LitBool::new(true, self.ident.span()));
        }
        let value = self.value(diag::not_a_bool)?;
        syn::parse2(value.clone()).map_err(|_| diag::not_a_bool(&self.ident, &value))
    }

    /// `key = 0..=20`
    pub(crate) fn range(&self) -> Result<Bounds> {
        let value = self.value(diag::not_a_range)?;
        let range = parse_range(&value).ok_or_else(|| diag::not_a_range(&self.ident, &value))?;
        if range.is_empty() {
            return Err(diag::range_is_empty(&self.ident, &value));
        }
        Ok(range)
    }

    /// `key = 1..=80` or `key = 5`, of a length
    pub(crate) fn range_or_exact(&self) -> Result<Bounds> {
        let value = self.value(diag::not_a_length)?;
        let range = match parse_range(&value) {
            None if has_dots(&value) => return Err(diag::not_a_length(&self.ident, &value)),
            None => exact(&value),
            Some(range) => range,
        };
        if range.is_empty_of_lengths() {
            return Err(diag::no_length(&self.ident, &value));
        }
        Ok(range)
    }

    /// `key = 30` or `key = 0.5`, in whole milliseconds
    pub(crate) fn millis(&self) -> Result<u64> {
        let value = self.value(diag::not_seconds)?;
        let millis = syn::parse2(value.clone()).ok().and_then(|literal| millis(&literal));
        millis.ok_or_else(|| diag::not_seconds(&self.ident, &value))
    }

    /// `key = 300` or `key = 0`, in whole milliseconds
    pub(crate) fn ttl_millis(&self) -> Result<u64> {
        let value = self.value(diag::not_a_ttl)?;
        let ttl = syn::parse2(value.clone()).ok().and_then(|literal| ttl_millis(&literal));
        ttl.ok_or_else(|| diag::not_a_ttl(&self.ident, &value))
    }

    /// `key = 4096` or `key = expression`
    pub(crate) fn size(&self) -> Result<TokenStream> {
        self.literal_or_expr(&|value| diag::not_a_size(&self.ident, value), &|literal| match literal {
            Lit::Int(int) => matches!(int.suffix(), "" | "u64") && int.base10_parse::<u64>().is_ok(),
            _ => false,
        })
    }

    /// `key = 0.5`, `key = 1` or `key = expression`
    pub(crate) fn priority(&self) -> Result<TokenStream> {
        let value = self.value(diag::not_a_priority)?;
        match Number::read(&value).and_then(|number| number.to_f64()) {
            Some(number) if (0.0..=1.0).contains(&number) => Ok(float(number, &value)),
            None if syn::parse2::<Lit>(value.clone()).is_err() => Ok(value),
            _ => Err(diag::not_a_priority(&self.ident, &value)),
        }
    }

    /// `key = "2026-07-28T09:00:00Z"` or `key = expression`
    pub(crate) fn date(&self) -> Result<TokenStream> {
        let is_right = |literal: &Lit| matches!(literal, Lit::Str(text) if is_date(&text.value()));
        self.literal_or_expr(&|value| diag::not_a_date(&self.ident, value), &is_right)
    }

    /// `key = "dark"` or `key = expression`
    pub(crate) fn one_of(&self, words: [&str; 2]) -> Result<TokenStream> {
        let is_right = |literal: &Lit| matches!(literal, Lit::Str(text) if words.contains(&text.value().as_str()));
        self.literal_or_expr(&|value| diag::not_one_of(&self.ident, value, words), &is_right)
    }

    /// `key = a::b`
    pub(crate) fn path(&self) -> Result<Path> {
        let value = self.value(diag::not_a_path)?;
        Path::parse_mod_style.parse2(value.clone()).map_err(|_| match self.quoted_path() {
            Some(path) => diag::path_in_quotes(&self.ident, &value, &path),
            None => diag::not_a_path(&self.ident, &value),
        })
    }

    /// `key = "a::b"`, which is no path yet
    pub(crate) fn quoted_path(&self) -> Option<Path> {
        let Form::Value(_, value) = &self.form else {
            return None;
        };
        let quoted: LitStr = syn::parse2(value.clone()).ok()?;
        quoted.parse_with(Path::parse_mod_style).ok()
    }

    /// `key(…)`
    pub(crate) fn list(&self) -> Result<TokenStream> {
        if let Form::List(group) = &self.form {
            return Ok(group.stream());
        }
        let value = self.value(diag::not_a_list)?;
        Err(diag::not_a_list(&self.ident, &value))
    }

    /// The value after `=`, or the error that `wrong` makes of the key and of what stands in the value's place.
    fn value(&self, wrong: fn(&Ident, &TokenStream) -> Error) -> Result<TokenStream> {
        self.value_or(&|place| wrong(&self.ident, place))
    }

    /// Compares a literal; any other expression is the compiler's.
    fn literal_or_expr(
        &self,
        wrong: &dyn Fn(&TokenStream) -> Error,
        is_right: &dyn Fn(&Lit) -> bool,
    ) -> Result<TokenStream> {
        let value = self.value_or(wrong)?;
        match syn::parse2(value.clone()) {
            Ok(literal) if !is_right(&literal) => Err(wrong(&value)),
            _ => Ok(value),
        }
    }

    fn value_or(&self, wrong: &dyn Fn(&TokenStream) -> Error) -> Result<TokenStream> {
        match &self.form {
            Form::Value(_, value) if !value.is_empty() => Ok(value.clone()),
            Form::Value(equals, _) => Err(wrong(&equals.to_token_stream())),
            Form::Flag => Err(wrong(&self.ident.to_token_stream())),
            Form::List(group) => Err(wrong(&group.to_token_stream())),
        }
    }
}

/// A literal number of seconds above zero, without a suffix.
fn millis(literal: &Lit) -> Option<u64> {
    let millis = u64::try_from(duration(literal)?.as_millis()).ok()?;
    (millis > 0).then_some(millis)
}

/// The same with zero, which is not to be kept at all; so what is only close to it must not become that.
fn ttl_millis(literal: &Lit) -> Option<u64> {
    millis(literal).or_else(|| duration(literal)?.is_zero().then_some(0))
}

/// A literal number of seconds, without a suffix.
fn duration(literal: &Lit) -> Option<Duration> {
    let digits = match literal {
        Lit::Int(int) if int.suffix().is_empty() => int.base10_digits(),
        Lit::Float(float) if float.suffix().is_empty() => float.base10_digits(),
        _ => return None,
    };
    Duration::try_from_secs_f64(digits.parse().ok()?).ok()
}

/// `1` as `1.0`, in the place of the user's.
fn float(number: f64, place: &TokenStream) -> TokenStream {
    let mut literal = Literal::f64_unsuffixed(number);
    literal.set_span(first_span(place.clone()).unwrap_or_else(Span::mixed_site));
    literal.to_token_stream()
}
