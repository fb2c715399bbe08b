//! What a schema wants, in words for a model.

use serde_json::{Map, Value};

use crate::json::text;

/// What a schema without a union wants, in its own words: `integer from 0 to 255`.
pub(super) fn kind(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(values)) = schema.get("enum") {
        return one_of(values);
    }
    if let Some(value) = schema.get("const") {
        return text(value);
    }
    let name = match schema.get("type") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "another value".to_owned(),
    };
    let size = |least: &str, most: &str, unit: &str| {
        let (least, most) = (schema.get(least), schema.get(most));
        let range = range(least, most)?;
        let plural = if most.or(least).is_some_and(|last| *last == 1) { "" } else { "s" };
        Some(format!(" of {range} {unit}{plural}"))
    };
    let bounds = match name.as_str() {
        "integer" | "number" => numeric_bounds(schema),
        "string" => size("minLength", "maxLength", "character"),
        "array" => size("minItems", "maxItems", "item"),
        _ => None,
    };
    name + &bounds.unwrap_or_default()
}

fn numeric_bounds(schema: &Map<String, Value>) -> Option<String> {
    let range = numeric_range(schema.get("minimum"), schema.get("maximum"));
    let below = schema.get("exclusiveMaximum").map(|bound| format!(" below {}", text(bound)));
    let range = match (range, below) {
        (Some(range), Some(below)) => Some(format!("{range} and{below}")),
        (range, below) => range.or(below),
    };
    match excluded(schema) {
        Some(value) => Some(format!("{} but not {}", range.unwrap_or_default(), text(value))),
        None => range,
    }
}

/// The one value that a type leaves out: that of an integer which is not zero.
pub(super) fn excluded(schema: &Map<String, Value>) -> Option<&Value> {
    schema.get("not")?.get("const")
}

fn numeric_range(least: Option<&Value>, most: Option<&Value>) -> Option<String> {
    Some(match (least, most) {
        (Some(least), Some(most)) => format!(" from {} to {}", text(least), text(most)),
        (Some(least), None) => format!(" of at least {}", text(least)),
        (None, Some(most)) => format!(" of at most {}", text(most)),
        (None, None) => return None,
    })
}

fn range(least: Option<&Value>, most: Option<&Value>) -> Option<String> {
    Some(match (least, most) {
        (Some(least), Some(most)) if least == most => text(least),
        (Some(least), Some(most)) => format!("{} to {}", text(least), text(most)),
        (Some(least), None) => format!("at least {}", text(least)),
        (None, Some(most)) => format!("at most {}", text(most)),
        (None, None) => return None,
    })
}

pub(super) fn one_of(values: &[Value]) -> String {
    match values {
        [value] => text(value),
        values => format!("one of {}", values.iter().map(text).collect::<Vec<_>>().join(", ")),
    }
}
