//! JSON Schemas: from what `schemars` derives to what clients can read, and checking values against them.

pub(crate) mod check;
pub(crate) mod integers;
pub(crate) mod pattern;
mod root;
mod rules;
mod scalar;
mod strictness;
mod words;

use schemars::generate::{Contract, SchemaSettings};
use schemars::{Schema, SchemaGenerator};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use self::check::{Found, Manner};
use self::pattern::Patterns;
use self::rules::Direction;
use self::scalar::Scalar;
use self::strictness::is_stricter_than_serde;
use crate::json;
use crate::protocol::call::ResultShape;
use crate::protocol::content::CONTENT_MARKER;
use crate::protocol::revision::Revision;

/// Makes the schema of a type with a given generator.
pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// One argument of a handler, as its schema needs it.
#[derive(Debug)]
pub(crate) struct Property<'a> {
    pub(crate) name: &'a str,
    pub(crate) optional: bool,
    pub(crate) schema: SchemaFn,
    /// What stands in the schema besides what the type says.
    pub(crate) keywords: &'a Map<String, Value>,
    /// Whether one of the keywords restricts the value.
    pub(crate) is_restricted: bool,
}

/// The schema of the arguments object.
#[derive(Debug)]
pub(crate) struct InputSchema {
    /// As it is published.
    pub(crate) text: Box<RawValue>,
    /// That of each argument, in order.
    arguments: Vec<ArgumentSchema>,
    definitions: Map<String, Value>,
    patterns: Patterns,
    /// What is wrong with the schema itself.
    pub(crate) problems: Vec<String>,
}

/// The schema of one argument.
#[derive(Debug)]
struct ArgumentSchema {
    schema: Value,
    /// Whether deserializing alone would take what the schema does not.
    is_strict: bool,
    /// What is known of the values that it takes, if it is strict.
    scalar: Option<Scalar>,
}

impl InputSchema {
    /// The schema of an object with these members. They stand in the order of the parameters, so that a model reads the
    /// important one first. `open` allows others too.
    pub(crate) fn of_properties<'a>(properties: impl Iterator<Item = Property<'a>>, open: bool) -> Self {
        let mut generator = generator(Contract::Deserialize);
        let (mut members, mut required, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        for property in properties {
            let argument = ArgumentSchema::of(&property, &mut generator);
            if !property.optional {
                required.push(property.name);
            }
            members.push(format!("{}:{}", json::text(&property.name.into()), json::text(&argument.schema)));
            arguments.push(argument);
        }
        let mut text = format!(r#"{{"type":"object","properties":{{{}}}"#, members.join(","));
        if !required.is_empty() {
            text += &[r#","required":"#, &json::text(&json!(required))].concat();
        }
        if !open {
            text += r#","additionalProperties":false"#;
        }
        let definitions = definitions(&mut generator, Direction::Input);
        if !definitions.is_empty() {
            text += &[r#","$defs":"#, &json::text(&json!(definitions))].concat();
        }
        Self::new(raw(text + "}"), arguments, definitions)
    }

    /// The schema of a type that is the whole arguments object. `None` if the type is no object.
    pub(crate) fn of_object(schema: SchemaFn, open: bool) -> Option<Self> {
        let mut generator = generator(Contract::Deserialize);
        let mut precise = schema(&mut generator).to_value();
        rules::apply(&mut precise, Direction::Input);
        let definitions = definitions(&mut generator, Direction::Input);
        let root = root::plain_object(resolve(&precise, &definitions))?;
        let root = root::close(&mut precise, root, open);
        let text = with_definitions(Value::Object(root), &definitions);
        let argument = ArgumentSchema { schema: precise, is_strict: true, scalar: None };
        Some(Self::new(text, vec![argument], definitions))
    }

    /// A schema that comes from outside, published as it is.
    ///
    /// # Errors
    /// If it is none of an object.
    pub(crate) fn supplied(schema: &Value) -> Result<Self, String> {
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err("the input schema must be a JSON object with `\"type\": \"object\"`".to_owned());
        }
        let definitions = own_definitions(schema);
        let argument = ArgumentSchema { schema: schema.clone(), is_strict: true, scalar: None };
        Ok(Self::new(raw(json::text(schema)), vec![argument], definitions))
    }

    fn new(text: Box<RawValue>, arguments: Vec<ArgumentSchema>, definitions: Map<String, Value>) -> Self {
        let (mut patterns, mut problems) = (Patterns::default(), Vec::new());
        for schema in arguments.iter().map(|argument| &argument.schema).chain(definitions.values()) {
            patterns.add(schema, &mut problems);
        }
        Self { text, arguments, definitions, patterns, problems }
    }

    /// Whether a value of the argument at that place has to be [checked](Self::check) before it is deserialized.
    pub(crate) fn needs_check(&self, index: usize, text: &str) -> bool {
        let strict = self.arguments.get(index).filter(|argument| argument.is_strict);
        strict.is_some_and(|argument| !argument.scalar.as_ref().is_some_and(|scalar| scalar.accepts(text)))
    }

    /// Checks the argument at that place among the arguments.
    pub(crate) fn check<'s>(&'s self, index: usize, name: &str, text: &str, manner: Manner<'s>) -> Found {
        let Some(argument) = self.arguments.get(index) else { return Found::default() };
        check::check(&argument.schema, &self.definitions, &self.patterns, name, text, manner)
    }
}

impl InputSchema {
    /// The values that a member may have, if the schema lists them: those of an enum, and the two of a boolean.
    pub(crate) fn allowed_values(&self, member: &str) -> Vec<String> {
        let schema: Value = json::tree(self.text.get()).unwrap_or_default();
        let property = schema.get("properties").and_then(|properties| properties.get(member));
        let Some(property) = property.map(|property| resolve(property, &self.definitions)) else { return Vec::new() };
        if property.get("type").and_then(Value::as_str) == Some("boolean") {
            return vec!["true".to_owned(), "false".to_owned()];
        }
        let values = property.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        values.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

/// The definitions that a schema from outside brings along.
pub(crate) fn own_definitions(schema: &Value) -> Map<String, Value> {
    schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// How many references in a row are followed: a schema from outside may go in a circle.
const MAX_REFERENCES: usize = 32;

/// Follows references to definitions, as recursive types have them. What stands beside a reference is not looked at.
pub(crate) fn resolve<'s>(mut schema: &'s Value, definitions: &'s Map<String, Value>) -> &'s Value {
    for _ in 0..MAX_REFERENCES {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix("#/$defs/"));
        match name.and_then(|name| definitions.get(name)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

impl ArgumentSchema {
    fn of(property: &Property<'_>, generator: &mut SchemaGenerator) -> Self {
        let mut schema = (property.schema)(generator).to_value();
        let is_strict = property.is_restricted || is_stricter_than_serde(&schema);
        if property.optional {
            // Before the rules, which split the unions with null that are to stay.
            if let Some(schema) = schema.as_object_mut() {
                rules::drop_null(schema);
            }
        }
        rules::apply(&mut schema, Direction::Input);
        if let Some(schema) = schema.as_object_mut() {
            let own = schema.get("description").cloned();
            for (keyword, value) in property.keywords {
                schema.insert(keyword.clone(), value.clone());
            }
            keep_variants(schema, own.as_ref());
        }
        let scalar = is_strict.then(|| Scalar::of(&schema)).flatten();
        Self { schema, is_strict, scalar }
    }
}

/// The description of the parameter wins over that of its type, but the lines about the variants of an enum are about
/// the value and stay.
fn keep_variants(schema: &mut Map<String, Value>, own: Option<&Value>) {
    let variants = own
        .and_then(Value::as_str)
        .map(|text| text.lines().filter(|line| line.starts_with("- `")).collect::<Vec<_>>().join("\n"));
    let Some(variants) = variants.filter(|lines| !lines.is_empty() && schema.contains_key("enum")) else { return };
    if let Some(Value::String(description)) = schema.get_mut("description") {
        if !description.ends_with(&variants) {
            *description = format!("{description}\n{variants}");
        }
    }
}

/// The schema of a tool's result, and how the result is sent.
#[derive(Debug)]
pub(crate) struct OutputSchema {
    pub(crate) shape: ResultShape,
    /// From 2026-07-28 on.
    bare: Option<Box<RawValue>>,
    /// In the revisions that demand an object.
    object: Option<Box<RawValue>>,
    /// The schema with its definitions.
    root: Option<(Value, Map<String, Value>)>,
    risk: Risk,
}

/// What could break an output schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Risk {
    /// Nothing that a value of the type can be.
    None,
    /// A number that is not finite, which is written as null.
    Numbers,
    /// Anything: the schema comes from outside.
    Anything,
}

impl OutputSchema {
    /// Of a tool that returns nothing.
    pub(crate) fn none() -> Self {
        Self { shape: ResultShape::Nothing, bare: None, object: None, root: None, risk: Risk::None }
    }

    /// The schema that the revision publishes.
    pub(crate) fn project(&self, revision: Revision) -> Option<&RawValue> {
        let schema = if revision.structured_is_object() { &self.object } else { &self.bare };
        schema.as_deref()
    }

    /// The schema of a result. It says what serde really writes.
    pub(crate) fn of(schema: SchemaFn) -> Self {
        let mut generator = generator(Contract::Serialize);
        let mut root = schema(&mut generator).to_value();
        let shape = shape(&root);
        if matches!(shape, ResultShape::Content | ResultShape::Text | ResultShape::Nothing) {
            return Self { shape, bare: None, object: None, root: None, risk: Risk::None };
        }
        rules::apply(&mut root, Direction::Output);
        let definitions = definitions(&mut generator, Direction::Output);
        let object = (shape == ResultShape::Other).then(|| with_definitions(wrapped(&root), &definitions));
        let bare = with_definitions(root.clone(), &definitions);
        let object = object.unwrap_or_else(|| bare.clone());
        let risk = if bare.get().contains(r#""number""#) { Risk::Numbers } else { Risk::None };
        Self { shape, bare: Some(bare), object: Some(object), root: Some((root, definitions)), risk }
    }

    /// A schema that comes from outside, published as it is, but for the revisions that demand an object where it is none.
    pub(crate) fn supplied(schema: &Value) -> Self {
        let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
        let shape = if is_object { ResultShape::Object } else { ResultShape::Other };
        let definitions = own_definitions(schema);
        let bare = raw(json::text(schema));
        let object = if is_object { bare.clone() } else { with_definitions(wrapped(schema), &definitions) };
        let root = Some((schema.clone(), definitions));
        Self { shape, bare: Some(bare), object: Some(object), root, risk: Risk::Anything }
    }

    /// Whether there is one.
    pub(crate) fn is_published(&self) -> bool {
        self.root.is_some()
    }

    /// Whether it comes from outside, so that the tool's own type says nothing about it.
    pub(crate) fn is_supplied(&self) -> bool {
        self.risk == Risk::Anything
    }

    /// What is wrong with a value of the tool's own type. It conforms but for numbers that are not finite, which JSON does
    /// not have: a null stands in their place.
    pub(crate) fn misfit_of_own(&self, json: &str) -> Option<String> {
        if self.risk != Risk::Numbers {
            return None;
        }
        if !has_null(json.as_bytes()) {
            return None;
        }
        let problem = self.problem(json)?;
        Some(format!("the tool's result cannot be sent, since JSON has no infinite numbers and no NaN: {problem}"))
    }

    /// What is wrong with a value that may be anything.
    pub(crate) fn misfit_of_foreign(&self, json: &str) -> Option<String> {
        let problem = self.problem(json)?;
        Some(format!("the tool's result does not fit its output schema: {problem}"))
    }

    fn problem(&self, json: &str) -> Option<String> {
        let (schema, definitions) = self.root.as_ref()?;
        let found = check::check(schema, definitions, &Patterns::default(), "result", json, Manner::STRICT);
        found.problems.into_iter().next()
    }
}

/// How a result of the schema is sent.
fn shape(root: &Value) -> ResultShape {
    if is_content(root) {
        return ResultShape::Content;
    }
    match root.get("type").and_then(Value::as_str) {
        Some("string") if root.get("enum").is_none() && root.get("const").is_none() => ResultShape::Text,
        Some("null") => ResultShape::Nothing,
        Some("object") => ResultShape::Object,
        _ => ResultShape::Other,
    }
}

/// Whether a schema is that of content blocks: one, a list of them, or either of both where there may be none.
fn is_content(schema: &Value) -> bool {
    let is_block = |schema: &Value| schema.get(CONTENT_MARKER).is_some();
    let is_null = |schema: &Value| schema.get("type").is_some_and(|name| name == "null");
    let branches = schema.get("anyOf").and_then(Value::as_array);
    is_block(schema)
        || schema.get("items").is_some_and(is_block)
        || branches.is_some_and(|branches| {
            branches.iter().any(is_content) && branches.iter().all(|branch| is_content(branch) || is_null(branch))
        })
}

/// Whether a text may have a null. Of its letters, `u` is the rarest.
fn has_null(json: &[u8]) -> bool {
    memchr::memchr_iter(b'u', json)
        .any(|at| json.get(at.saturating_sub(1)..).is_some_and(|rest| rest.starts_with(b"null")))
}

/// `{"result": …}` around a result that is no object, as [`ResultShape::Other`] is sent.
fn wrapped(root: &Value) -> Value {
    json!({ "type": "object", "properties": { "result": root }, "required": ["result"] })
}

fn with_definitions(mut schema: Value, definitions: &Map<String, Value>) -> Box<RawValue> {
    if let (Some(schema), false) = (schema.as_object_mut(), definitions.is_empty()) {
        schema.insert("$defs".into(), Value::Object(definitions.clone()));
    }
    raw(json::text(&schema))
}

/// Inlines all but recursive types: clients that forward `properties` alone lose the definitions.
pub(crate) fn generator(contract: Contract) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
            settings.contract = contract;
        })
        .into_generator()
}

/// The definitions that recursive types left.
fn definitions(generator: &mut SchemaGenerator, direction: Direction) -> Map<String, Value> {
    let mut definitions = generator.take_definitions(true);
    for definition in definitions.values_mut() {
        rules::apply(definition, direction);
    }
    definitions
}

/// Our own text is JSON; should it ever not be, the schema that allows every object is the honest one.
fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| {
        RawValue::from_string(r#"{"type":"object"}"#.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
    })
}
