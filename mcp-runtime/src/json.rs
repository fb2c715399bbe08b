//! JSON looked at one level at a time, with every number as it was written: a tree of values would round integers
//! beyond 2^64 and floats.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Reads a JSON text. It is given as bytes, which are checked once more: of a key that should be a boolean, as in
/// `BTreeMap<bool, T>`, `serde_json` 1.0.154 takes the text from the second byte on, and that need not be one. And a type that
/// is read from strings too is compiled twice.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    serde_json::from_slice(text.as_bytes())
}

/// Reads a JSON text as a tree. `serde_json` itself reads trees from strings, so these are the exception.
pub(crate) fn tree(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text)
}

/// The text of a value. Its own formatting is code of its own, too, twice: for people and for programs.
pub(crate) fn text(value: &Value) -> String {
    // A tree has no key that is no string, and nothing else can fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// One level of a JSON text. What is inside of an array or an object stays raw.
#[derive(Debug)]
pub(crate) enum View<'a> {
    Null,
    Bool,
    /// The digits as they stand.
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<&'a RawValue>),
    Object(Vec<(Cow<'a, str>, &'a RawValue)>),
}

impl<'a> View<'a> {
    /// Looks at a text; `None` if it is not JSON.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        Some(match *text.as_bytes().first()? {
            b'n' => Self::Null,
            b't' | b'f' => Self::Bool,
            b'"' => Self::String(parse::<Str<'a>>(text).ok()?.0),
            b'[' => Self::Array(parse(text).ok()?),
            b'{' => Self::Object(members(parse(text).ok()?)?),
            _ => Self::Number(text),
        })
    }

    /// What JSON Schema calls it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number(digits) if integer(digits).is_some() => "integer",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

/// A string, borrowed where it holds no escapes.
#[derive(serde::Deserialize)]
pub(crate) struct Str<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// The members of an object, in order and with those that are there twice: neither keys nor values are read.
pub(crate) struct RawMembers<'a>(pub(crate) Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for RawMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(&'de RawValue, &'de RawValue)>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Collect).map(RawMembers)
    }
}

/// The same members with their keys, if each of these stands for a string.
fn members(RawMembers(members): RawMembers<'_>) -> Option<Vec<(Cow<'_, str>, &RawValue)>> {
    members.into_iter().map(|(key, value)| Some((parse::<Str<'_>>(key.get()).ok()?.0, value))).collect()
}

/// The most digits that an integer is spelt out with. No integer type has more.
const MAX_DIGITS: usize = 40;

/// A number as an integer in plain digits, if it is one: `30.0`, `3e1` and `30` are all `30`, and `-0.0` is `0`.
pub(crate) fn integer(number: &str) -> Option<Cow<'_, str>> {
    if !number.contains(['.', 'e', 'E']) {
        return Some(if number == "-0" { Cow::Borrowed("0") } else { Cow::Borrowed(number) });
    }
    let (sign, unsigned) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Cow::Borrowed("0"));
    }
    let exponent: i64 = exponent.parse().ok()?;
    // How many digits stand before the decimal point once the exponent is applied.
    let leading_zeros = whole.len() + fraction.len() - digits.len();
    let point =
        i64::try_from(whole.len()).ok()?.checked_sub(i64::try_from(leading_zeros).ok()?)?.checked_add(exponent)?;
    let point = usize::try_from(point).ok().filter(|point| *point <= MAX_DIGITS)?;
    let (before, after) = digits.split_at_checked(point).unwrap_or((digits, ""));
    if !after.bytes().all(|digit| digit == b'0') {
        return None;
    }
    Some(Cow::Owned(format!("{sign}{before}{}", "0".repeat(point.saturating_sub(before.len())))))
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn reads_numbers_without_a_fraction_as_integers() {
        for (number, expected) in [
            ("30", "30"),
            ("30.0", "30"),
            ("-30.000", "-30"),
            ("1e2", "100"),
            ("1.5E1", "15"),
            ("1500e-2", "15"),
            ("-0.0", "0"),
            ("-0", "0"),
            ("0e99999999999999999", "0"),
            ("0.001e3", "1"),
            ("12345678901234567890123.0", "12345678901234567890123"),
            ("1e30", "1000000000000000000000000000000"),
        ] {
            assert_eq!(integer(number).as_deref(), Some(expected), "{number}");
        }
    }

    #[test]
    fn reads_no_other_number_as_an_integer() {
        for number in ["30.5", "1e-1", "1.55e1", "1e41", "1e99999999999999999999", "0.1"] {
            assert_eq!(integer(number), None, "{number}");
        }
    }
}
