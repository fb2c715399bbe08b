//! Ranges of values and lengths: `range = 0..=20`, `len = 1..`.
//!
//! The ends are expressions of any kind, and stay tokens. Where they are literals they are compared here; the rest is
//! for the compiler, and for the start of the server.

use std::cmp::Ordering;

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::Lit;

use crate::model::{Bounds, High};
use crate::tokens::{is_punct, ungrouped};

/// `0..=20`, `0..20`, `0..`, `..20`; `None` without `..`, or without what has to stand beside it.
pub(crate) fn parse_range(value: &TokenStream) -> Option<Bounds> {
    let tokens: Vec<TokenTree> = ungrouped(value.clone()).into_iter().collect();
    let dots = position_of_dots(&tokens)?;
    let (low, rest) = tokens.split_at_checked(dots)?;
    let (dots, rest) = rest.split_at_checked(2)?;
    let is_joint = dots.last().is_some_and(is_joint_dot);
    let (included, high) = match rest.split_first() {
        Some((equals, high)) if is_joint && is_punct(equals, '=') => (true, high),
        _ => (false, rest),
    };
    // Not the old `...`, and not `0..=` or `..`.
    if high.first().is_some_and(|first| is_punct(first, '.')) || (high.is_empty() && (included || low.is_empty())) {
        return None;
    }
    let given = |tokens: &[TokenTree]| (!tokens.is_empty()).then(|| tokens.iter().cloned().collect());
    let high = given(high).map(if included { High::Included } else { High::Excluded });
    Some(Bounds { whole: value.clone(), low: given(low), high })
}

/// Whether it is meant to be a range.
pub(crate) fn has_dots(value: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = ungrouped(value.clone()).into_iter().collect();
    position_of_dots(&tokens).is_some()
}

fn position_of_dots(tokens: &[TokenTree]) -> Option<usize> {
    tokens.windows(2).position(|pair| matches!(pair, [a, b] if is_joint_dot(a) && is_punct(b, '.')))
}

/// `5`
pub(crate) fn exact(value: &TokenStream) -> Bounds {
    Bounds { whole: value.clone(), low: Some(value.clone()), high: Some(High::Included(value.clone())) }
}

fn is_joint_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == '.' && found.spacing() == Spacing::Joint)
}

impl Bounds {
    /// Whether literals show that no value can be inside.
    pub(crate) fn is_empty(&self) -> bool {
        self.low.as_ref().and_then(Number::read).is_some_and(|low| self.is_above(&low))
    }

    /// The same for lengths, which begin at zero.
    pub(crate) fn is_empty_of_lengths(&self) -> bool {
        self.is_empty() || self.is_above(&Number::of_length(0))
    }

    /// Whether literals show that the number is outside.
    pub(crate) fn excludes(&self, number: &Number) -> bool {
        let low = self.low.as_ref().and_then(Number::read);
        low.is_some_and(|low| number.compare(&low) == Some(Ordering::Less)) || self.is_above(number)
    }

    /// Whether the number is above the upper end.
    fn is_above(&self, number: &Number) -> bool {
        let compare = |high| Number::read(high).and_then(|high| number.compare(&high));
        match &self.high {
            Some(High::Included(high)) => compare(high) == Some(Ordering::Greater),
            Some(High::Excluded(high)) => matches!(compare(high), Some(Ordering::Greater | Ordering::Equal)),
            None => false,
        }
    }
}

/// A literal number with its sign. Integers are compared exactly.
pub(crate) struct Number {
    digits: String,
}

impl Number {
    /// `None` for anything but a literal.
    pub(crate) fn read(tokens: &TokenStream) -> Option<Self> {
        let mut tokens: Vec<TokenTree> = ungrouped(tokens.clone()).into_iter().collect();
        let literal = tokens.pop()?;
        let sign = match tokens.as_slice() {
            [] => "",
            [minus] if is_punct(minus, '-') => "-",
            _ => return None,
        };
        let digits = match syn::parse2(literal.into()).ok()? {
            Lit::Int(int) => int.base10_digits().to_owned(),
            Lit::Float(float) => float.base10_digits().to_owned(),
            _ => return None,
        };
        Some(Self { digits: format!("{sign}{digits}") })
    }

    pub(crate) fn of_length(length: usize) -> Self {
        Self { digits: length.to_string() }
    }

    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.digits.parse::<i128>(), other.digits.parse::<i128>()) {
            (Ok(a), Ok(b)) => Some(a.cmp(&b)),
            _ => self.to_f64()?.partial_cmp(&other.to_f64()?),
        }
    }

    pub(crate) fn to_f64(&self) -> Option<f64> {
        self.digits.parse().ok()
    }
}
