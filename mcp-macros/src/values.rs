//! What may stand behind a key: tokens -> typed value.

use std::time::Duration;

use proc_macro2::{Literal, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Error, Ident, Lit, LitBool, LitStr, Path, Result};

use crate::bounds::{Number, exact, has_dots, parse_range};
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
        let literal: Option<Lit> = syn::parse2(value.clone()).ok();
        let duration = literal.as_ref().and_then(duration).filter(|duration| is_whole_millis_or_more(*duration));
        let millis = duration.and_then(|duration| u64::try_from(duration.as_millis()).ok());
        millis.ok_or_else(|| diag::not_a_ttl(&self.ident, &value))
    }

    /// `key = 4096` or `key = expression`
    pub(crate) fn size(&self) -> Result<TokenStream> {
        let value = self.value(diag::not_a_size)?;
        match syn::parse2::<Lit>(value.clone()) {
            Ok(Lit::Int(int)) if matches!(int.suffix(), "" | "u64") && int.base10_parse::<u64>().is_ok() => Ok(value),
            Ok(_) => Err(diag::not_a_size(&self.ident, &value)),
            Err(_) => Ok(value),
        }
    }

    /// `key = 0.5`, `key = 1` or `key = expression`
    pub(crate) fn priority(&self) -> Result<TokenStream> {
        let value = self.value(diag::not_a_priority)?;
        let number = Number::read(&value).and_then(|number| number.to_f64());
        match number {
            Some(number) if (0.0..=1.0).contains(&number) => Ok(float(number, &value)),
            None if syn::parse2::<Lit>(value.clone()).is_err() => Ok(value),
            _ => Err(diag::not_a_priority(&self.ident, &value)),
        }
    }

    /// `key = "2026-07-28T09:00:00Z"` or `key = expression`
    pub(crate) fn date(&self) -> Result<TokenStream> {
        let value = self.value(diag::not_a_date)?;
        match syn::parse2::<Lit>(value.clone()) {
            Ok(Lit::Str(text)) if is_date(&text.value()) => Ok(value),
            Ok(_) => Err(diag::not_a_date(&self.ident, &value)),
            Err(_) => Ok(value),
        }
    }

    /// `key = "dark"` or `key = expression`
    pub(crate) fn one_of(&self, words: [&str; 2]) -> Result<TokenStream> {
        let wrong = |value: &TokenStream| diag::not_one_of(&self.ident, value, words);
        let value = self.value_or(&wrong)?;
        match syn::parse2::<Lit>(value.clone()) {
            Ok(Lit::Str(text)) if words.contains(&text.value().as_str()) => Ok(value),
            Ok(_) => Err(wrong(&value)),
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
        self.value_or(&|place| wrong(&self.ident, place))
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

/// A literal number of seconds, without a suffix.
fn duration(literal: &Lit) -> Option<Duration> {
    let digits = match literal {
        Lit::Int(int) if int.suffix().is_empty() => int.base10_digits(),
        Lit::Float(float) if float.suffix().is_empty() => float.base10_digits(),
        _ => return None,
    };
    Duration::try_from_secs_f64(digits.parse().ok()?).ok()
}

/// Zero means not to keep it at all, so what is only close to zero must not become that.
fn is_whole_millis_or_more(duration: Duration) -> bool {
    duration.is_zero() || duration.as_millis() > 0
}

/// `1` as `1.0`, in the place of the user's.
fn float(number: f64, place: &TokenStream) -> TokenStream {
    let mut literal = Literal::f64_unsuffixed(number);
    literal.set_span(first_span(place.clone()).unwrap_or_else(Span::mixed_site));
    literal.to_token_stream()
}

/// A date of ISO 8601, alone or with a time of day: `2026-07-28`, `2026-07-28T09:00:00.5Z`, `2026-07-28T09:00+02:00`.
fn is_date(text: &str) -> bool {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    has_shape(date, "0000-00-00") && time.is_none_or(is_time)
}

fn is_time(text: &str) -> bool {
    let end = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (clock, offset) = text.split_at_checked(end).unwrap_or((text, ""));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit());
    let is_clock = has_shape(clock, "00:00:00") || (has_shape(clock, "00:00") && fraction == "0");
    is_clock && is_fraction && (matches!(offset, "" | "Z") || has_shape(&offset.replace('-', "+"), "+00:00"))
}

/// Whether the text has digits where the shape has zeros, and is the same elsewhere.
fn has_shape(text: &str, shape: &str) -> bool {
    let same = |(found, expected): (char, char)| match expected {
        '0' => found.is_ascii_digit(),
        other => found == other,
    };
    text.chars().count() == shape.chars().count() && text.chars().zip(shape.chars()).all(same)
}
