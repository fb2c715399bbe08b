//! What may stand behind a key: tokens -> typed value.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Error, Ident, Lit, LitBool, LitStr, Path, Result};

use crate::bounds::{exact, has_dots, parse_range};
use crate::diag::keys as diag;
use crate::entries::{Form, Key};
use crate::model::Bounds;

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

    /// `key = "dark"` or `key = expression`
    pub(crate) fn theme(&self) -> Result<TokenStream> {
        let value = self.value(diag::not_a_theme)?;
        match syn::parse2::<Lit>(value.clone()) {
            Ok(Lit::Str(theme)) if matches!(theme.value().as_str(), "dark" | "light") => Ok(value),
            Ok(_) => Err(diag::not_a_theme(&self.ident, &value)),
            Err(_) => Ok(value),
        }
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
        match &self.form {
            Form::Value(_, value) if !value.is_empty() => Ok(value.clone()),
            Form::Value(equals, _) => Err(wrong(&self.ident, &equals.to_token_stream())),
            Form::Flag => Err(wrong(&self.ident, &self.ident.to_token_stream())),
            Form::List(group) => Err(wrong(&self.ident, &group.to_token_stream())),
        }
    }
}

/// A literal number of seconds above zero, without a suffix.
fn millis(literal: &Lit) -> Option<u64> {
    let digits = match literal {
        Lit::Int(int) if int.suffix().is_empty() => int.base10_digits(),
        Lit::Float(float) if float.suffix().is_empty() => float.base10_digits(),
        _ => return None,
    };
    let duration = Duration::try_from_secs_f64(digits.parse().ok()?).ok()?;
    let millis = u64::try_from(duration.as_millis()).ok()?;
    (millis > 0).then_some(millis)
}
