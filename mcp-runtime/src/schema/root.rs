//! The root of an input schema for a type that is the whole arguments object.

use serde_json::{Map, Value, json};

/// Closes the root and the precise schema alike, unless the type itself takes other members or `open` allows them.
pub(super) fn close(precise: &mut Value, mut root: Map<String, Value>, open: bool) -> Map<String, Value> {
    let takes_others = root.shift_remove("unevaluatedProperties").is_some();
    if !open && !takes_others {
        root.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    // A remark about the type is none about the tool.
    root.shift_remove("description");
    if let (Some(precise), Some(others)) = (precise.as_object_mut(), root.get("additionalProperties")) {
        close_branches(precise, others);
    }
    root
}

/// Each branch of a union is closed by itself: what belongs to another branch does not belong to it.
fn close_branches(schema: &mut Map<String, Value>, others: &Value) {
    let union = ["oneOf", "anyOf"].into_iter().find(|keyword| schema.contains_key(*keyword));
    let Some(union) = union else {
        schema.entry("additionalProperties").or_insert_with(|| others.clone());
        return;
    };
    let shared = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    for branch in schema.get_mut(union).and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(branch) = branch.as_object_mut() else { continue };
        if let Some(properties) = branch.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
            for (name, property) in &shared {
                properties.entry(name).or_insert_with(|| property.clone());
            }
        }
        close_branches(branch, others);
    }
}

/// An object schema without a union at its root, which big model providers refuse for the whole request. The members of
/// all branches are there, those that every branch requires are required, and a tag takes any of the branches' values.
pub(super) fn plain_object(schema: &Value) -> Option<Map<String, Value>> {
    let schema = schema.as_object()?;
    let union = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array());
    let Some(branches) = union else {
        return (schema.get("type").and_then(Value::as_str) == Some("object")).then(|| {
            let mut root = schema.clone();
            root.entry("properties").or_insert_with(|| json!({}));
            root
        });
    };
    let mut root = schema.clone();
    root.retain(|keyword, _| !matches!(keyword.as_str(), "oneOf" | "anyOf"));
    root.insert("type".into(), "object".into());
    let mut properties = root.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut required: Option<Vec<Value>> = None;
    for branch in branches {
        let branch = plain_object(branch)?;
        for (name, property) in branch.get("properties").and_then(Value::as_object).into_iter().flatten() {
            match properties.get_mut(name) {
                Some(known) => merge(known, property),
                None => drop(properties.insert(name.clone(), property.clone())),
            }
        }
        let its: Vec<Value> = branch.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        required = Some(match required {
            None => its,
            Some(all) => all.into_iter().filter(|name| its.contains(name)).collect(),
        });
    }
    let mut all: Vec<Value> = root.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    all.extend(required.unwrap_or_default());
    for property in properties.values_mut() {
        single_values_to_enum(property);
    }
    root.insert("properties".into(), Value::Object(properties));
    root.shift_remove("required");
    if !all.is_empty() {
        root.insert("required".into(), Value::Array(all));
    }
    Some(root)
}

/// Makes a schema take what another takes too.
fn merge(known: &mut Value, other: &Value) {
    if known == other {
        return;
    }
    let values = |schema: &Value| -> Option<Vec<Value>> {
        let schema = schema.as_object()?;
        schema.get("const").map(|value| vec![value.clone()]).or_else(|| schema.get("enum")?.as_array().cloned())
    };
    if let (Some(mut all), Some(more)) = (values(known), values(other)) {
        for value in more {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        *known = json!({ "type": "string", "enum": all });
        return;
    }
    match known.get_mut("anyOf").and_then(Value::as_array_mut) {
        Some(branches) if !branches.contains(other) => branches.push(other.clone()),
        Some(_) => {}
        None => *known = json!({ "anyOf": [known.take(), other] }),
    }
}

fn single_values_to_enum(property: &mut Value) {
    if let Some(property) = property.as_object_mut() {
        if let Some(value) = property.shift_remove("const") {
            property.insert("enum".into(), json!([value]));
        }
    }
}
