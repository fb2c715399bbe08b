//! Numbers and strings with bounds, checked without a walk.
//!
//! What is accepted here is accepted by the [walk](super::check) too, and left as it stands. What is not, the walk decides,
//! which also has the words for what is wrong.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// The keywords that restrict nothing, and the type.
const ANNOTATIONS: [&str; 5] = ["type", "description", "title", "default", "examples"];

/// A schema of nothing but one type and its bounds.
#[derive(Debug)]
pub(super) enum Scalar {
    Integer(RangeInclusive<i128>),
    /// By the number of characters.
    String(RangeInclusive<usize>),
}

impl Scalar {
    /// What a schema comes to, if it is one of these.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let schema = schema.as_object()?;
        let has_only = |bounds: &[&str]| {
            let mut keywords = schema.keys().map(String::as_str);
            keywords.all(|keyword| ANNOTATIONS.contains(&keyword) || bounds.contains(&keyword))
        };
        match schema.get("type")?.as_str()? {
            // The format is that of the integer type, whose bounds are there too or kept by deserializing.
            "integer" if has_only(&["minimum", "maximum", "format"]) => {
                Some(Self::Integer(bounds(schema, "minimum", "maximum", i128::MIN, i128::MAX)?))
            }
            "string" if has_only(&["minLength", "maxLength"]) => {
                Some(Self::String(bounds(schema, "minLength", "maxLength", 0, usize::MAX)?))
            }
            _ => None,
        }
    }

    /// Whether a JSON value is accepted.
    pub(super) fn accepts(&self, text: &str) -> bool {
        match self {
            // Other spellings of an integer are for the walk, which changes them.
            Self::Integer(range) => text != "-0" && text.parse().is_ok_and(|number| range.contains(&number)),
            Self::String(range) => {
                let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                inside.is_some_and(|inside| !inside.contains('\\') && range.contains(&inside.chars().count()))
            }
        }
    }
}

/// The range that two keywords give. `None` if one of them is no whole number of the type.
fn bounds<T: TryFrom<i64> + TryFrom<u64>>(
    schema: &Map<String, Value>,
    least: &str,
    most: &str,
    min: T,
    max: T,
) -> Option<RangeInclusive<T>> {
    let bound = |keyword: &str, default: T| match schema.get(keyword) {
        None => Some(default),
        Some(bound) => match bound.as_i64() {
            Some(bound) => T::try_from(bound).ok(),
            None => bound.as_u64().and_then(|bound| T::try_from(bound).ok()),
        },
    };
    Some(bound(least, min)?..=bound(most, max)?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::Scalar;
    use crate::schema::check::{Manner, check};
    use crate::schema::pattern::Patterns;

    /// Whether a text is accepted; what is has nothing wrong with it, and is to be left as it stands.
    fn accepts(schema: &serde_json::Value, text: &str) -> bool {
        let accepted = Scalar::of(schema).expect("it is a scalar").accepts(text);
        let manner = Manner { unquote: true, ..Manner::STRICT };
        let found = check(schema, &Map::new(), &Patterns::default(), "value", text, manner);
        assert!(!accepted || (found.problems.is_empty() && found.changed.is_none()), "{schema} {text}: {found:?}");
        accepted
    }

    #[test]
    fn accepts_integers_within_bounds_as_they_are_written() {
        let schema =
            json!({ "type": "integer", "format": "uint8", "minimum": 0, "maximum": 20, "description": "many" });
        for (text, is_accepted) in [("0", true), ("20", true), ("21", false), ("-1", false), ("-0", false)] {
            assert_eq!(accepts(&schema, text), is_accepted, "{text}");
        }
        for text in ["1.0", "1e1", "\"1\"", "true", "null", "[1]"] {
            assert!(!accepts(&schema, text), "{text}");
        }
        assert!(accepts(&json!({ "type": "integer", "maximum": u64::MAX }), "18446744073709551615"));
        assert!(!accepts(&json!({ "type": "integer", "minimum": -3 }), "-4"));
    }

    #[test]
    fn accepts_strings_by_their_characters() {
        let schema = json!({ "type": "string", "minLength": 2, "maxLength": 3 });
        for (text, is_accepted) in [("\"ab\"", true), ("\"äöü\"", true), ("\"a\"", false), ("\"abcd\"", false)] {
            assert_eq!(accepts(&schema, text), is_accepted, "{text}");
        }
        for text in [r#""a\n""#, r#""\u0061b""#, "12", "null", "\""] {
            assert!(!accepts(&schema, text), "{text}");
        }
    }

    #[test]
    fn leaves_every_other_schema_to_the_walk() {
        for schema in [
            json!({ "type": ["integer", "null"], "maximum": 3 }),
            json!({ "type": "number", "maximum": 3 }),
            json!({ "type": "integer", "exclusiveMaximum": 3 }),
            json!({ "type": "integer", "maximum": 3.5 }),
            json!({ "type": "string", "pattern": "a" }),
            json!({ "type": "string", "format": "uuid" }),
            json!({ "type": "string", "enum": ["a"] }),
            json!({ "maximum": 3 }),
        ] {
            assert!(Scalar::of(&schema).is_none(), "{schema}");
        }
    }
}
