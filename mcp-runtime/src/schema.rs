//! JSON Schemas: from what `schemars` derives to what clients can read.
//!
//! One pass over a derived schema applies the rules of [`RULES`]; each names the clients that need it.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::protocol::call::ResultShape;
use crate::protocol::content::CONTENT_MARKER;
use crate::protocol::revision::Revision;

/// Makes the schema of a type with a given generator.
pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// One argument of a tool, as its schema needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Property<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) optional: bool,
    pub(crate) schema: SchemaFn,
}

/// The schema of a tool's result, and how the result is sent.
#[derive(Debug)]
pub(crate) struct OutputSchema {
    pub(crate) shape: ResultShape,
    /// From 2026-07-28 on.
    bare: Option<Box<RawValue>>,
    /// In the revisions that demand an object.
    object: Option<Box<RawValue>>,
}

impl OutputSchema {
    /// Of a tool that returns content, or nothing.
    pub(crate) fn none() -> Self {
        Self { shape: ResultShape::Nothing, bare: None, object: None }
    }

    /// The schema that the revision publishes.
    pub(crate) fn project(&self, revision: Revision) -> Option<&RawValue> {
        let schema = if revision.structured_is_object() { &self.object } else { &self.bare };
        schema.as_deref()
    }
}

/// The schema of the arguments object. Properties stand in the order of the parameters, so that a model reads the
/// important one first.
pub(crate) fn input_schema<'a>(properties: impl Iterator<Item = Property<'a>>) -> Box<RawValue> {
    let mut generator = generator(Contract::Deserialize);
    let (mut members, mut required) = (Vec::new(), Vec::new());
    for property in properties {
        let mut schema = portable((property.schema)(&mut generator).to_value());
        if property.optional {
            drop_null(&mut schema);
        } else {
            required.push(property.name);
        }
        if let Some(description) = property.description {
            schema.insert("description".into(), description.into());
        }
        members.push(format!("{}:{}", json!(property.name), Value::Object(schema)));
    }
    let mut text = format!(r#"{{"type":"object","properties":{{{}}}"#, members.join(","));
    if !required.is_empty() {
        text += &[r#","required":"#, &json!(required).to_string()].concat();
    }
    text += r#","additionalProperties":false"#;
    if let Some(definitions) = definitions(&mut generator) {
        text += &[r#","$defs":"#, &Value::Object(definitions).to_string()].concat();
    }
    raw(text + "}")
}

/// The schema of a result. It says what serde really writes.
pub(crate) fn output_schema(schema: SchemaFn) -> OutputSchema {
    let mut generator = generator(Contract::Serialize);
    let schema = schema(&mut generator).to_value();
    if is_content(&schema) {
        return OutputSchema { shape: ResultShape::Content, bare: None, object: None };
    }
    let mut root = portable(schema);
    let shape = match root.get("type").and_then(Value::as_str) {
        Some("string") if !root.contains_key("enum") && !root.contains_key("const") => ResultShape::Text,
        Some("null") => ResultShape::Nothing,
        Some("object") => ResultShape::Object,
        _ => ResultShape::Other,
    };
    if matches!(shape, ResultShape::Text | ResultShape::Nothing) {
        return OutputSchema { shape, bare: None, object: None };
    }
    let definitions = definitions(&mut generator);
    let object = (shape == ResultShape::Other).then(|| wrapped(&root, definitions.clone()));
    if let Some(definitions) = definitions {
        root.insert("$defs".into(), Value::Object(definitions));
    }
    let bare = raw(Value::Object(root).to_string());
    let object = object.unwrap_or_else(|| bare.clone());
    OutputSchema { shape, bare: Some(bare), object: Some(object) }
}

/// Whether a schema is that of content blocks: one, a list of them, or either of both where there may be none.
fn is_content(schema: &Value) -> bool {
    let is_block = |schema: &Value| schema.get(CONTENT_MARKER).is_some();
    let branches = schema.get("anyOf").and_then(Value::as_array);
    is_block(schema)
        || schema.get("items").is_some_and(is_block)
        || branches.is_some_and(|branches| branches.iter().any(is_content))
}

/// `{"result": …}` around a result that is no object, as [`ResultShape::Other`] is sent.
fn wrapped(root: &Map<String, Value>, definitions: Option<Map<String, Value>>) -> Box<RawValue> {
    let mut schema = json!({
        "type": "object",
        "properties": { "result": root },
        "required": ["result"],
    });
    if let (Some(definitions), Some(schema)) = (definitions, schema.as_object_mut()) {
        schema.insert("$defs".into(), Value::Object(definitions));
    }
    raw(schema.to_string())
}

/// Inlines all but recursive types: clients that forward `properties` alone lose the definitions.
fn generator(contract: Contract) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
            settings.contract = contract;
        })
        .into_generator()
}

/// The definitions that recursive types left, if any.
fn definitions(generator: &mut SchemaGenerator) -> Option<Map<String, Value>> {
    let mut definitions = generator.take_definitions(true);
    for definition in definitions.values_mut() {
        apply_rules(definition);
    }
    (!definitions.is_empty()).then_some(definitions)
}

/// Our own text is JSON; should it ever not be, the schema that allows every object is the honest one.
fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| {
        RawValue::from_string(r#"{"type":"object"}"#.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
    })
}

/// A derived schema with the rules applied; a boolean schema becomes the object that means the same.
fn portable(mut schema: Value) -> Map<String, Value> {
    apply_rules(&mut schema);
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

type Rule = fn(&mut Map<String, Value>);

/// What is changed in every schema, at every depth.
const RULES: &[Rule] = &[drop_unregistered_format, drop_content_marker];

fn apply_rules(schema: &mut Value) {
    // `true` is legal, but clients whose validator expects an object discard the whole list of tools.
    if *schema == Value::Bool(true) {
        *schema = Value::Object(Map::new());
    }
    let Value::Object(map) = schema else { return };
    for rule in RULES {
        rule(map);
    }
    for (keyword, value) in map.iter_mut() {
        apply_rules_below(keyword, value);
    }
}

/// Goes to the schemas that stand under a keyword. A boolean under `additionalProperties` is what clients expect there.
fn apply_rules_below(keyword: &str, value: &mut Value) {
    match (keyword, value) {
        ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
            schemas.values_mut().for_each(apply_rules);
        }
        ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
            schemas.iter_mut().for_each(apply_rules);
        }
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
        ) => apply_rules(schema),
        _ => {}
    }
}

/// Validators warn or fail on formats such as `uint8`, and some model providers accept no others than these.
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
        schema.remove("format");
    }
}

/// A block inside of something else is data like any other.
fn drop_content_marker(schema: &mut Map<String, Value>) {
    schema.remove(CONTENT_MARKER);
}

/// An optional argument is the plain type and not in `required`: clients and providers that understand one type name
/// only fail on `["string", "null"]`. An explicit null is accepted all the same.
fn drop_null(schema: &mut Map<String, Value>) {
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
            schema.remove("anyOf");
            for (keyword, value) in single {
                schema.entry(keyword).or_insert(value);
            }
        }
    }
}
