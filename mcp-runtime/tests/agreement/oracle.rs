//! What a published schema says, by a validator that is not ours.

use std::cell::RefCell;
use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::arguments::escaped;

/// A tool, by what it lists.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) schema: Value,
    /// For a tool whose parameter is the whole arguments object: the tool that takes the same type as one argument.
    pub(super) twin: Option<Box<Subject>>,
    validator: Validator,
    with_formats: Validator,
    /// Those of parts of the schema; compiling them takes a while.
    parts: RefCell<HashMap<String, Validator>>,
}

impl Subject {
    pub(super) fn new(tool: &Value) -> Self {
        let schema = tool["inputSchema"].clone();
        let compiled = |formats: bool| {
            jsonschema::draft202012::options()
                .should_validate_formats(formats)
                .build(&schema)
                .expect("the schema is one")
        };
        let name = tool["name"].as_str().expect("a tool has a name").to_owned();
        Self {
            name,
            validator: compiled(false),
            with_formats: compiled(true),
            parts: RefCell::default(),
            twin: None,
            schema,
        }
    }

    /// Whether the schema accepts the arguments, nulls for optional members set aside.
    pub(super) fn accepts(&self, arguments: &Value) -> bool {
        self.validator.is_valid(&self.without_nulls(&self.schema, arguments))
    }

    /// Whether the schema accepts the arguments as soon as its formats are more than a remark.
    pub(super) fn accepts_formats(&self, arguments: &Value) -> bool {
        self.with_formats.is_valid(&self.without_nulls(&self.schema, arguments))
    }

    /// Whether the schema accepts a value as its only argument, were its objects closed.
    pub(super) fn accepts_closed(&self, value: &Value) -> bool {
        let mut meant = Vec::new();
        self.expand(&self.schema["properties"]["value"], value, &mut meant);
        let names_all = |schema: &Value| {
            let is_open = schema.get("additionalProperties").is_some_and(|others| *others != false);
            let mut names = value.as_object().into_iter().flat_map(serde_json::Map::keys);
            is_open || names.all(|name| schema["properties"].get(name).is_some())
        };
        self.accepts(&json!({ "value": value })) && meant.iter().any(names_all)
    }

    /// Whether the only argument is a union.
    pub(super) fn is_union(&self) -> bool {
        branches(resolve(&self.schema, &self.schema["properties"]["value"])).is_some()
    }

    /// Whether a part of the schema accepts a value.
    pub(super) fn part_accepts(&self, part: &Value, value: &Value) -> bool {
        let mut parts = self.parts.borrow_mut();
        let validator = parts.entry(part.to_string()).or_insert_with(|| {
            let mut part = part.clone();
            if let (Some(part), Some(definitions)) = (part.as_object_mut(), self.schema.get("$defs")) {
                part.insert("$defs".to_owned(), definitions.clone());
            }
            jsonschema::draft202012::new(&part).expect("a part of a schema is one")
        });
        validator.is_valid(value)
    }

    /// Takes out every null that stands for an optional member.
    fn without_nulls(&self, schema: &Value, value: &Value) -> Value {
        if !value.to_string().contains("null") {
            return value.clone();
        }
        let schema = resolve(&self.schema, schema);
        let value = self.own_without_nulls(schema, value);
        let Some(branches) = branches(schema) else { return value };
        let accepted = branches.iter().map(|branch| (branch, self.without_nulls(branch, &value)));
        let mut accepted = accepted.filter(|(branch, value)| self.part_accepts(branch, value));
        accepted.next().map_or_else(|| value.clone(), |(_, value)| value)
    }

    fn own_without_nulls(&self, schema: &Value, value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let members = members.iter().filter_map(|(name, value)| {
                    let wanted = member_schema(schema, name);
                    let is_named = schema["properties"].get(name).is_some();
                    let is_required = requires(schema, name);
                    if value.is_null() && is_named && !is_required && !self.part_accepts(&wanted, value) {
                        return None;
                    }
                    Some((name.clone(), self.without_nulls(&wanted, value)))
                });
                Value::Object(members.collect())
            }
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.without_nulls(&item_schema(schema, index), item))
                .collect(),
            _ => value.clone(),
        }
    }

    /// The places of a value with the schemas that may be meant for them: all branches of a union at the place itself,
    /// and only those that accept the value, if any do, for what is inside.
    pub(super) fn visit(&self, value: &Value, visit: &mut dyn FnMut(&str, &Value, &[Value])) {
        self.visit_place(value, "", vec![self.schema.clone()], visit);
    }

    fn visit_place(
        &self,
        value: &Value,
        pointer: &str,
        schemas: Vec<Value>,
        visit: &mut dyn FnMut(&str, &Value, &[Value]),
    ) {
        visit(pointer, value, &schemas);
        let mut meant = Vec::new();
        for schema in &schemas {
            self.expand(schema, value, &mut meant);
        }
        let children: Vec<(String, &Value, Vec<Value>)> = match value {
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| {
                    (escaped(name), value, meant.iter().map(|schema| member_schema(schema, name)).collect())
                })
                .collect(),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    (index.to_string(), item, meant.iter().map(|schema| item_schema(schema, index)).collect())
                })
                .collect(),
            _ => Vec::new(),
        };
        for (step, child, schemas) in children {
            self.visit_place(child, &format!("{pointer}/{step}"), schemas, visit);
        }
    }

    /// The schemas without a union that a value may have been written for.
    pub(super) fn expand(&self, schema: &Value, value: &Value, meant: &mut Vec<Value>) {
        let schema = resolve(&self.schema, schema);
        let Some(branches) = branches(schema) else { return meant.push(schema.clone()) };
        let accepted: Vec<&Value> =
            branches.iter().filter(|branch| self.part_accepts(branch, &self.without_nulls(branch, value))).collect();
        let chosen = if accepted.is_empty() { branches.iter().collect() } else { accepted };
        let mut own = schema.clone();
        own.as_object_mut()
            .expect("a schema is an object")
            .retain(|keyword, _| !matches!(keyword.as_str(), "anyOf" | "oneOf"));
        for branch in chosen {
            // A branch takes the members beside the union too.
            let mut branch = resolve(&self.schema, branch).clone();
            for (name, property) in own["properties"].as_object().into_iter().flatten() {
                branch["properties"][name] = property.clone();
            }
            let required = |schema: &Value| schema["required"].as_array().cloned().unwrap_or_default();
            branch["required"] = [required(&branch), required(&own)].concat().into();
            self.expand(&branch, value, meant);
        }
    }

    /// Whether a schema takes strings, of whatever kind.
    pub(super) fn takes_strings(&self, schema: &Value) -> bool {
        let schema = resolve(&self.schema, schema);
        let by_type = schema.get("type").is_none_or(|name| name == "string");
        let by_branches =
            branches(schema).is_none_or(|branches| branches.iter().any(|branch| self.takes_strings(branch)));
        by_type && by_branches
    }
}

/// Follows a reference.
pub(super) fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(target) => root.pointer(target.trim_start_matches('#')).expect("a reference leads somewhere"),
        None => schema,
    }
}

pub(super) fn branches(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()
}

pub(super) fn requires(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|required| required == name))
}

/// The schema of a member; `{}` where anything goes.
fn member_schema(schema: &Value, name: &str) -> Value {
    let patterned = || schema["patternProperties"].as_object()?.values().next();
    let named = schema["properties"].get(name).or_else(patterned);
    named
        .or_else(|| schema.get("additionalProperties"))
        .filter(|schema| schema.is_object())
        .cloned()
        .unwrap_or(json!({}))
}

fn item_schema(schema: &Value, index: usize) -> Value {
    schema["prefixItems"].get(index).or_else(|| schema.get("items")).cloned().unwrap_or(json!({}))
}
