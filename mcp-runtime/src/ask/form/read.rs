//! From a JSON Schema to the fields of a form.

use serde_json::{Map, Number, Value, json};

use super::field::{Choice, Choices, Field};
use crate::json::integer;
use crate::schema::integers::integer_bounds;
use crate::schema::resolve;

/// What may stand in a form.
const ALLOWED: &str = "a form has strings, numbers, booleans, choices (enums without data) and lists of choices, and each may be optional";

/// How often references and unions with null are looked through: a schema from outside may go in a circle.
const MAX_LAYERS: usize = 32;

/// The fields of a schema, in order.
///
/// # Errors
/// What is wrong with each that no form can have.
pub(super) fn fields(schema: &Value, definitions: &Map<String, Value>) -> Result<Vec<Field>, String> {
    let root = root(schema, definitions)?;
    let required: Vec<&str> =
        root.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let (mut fields, mut problems) = (Vec::new(), Vec::new());
    for (name, property) in root.get("properties").and_then(Value::as_object).into_iter().flatten() {
        match field(name, property, required.contains(&name.as_str()), definitions) {
            Ok(field) => fields.push(field),
            Err(problem) => problems.push(format!("`{name}` {problem}")),
        }
    }
    if !problems.is_empty() {
        return Err(format!("{}; {ALLOWED}", problems.join("; ")));
    }
    match required.iter().find(|name| !fields.iter().any(|field| field.name == **name)) {
        Some(name) => Err(format!("`{name}` is required and is no field of the form")),
        None => Ok(fields),
    }
}

/// The object that the form is.
fn root<'s>(schema: &'s Value, definitions: &'s Map<String, Value>) -> Result<&'s Map<String, Value>, String> {
    let wrong = |what: &str| Err(format!("a form is one object with named fields, and not {what}"));
    let root = match resolve(schema, definitions) {
        Value::Object(root) => root,
        other => return wrong(&other.to_string()),
    };
    match root.get("type") {
        None if root.contains_key("properties") => {}
        Some(ty) if ty == "object" => {}
        _ if ["oneOf", "anyOf", "enum"].iter().any(|keyword| root.contains_key(*keyword)) => {
            return wrong("one of several");
        }
        Some(Value::String(ty)) => return wrong(&with_article(ty)),
        Some(Value::Array(_)) => return wrong("one of several"),
        _ => return wrong("any value"),
    }
    if let Some(keyword) = ["oneOf", "anyOf", "allOf"].iter().find(|keyword| root.contains_key(**keyword)) {
        return wrong(&format!("one with `{keyword}`"));
    }
    if root.get("additionalProperties").is_some_and(Value::is_object) {
        return wrong("a map");
    }
    Ok(root)
}

fn with_article(ty: &str) -> String {
    match ty {
        "null" => "nothing".to_owned(),
        "array" => "a list".to_owned(),
        "integer" | "object" => format!("an {ty}"),
        ty => format!("a {ty}"),
    }
}

/// Reads a field; what is wrong is said so that it can follow the name.
fn field(name: &str, schema: &Value, is_required: bool, definitions: &Map<String, Value>) -> Result<Field, String> {
    let (mut schema, takes_null) = plain(schema, definitions);
    let ty = ty(&schema)?;
    let choices = match ty {
        "string" => choices(&schema, definitions)?,
        "array" => Some(list_choices(&schema, definitions)?),
        "boolean" => None,
        _ if schema.contains_key("enum") || schema.contains_key("const") => {
            return Err("is a choice of numbers, and choices are strings".to_owned());
        }
        _ => None,
    };
    let default = schema.shift_remove("default").filter(|default| !default.is_null());
    let (bounds, unshown) = bounds(&schema, ty, choices.is_some());
    Ok(Field {
        name: name.to_owned(),
        is_required: is_required && !takes_null,
        ty,
        texts: picked(&schema, &["title", "description"]),
        bounds,
        unshown,
        choices,
        default,
    })
}

/// A schema without references and without null, and whether it took null.
fn plain(schema: &Value, definitions: &Map<String, Value>) -> (Map<String, Value>, bool) {
    let mut plain = schema.as_object().cloned().unwrap_or_default();
    let mut takes_null = false;
    for _ in 0..MAX_LAYERS {
        takes_null |= drop_null(&mut plain);
        let inner = if let Some(reference) = plain.shift_remove("$ref") {
            let reference = json!({ "$ref": reference });
            Some(resolve(&reference, definitions).clone()).filter(|target| *target != reference)
        } else {
            only_branch(&mut plain)
        };
        let Some(Value::Object(inner)) = inner else { break };
        // What stands outside is about the field, and what stands inside about its type.
        for (keyword, value) in inner {
            plain.entry(keyword).or_insert(value);
        }
    }
    (plain, takes_null)
}

/// Takes null out of a schema; whether there was any.
fn drop_null(schema: &mut Map<String, Value>) -> bool {
    let mut had_null = false;
    let mut retain = |values: &mut Vec<Value>, is_null: fn(&Value) -> bool| {
        let before = values.len();
        values.retain(|value| !is_null(value));
        had_null |= values.len() < before;
    };
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        retain(types, |name| name == "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            schema.insert("type".to_owned(), single);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        retain(values, Value::is_null);
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get_mut(union) {
            retain(branches, |branch| branch.get("type").is_some_and(|name| name == "null"));
        }
    }
    had_null
}

/// The branch of a union that has no other, unless it is a choice.
fn only_branch(schema: &mut Map<String, Value>) -> Option<Value> {
    let union = ["anyOf", "oneOf", "allOf"].into_iter().find(|union| {
        let branches = schema.get(*union).and_then(Value::as_array);
        branches
            .is_some_and(|branches| branches.len() == 1 && branches.iter().all(|branch| branch.get("const").is_none()))
    })?;
    match schema.shift_remove(union)? {
        Value::Array(mut branches) => branches.pop(),
        _ => None,
    }
}

/// Which type of field it is.
fn ty(schema: &Map<String, Value>) -> Result<&'static str, String> {
    match schema.get("type") {
        Some(Value::String(name)) => match name.as_str() {
            "string" => Ok("string"),
            "integer" => Ok("integer"),
            "number" => Ok("number"),
            "boolean" => Ok("boolean"),
            "array" => Ok("array"),
            "object" if schema.get("additionalProperties").is_some_and(Value::is_object) => Err("is a map".to_owned()),
            "null" => Err("holds nothing".to_owned()),
            other => Err(format!("is {}", with_article(other))),
        },
        Some(_) => Err("is of several types".to_owned()),
        None if is_choice_of_strings(schema) => Ok("string"),
        None if ["anyOf", "oneOf"].iter().any(|union| schema.contains_key(*union)) => {
            Err("is one of several types, or an enum with data".to_owned())
        }
        None => Err("does not say of which type it is".to_owned()),
    }
}

/// Whether a schema without a type names strings all the same.
fn is_choice_of_strings(schema: &Map<String, Value>) -> bool {
    let branches = ["anyOf", "oneOf"].iter().find_map(|union| schema.get(*union)?.as_array());
    let names_strings = |schema: &Map<String, Value>| {
        let values = schema.get("enum").and_then(Value::as_array);
        schema.get("const").is_some_and(Value::is_string)
            || values.is_some_and(|values| values.iter().any(Value::is_string))
    };
    names_strings(schema)
        || branches.is_some_and(|branches| {
            !branches.is_empty() && branches.iter().all(|branch| branch.as_object().is_some_and(names_strings))
        })
}

/// The choices of a string, or none if it may be any.
fn choices(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Result<Option<Choices>, String> {
    let branches = ["oneOf", "anyOf"].iter().find_map(|union| schema.get(*union)?.as_array());
    let mut choices = Vec::new();
    if let Some(branches) = branches {
        for branch in branches {
            let (branch, _) = plain(branch, definitions);
            let values = values(&branch)?.ok_or("is one of several kinds of strings")?;
            let title = label(&branch, &values);
            choices.extend(values.into_iter().map(|value| Choice { value, title: title.clone() }));
        }
    } else if let Some(values) = values(schema)? {
        choices.extend(values.into_iter().map(|value| Choice { value, title: None }));
    } else {
        return Ok(None);
    }
    if choices.is_empty() {
        return Err("has nothing to choose from".to_owned());
    }
    let names = schema.get("enumNames").and_then(Value::as_array);
    if let Some(names) = names {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        if names.len() != choices.len() {
            return Err(format!("needs a name in `enumNames` for each of its {} choices", choices.len()));
        }
        for (choice, name) in choices.iter_mut().zip(names) {
            choice.title = Some(name.to_owned());
        }
    }
    Ok(Some(Choices { choices, has_enum_names: names.is_some() }))
}

/// The values that a schema lists.
fn values(schema: &Map<String, Value>) -> Result<Option<Vec<String>>, String> {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(Value::Array(values))) => values,
        _ => return Ok(None),
    };
    let strings: Option<Vec<String>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    strings.map(Some).ok_or_else(|| "is a choice of other values than strings".to_owned())
}

/// What the user reads instead of a value: its title, and what its comment says, up to the first empty line. The value is
/// left out where there is a title, and not where there is a comment only, which may make no sense without it.
fn label(branch: &Map<String, Value>, values: &[String]) -> Option<String> {
    let text = |keyword: &str| branch.get(keyword).and_then(Value::as_str).filter(|text| !text.is_empty());
    let comment =
        text("description").and_then(|comment| comment.split("\n\n").next()).map(|comment| comment.replace('\n', " "));
    match (text("title"), values, comment) {
        (Some(title), _, Some(comment)) => Some(format!("{title}: {comment}")),
        (Some(title), _, None) => Some(title.to_owned()),
        (None, [value], Some(comment)) => Some(format!("{value}: {comment}")),
        _ => None,
    }
}

/// The choices of a list.
fn list_choices(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Result<Choices, String> {
    let items = schema.get("items").ok_or("is a list of anything")?;
    let (items, _) = plain(items, definitions);
    let is_string = ty(&items).is_ok_and(|ty| ty == "string");
    let choices = if is_string { choices(&items, definitions)? } else { None };
    choices.ok_or_else(|| "is a list of other things than choices".to_owned())
}

/// What restricts a value: what a client checks too, and what only we do.
fn bounds(schema: &Map<String, Value>, ty: &str, is_choice: bool) -> (Map<String, Value>, Map<String, Value>) {
    let mut unshown = picked(schema, &["pattern", "exclusiveMinimum", "exclusiveMaximum", "not"]);
    let mut bounds = match ty {
        "string" if is_choice => Map::new(),
        "string" => picked(schema, &["minLength", "maxLength", "format"]),
        "array" => picked(schema, &["minItems", "maxItems"]),
        "integer" | "number" => picked(schema, &["minimum", "maximum"]),
        _ => Map::new(),
    };
    if let Some(format) = bounds.get("format").and_then(Value::as_str) {
        if !["email", "uri", "date", "date-time"].contains(&format) {
            bounds.shift_remove("format");
        }
    }
    if ty == "integer" {
        if let Some((least, most)) = integer_bounds(schema) {
            for (keyword, bound) in [("minimum", least), ("maximum", most)] {
                if let Some(bound) = bound {
                    bounds.entry(keyword).or_insert_with(|| Number::from(bound).into());
                }
            }
        }
        bounds.values_mut().for_each(spell_integer);
    }
    // Of a number that is too large, an `f32` becomes infinite.
    if ty == "number" {
        unshown.extend(picked(schema, &["format"]));
    }
    (bounds, unshown)
}

/// Clients that know integers fail on `1.0` for one.
fn spell_integer(bound: &mut Value) {
    let plain = bound.as_number().and_then(|number| integer(&number.to_string())?.parse::<i64>().ok());
    if let Some(plain) = plain {
        *bound = plain.into();
    }
}

/// The keywords that are there with a value of their kind.
fn picked(schema: &Map<String, Value>, keywords: &[&str]) -> Map<String, Value> {
    let fits = |keyword: &str, value: &Value| match keyword {
        "title" | "description" | "format" | "pattern" => value.is_string(),
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        "not" => value.is_object(),
        _ => value.is_number(),
    };
    schema
        .iter()
        .filter(|(keyword, value)| keywords.contains(&keyword.as_str()) && fits(keyword, value))
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}
