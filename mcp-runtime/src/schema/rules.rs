//! What is changed in every schema that `schemars` derives, so that clients can read it.
//!
//! Each rule names who needs it. The rules of results are fewer: a result's schema says what serde really writes.

use serde_json::{Map, Number, Value, json};

use super::integers::integer_bounds;
use crate::protocol::content::CONTENT_MARKER;

/// Which schemas a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// What a model sends.
    Input,
    /// What a tool returns.
    Output,
}

/// A rule changes one schema object; its subschemas come after it.
struct Rule {
    change: fn(&mut Map<String, Value>),
    input_only: bool,
}

const fn always(change: fn(&mut Map<String, Value>)) -> Rule {
    Rule { change, input_only: false }
}

const fn input(change: fn(&mut Map<String, Value>)) -> Rule {
    Rule { change, input_only: true }
}

/// The rules, in the order in which they are applied.
const RULES: &[Rule] = &[
    input(close_std_types),
    always(spell_integer_keys),
    always(bound_sized_integers),
    always(drop_unregistered_format),
    always(drop_content_marker),
    always(fold_documented_variants),
    always(give_items),
    always(describe_anything),
    input(drop_unique_items),
    input(make_optionals_plain),
    always(split_type_union),
];

/// Applies the rules at every depth.
pub(super) fn apply(schema: &mut Value, direction: Direction) {
    // Widely used validators expect an object where a schema stands, and discard the whole list of tools for a `true`.
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({ "not": {} }),
        _ => {}
    }
    let Value::Object(map) = schema else { return };
    for rule in RULES {
        if !rule.input_only || direction == Direction::Input {
            (rule.change)(map);
        }
    }
    for (keyword, value) in map.iter_mut() {
        below(keyword, value, &mut |schema| apply(schema, direction));
    }
}

/// Goes to the schemas that stand under a keyword. A boolean under `additionalProperties` is what clients expect there.
fn below(keyword: &str, value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match (keyword, value) {
        ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
            schemas.values_mut().for_each(visit);
        }
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => schemas.iter_mut().for_each(visit),
        ("additionalProperties" | "unevaluatedProperties", Value::Bool(_)) => {}
        (
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else"
            | "propertyNames",
            schema,
        ) => visit(schema),
        _ => {}
    }
}

/// Some types of the standard library refuse members that they do not know. `schemars` does not say so, and a model that
/// reads the schema may add some.
fn close_std_types(schema: &mut Map<String, Value>) {
    // `Duration`, `SystemTime`, `Range` and its like; the variants of `Result` and of `Bound`.
    const MEMBERS: &[&[&str]] = &[
        &["secs", "nanos"],
        &["secs_since_epoch", "nanos_since_epoch"],
        &["start", "end"],
        &["Ok"],
        &["Err"],
        &["Included"],
        &["Excluded"],
    ];
    let required: Option<Vec<&str>> =
        schema.get("required").and_then(Value::as_array).map(|names| names.iter().filter_map(Value::as_str).collect());
    let properties = schema.get("properties").and_then(Value::as_object).map_or(0, Map::len);
    if required.is_some_and(|required| required.len() == properties && MEMBERS.contains(&required.as_slice())) {
        schema.entry("additionalProperties").or_insert(Value::Bool(false));
    }
}

/// The keys of a map with integers for keys are spelt as JSON spells integers, without a zero in front.
fn spell_integer_keys(schema: &mut Map<String, Value>) {
    const SPELLINGS: &[(&str, &str)] = &[(r"^\d+$", "^(0|[1-9][0-9]*)$"), (r"^-?\d+$", "^(0|-?[1-9][0-9]*)$")];
    let Some(Value::Object(patterns)) = schema.get_mut("patternProperties") else { return };
    for (derived, exact) in SPELLINGS {
        if let Some(value) = patterns.shift_remove(*derived) {
            patterns.insert((*exact).to_owned(), value);
        }
    }
}

/// A sized integer has the bounds of its type, which `schemars` leaves to the format for most. Bounds beyond 2^53 are
/// left out: clients in JavaScript round them.
fn bound_sized_integers(schema: &mut Map<String, Value>) {
    let Some((least, most)) = integer_bounds(schema) else { return };
    for (keyword, bound) in [("minimum", least), ("maximum", most)] {
        if let Some(bound) = bound {
            schema.entry(keyword).or_insert_with(|| Number::from(bound).into());
        }
    }
}

/// Validators warn or fail on formats such as `uint8`, and some model providers accept no others than the registered.
fn drop_unregistered_format(schema: &mut Map<String, Value>) {
    const REGISTERED: &[&str] = &[
        "int32",
        "int64",
        "float",
        "double",
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "uuid",
        "regex",
    ];
    let registered = |format: &Value| format.as_str().is_some_and(|format| REGISTERED.contains(&format));
    if schema.get("format").is_some_and(|format| !registered(format)) {
        schema.shift_remove("format");
    }
}

/// A block inside of something else is data like any other.
fn drop_content_marker(schema: &mut Map<String, Value>) {
    schema.shift_remove(CONTENT_MARKER);
}

/// An enum of names stays an `enum` when its variants are documented: several clients cannot show a `oneOf` of constants,
/// so a comment would break the tool. What the comments say goes into the description.
fn fold_documented_variants(schema: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = schema.get("oneOf") else { return };
    let names: Option<Vec<Vec<Value>>> = variants.iter().map(variant_names).collect();
    let Some(names) = names.filter(|names| !names.is_empty()) else { return };
    let mut lines: Vec<String> =
        schema.get("description").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
    for (variant, names) in variants.iter().zip(&names) {
        if let ([Value::String(name)], Some(text)) =
            (names.as_slice(), variant.get("description").and_then(Value::as_str))
        {
            lines.push(format!("- `{name}`: {}", text.replace('\n', " ")));
        }
    }
    schema.shift_remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), names.concat().into());
    if !lines.is_empty() {
        schema.insert("description".into(), lines.join("\n").into());
    }
}

/// The name of a variant that is nothing but a name. Those without a comment of their own stand together.
fn variant_names(variant: &Value) -> Option<Vec<Value>> {
    let variant = variant.as_object()?;
    let is_plain = variant.keys().all(|keyword| matches!(keyword.as_str(), "const" | "enum" | "type" | "description"));
    let names = match (variant.get("const"), variant.get("enum")) {
        (Some(name), None) => vec![name.clone()],
        (None, Some(Value::Array(names))) => names.clone(),
        _ => return None,
    };
    (is_plain && names.iter().all(Value::is_string)).then_some(names)
}

/// Two widespread clients refuse a whole request for an array without `items`. A tuple of one type is an array of so
/// many; one of several types keeps its `prefixItems`, and `items` is what any of its places may hold.
fn give_items(schema: &mut Map<String, Value>) {
    if schema.get("type").and_then(Value::as_str) != Some("array") || schema.contains_key("items") {
        return;
    }
    let mut kinds: Vec<Value> = Vec::new();
    for place in schema.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
        if !kinds.contains(place) {
            kinds.push(place.clone());
        }
    }
    let items = match kinds.len() {
        0 => json!({}),
        1 => {
            schema.shift_remove("prefixItems");
            kinds.swap_remove(0)
        }
        _ => json!({ "anyOf": kinds }),
    };
    schema.insert("items".into(), items);
}

/// Grammar builders and some providers fail on a property that says nothing about itself.
fn describe_anything(schema: &mut Map<String, Value>) {
    if schema.is_empty() {
        schema.insert("description".into(), "any JSON value".into());
    }
}

/// A set takes a value twice and keeps it once; nothing is gained by refusing it.
fn drop_unique_items(schema: &mut Map<String, Value>) {
    schema.shift_remove("uniqueItems");
}

/// What is optional is the plain type and not in `required`, see [`drop_null`].
fn make_optionals_plain(schema: &mut Map<String, Value>) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties {
        let is_required = required.iter().any(|required| required == name);
        if let Some(property) = property.as_object_mut().filter(|_| !is_required) {
            drop_null(property);
            // A default of null says the same again.
            if property.get("default").is_some_and(Value::is_null) {
                property.shift_remove("default");
            }
        }
    }
}

/// Takes null out of a schema: clients and providers that understand one type name only fail on `["string", "null"]`. An
/// explicit null is accepted all the same.
pub(super) fn drop_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            schema.insert("type".into(), single);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(single)] = branches.as_slice() {
            let single = single.clone();
            schema.shift_remove("anyOf");
            for (keyword, value) in single {
                schema.entry(keyword).or_insert(value);
            }
        }
    }
}

/// A list of type names becomes a union of schemas with one each, which more clients can map to their own dialect.
fn split_type_union(schema: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = schema.get("type") else { return };
    let types = types.clone();
    let outside: Map<String, Value> = ["description", "default", "title"]
        .into_iter()
        .filter_map(|keyword| Some((keyword.to_owned(), schema.shift_remove(keyword)?)))
        .collect();
    let mut inside = std::mem::replace(schema, outside);
    if let Some(Value::Array(values)) = inside.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let branch = |name: Value| {
        let mut branch = if name == "null" { Map::new() } else { inside.clone() };
        branch.insert("type".into(), name);
        Value::Object(branch)
    };
    schema.insert("anyOf".into(), types.into_iter().map(branch).collect());
}
