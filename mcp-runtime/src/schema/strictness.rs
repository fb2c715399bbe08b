//! Which schemas are stricter than the deserializer of their type.

use serde_json::{Map, Value};

use super::integers::integer_bounds;

/// Whether a value can break the schema and be deserialized all the same, so that it has to be walked. To be asked of a
/// schema as it was derived, whose formats tell the integer types.
pub(super) fn is_stricter_than_serde(schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    schema.iter().any(|(keyword, value)| match keyword.as_str() {
        "type" => !is_simple_type(value) || is_struct(schema, value),
        "description" | "title" | "default" | "examples" => false,
        // Of a number that is too large, an `f32` becomes infinite.
        "format" => value == "float",
        "minimum" | "maximum" => !is_bound_of_type(schema, keyword),
        "items" => is_stricter_than_serde(value),
        "additionalProperties" => *value != Value::Bool(true) && (value.is_boolean() || is_stricter_than_serde(value)),
        _ => true,
    })
}

/// One type, or one or null.
fn is_simple_type(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(names) => names.len() == 2 && names.iter().any(|name| name == "null"),
        _ => false,
    }
}

/// Whether an object is that of a struct, even one without members, which deserializes from an array too.
fn is_struct(schema: &Map<String, Value>, types: &Value) -> bool {
    let is_object =
        types == "object" || types.as_array().is_some_and(|names| names.iter().any(|name| name == "object"));
    is_object && !schema.contains_key("additionalProperties")
}

/// Whether a bound is that of the integer type that the format names, which deserializing keeps.
fn is_bound_of_type(schema: &Map<String, Value>, keyword: &str) -> bool {
    let Some((least, most)) = integer_bounds(schema) else { return false };
    let of_type = if keyword == "minimum" { least } else { most };
    schema.get(keyword).and_then(Value::as_i64) == of_type
}
