//! What a schema says and what the runtime does agree, for every kind of parameter and result.
//!
//! Arguments are made from the published schema and then spoiled; whether a call may succeed is said by a validator that
//! is not ours. The runs are the same every time; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` make longer and other ones.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the helpers of a test fail as a test does"
)]
#![allow(
    clippy::implicit_hasher,
    clippy::many_single_char_names,
    clippy::needless_pass_by_value,
    clippy::option_option,
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_debug_formatting,
    clippy::unused_async,
    clippy::zero_sized_map_values,
    reason = "the tools have the shapes that are tested"
)]

#[path = "agreement/arguments.rs"]
mod arguments;
#[path = "agreement/kinds.rs"]
mod kinds;
#[path = "agreement/oracle.rs"]
mod oracle;

use std::cell::RefCell;

use mcp_runtime::{Client, Revision, Server};
use proptest::prelude::{Strategy, any};
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use self::arguments::{accepted, arguments, places, with, without};
use self::oracle::{Subject, requires};

/// How many values each tool is called with, unless `PROPTEST_CASES` says otherwise. Those that take several calls are
/// fewer.
const CASES: u32 = 32;
const CASES_OF_SEVERAL: u32 = 10;

/// What the schema accepts and the runtime refuses, and cannot be otherwise.
struct Exception {
    reason: &'static str,
    applies: fn(&Subject, &Value) -> bool,
    /// A tool and arguments that need it.
    example: (&'static str, &'static str),
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        reason: "integers beyond 2^53: clients in JavaScript round such bounds, so the schema leaves them out",
        applies: |subject, arguments| {
            let has_integers = subject.schema.to_string().contains(r#""type":"integer""#);
            has_integers && any_number(arguments, &|number| number.abs() > 9_007_199_254_740_992.0)
        },
        example: ("echo_u64", r#"{ "value": 1e30 }"#),
    },
    Exception {
        reason: "numbers beyond `f32`: the validator that is used here makes `serde_json` refuse them (`float_roundtrip`)",
        applies: |_, arguments| any_number(arguments, &is_beyond_f32),
        example: ("echo_f32", r#"{ "value": 1e300 }"#),
    },
    Exception {
        reason: "formats: a remark to validators, but the type reads the string",
        applies: |subject, arguments| !subject.accepts_formats(arguments),
        example: ("echo_ipv4", r#"{ "value": "::1" }"#),
    },
    Exception {
        reason: "addresses of either version: their format, `ip`, is not registered and so not published",
        applies: |subject, _| subject.name == "echo_ip",
        example: ("echo_ip", r#"{ "value": "" }"#),
    },
    Exception {
        reason: "keys of maps: `schemars` does not tell the width of an integer, nor that keys are booleans, characters or \
                 documented variants",
        applies: |subject, arguments| has_unfit_key(&subject.name, arguments),
        example: ("echo_map_by_u8", r#"{ "value": { "300": true } }"#),
    },
    Exception {
        reason: "128-bit integers and keys that are numbers in tagged enums: serde keeps values aside there, but not those",
        applies: |subject, _| subject.name == "echo_kept_badly",
        example: ("echo_kept_badly", r#"{ "value": { "kind": "Huge", "huge": 0 } }"#),
    },
    Exception {
        reason: "content beside a unit variant of an adjacently tagged enum: serde looks at it, `schemars` does not name it",
        applies: |subject, arguments| subject.name == "echo_adjacent" && arguments["value"]["t"] == "Nothing",
        example: ("echo_adjacent", r#"{ "value": { "t": "Nothing", "c": true } }"#),
    },
    Exception {
        reason: "a flattened enum whose other variants are there too: for serde it is the first, whatever its branch says",
        applies: |subject, arguments| {
            let has = |name: &str| arguments["value"].get(name).is_some();
            subject.name == "echo_flat_mixed" && has("Named") && has("Number")
        },
        example: ("echo_flat_mixed", r#"{ "value": { "own": 0, "Named": null, "Number": 0 } }"#),
    },
    Exception {
        reason: "a union as the whole arguments object: big providers refuse one at the root, so it is told as one object",
        applies: |subject, arguments| subject.twin.as_ref().is_some_and(|twin| !twin.accepts_closed(arguments)),
        example: ("all_untagged_objects", "{}"),
    },
];

type Fits = fn(&str) -> bool;

/// Tools that take maps by other keys than strings, how deep the keys stand, and which there are.
const MAPS_BY_KEY: &[(&str, usize, Fits)] = &[
    ("echo_map_by_u8", 2, |key| key.parse::<u8>().is_ok()),
    ("echo_map_by_i32", 2, |key| key.parse::<i32>().is_ok()),
    ("echo_map_by_u64", 2, |key| key.parse::<u64>().is_ok()),
    ("echo_map_by_documented", 2, |key| ["go_up", "go_down", "stay"].contains(&key)),
    ("echo_map_by_char", 2, |key| key.chars().count() == 1),
    ("echo_map_by_bool", 2, |key| ["true", "false"].contains(&key)),
    ("echo_map_of_maps", 3, |key| key.parse::<u8>().is_ok()),
    ("hashed", 2, |key| key.parse::<i8>().is_ok()),
];

fn has_unfit_key(tool: &str, arguments: &Value) -> bool {
    let Some((_, depth, fits)) = MAPS_BY_KEY.iter().find(|(name, ..)| *name == tool) else { return false };
    let steps = places(arguments).into_iter().filter(|place| place.matches('/').count() == *depth);
    steps.into_iter().any(|place| !place.rsplit('/').next().is_some_and(fits))
}

/// Where such a number is kept aside for an enum, the `f32` is infinite, and JSON has no word for that.
fn is_beyond_f32(number: f64) -> bool {
    number.abs() > f64::from(f32::MAX)
}

fn any_number(value: &Value, is: &dyn Fn(f64) -> bool) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(is),
        Value::Array(items) => items.iter().any(|item| any_number(item, is)),
        Value::Object(members) => members.values().any(|member| any_number(member, is)),
        _ => false,
    }
}

/// A server in this process, and what it lists.
struct Connection {
    runtime: Runtime,
    client: RefCell<Client>,
    tools: Vec<Value>,
}

impl Connection {
    fn open(server: Server, revision: Revision) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let mut client = runtime.block_on(server.connect_as(revision)).expect("the server starts");
        let tools = runtime.block_on(client.list_tools()).expect("the tools are listed");
        Self { runtime, client: RefCell::new(client), tools }
    }

    fn strict() -> Self {
        Self::open(server().strict_arguments(), Revision::LATEST)
    }

    fn subjects(&self) -> impl Iterator<Item = Subject> {
        self.tools.iter().map(|tool| {
            let name = tool["name"].as_str().and_then(|name| name.strip_prefix("all_"));
            let twin =
                name.and_then(|name| self.tools.iter().find(|tool| tool["name"] == format!("echo_{name}").as_str()));
            let mut subject = Subject::new(tool);
            subject.twin = twin.map(|twin| Box::new(Subject::new(twin)));
            subject
        })
    }

    fn subject(&self, name: &str) -> Subject {
        self.subjects().find(|subject| subject.name == name).expect("such a tool is listed")
    }

    fn result(&self, tool: &str, arguments: &Value) -> Value {
        let mut client = self.client.borrow_mut();
        let result = self.runtime.block_on(client.call_tool(tool, arguments.clone()));
        result.unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"))
    }

    /// The result of a call whose body was reached, or what is wrong with the arguments.
    fn call(&self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let result = self.result(tool, arguments);
        match problem(tool, arguments, &result) {
            Some(problem) => Err(problem.to_owned()),
            None => Ok(json!([result["content"], result["structuredContent"]])),
        }
    }
}

/// What is wrong with the arguments of a call; no tool here fails for another reason.
fn problem<'r>(tool: &str, arguments: &Value, result: &'r Value) -> Option<&'r str> {
    if result["isError"] != true {
        return None;
    }
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.starts_with("the arguments of"), "{tool} {arguments}: {result}");
    Some(text)
}

fn server() -> Server {
    Server::new("agreement", "1").tools(kinds::all())
}

/// Tries a property with many values; returns the least that breaks it, in words.
fn counterexample<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl Fn(S::Value) -> Result<(), String>,
) -> Option<String> {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 4096, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0);
    }
    match TestRunner::new(config).run(&strategy, |value| property(value).map_err(TestCaseError::fail)) {
        Ok(()) => None,
        Err(TestError::Fail(reason, _)) => Some(reason.to_string()),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// Fails with one counterexample for each tool that has one.
fn report(found: impl Iterator<Item = (Subject, Option<String>)>) {
    let found: Vec<String> = found
        .filter_map(|(subject, found)| Some(format!("{}: {}\n  {}", subject.name, found?, subject.schema)))
        .collect();
    assert!(found.is_empty(), "{} tools:\n{}", found.len(), found.join("\n"));
}

/// The first property: a call reaches the body if and only if the schema accepts the arguments.
fn agrees(connection: &Connection, subject: &Subject, arguments: &Value) -> Result<(), String> {
    let reached = connection.call(&subject.name, arguments);
    match (subject.accepts(arguments), reached) {
        (true, Ok(_)) | (false, Err(_)) => Ok(()),
        (false, Ok(result)) => Err(format!("{arguments} is accepted against the schema: {result}")),
        (true, Err(_)) if EXCEPTIONS.iter().any(|exception| (exception.applies)(subject, arguments)) => Ok(()),
        (true, Err(problem)) => Err(format!("{arguments} is refused against the schema: {problem}")),
    }
}

#[test]
fn accepts_what_the_schema_accepts() {
    let connection = Connection::strict();
    report(connection.subjects().map(|subject| {
        let found = counterexample(CASES, arguments(&subject.schema), |(arguments, changes)| {
            let arguments = changes.iter().fold(arguments, |arguments, change| change.apply(&arguments));
            agrees(&connection, &subject, &arguments)
        });
        (subject, found)
    }));
}

#[test]
fn requires_what_cannot_be_left_out() {
    let connection = Connection::strict();
    report(connection.subjects().map(|subject| {
        let found = counterexample(CASES_OF_SEVERAL, accepted(&subject.schema), |arguments| {
            leaves_out(&connection, &subject, &arguments)
        });
        (subject, found)
    }));
}

/// Leaves out each member that has a name in the schema, one at a time.
fn leaves_out(connection: &Connection, subject: &Subject, arguments: &Value) -> Result<(), String> {
    if connection.call(&subject.name, arguments).is_err() {
        return Ok(());
    }
    let mut members = Vec::new();
    subject.visit(arguments, &mut |pointer, value, schemas| {
        let mut meant = Vec::new();
        for schema in schemas {
            subject.expand(schema, value, &mut meant);
        }
        for name in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if meant.iter().all(|schema| schema["properties"].get(name).is_some()) {
                let required = meant.iter().all(|schema| requires(schema, name));
                members.push((format!("{pointer}/{}", arguments::escaped(name)), required));
            }
        }
    });
    let is_union = subject.twin.as_ref().is_some_and(|twin| twin.is_union());
    members.retain(|(pointer, required)| *required || !is_union || pointer.matches('/').count() > 1);
    for (pointer, required) in members {
        let less = without(arguments, &pointer);
        let problem = connection.call(&subject.name, &less).err();
        // Without a member that tells the variants of a union apart, it may be another variant.
        if problem.is_some() != required && !(required && subject.accepts(&less)) {
            return Err(format!("{arguments} without {pointer}, required {required}: {problem:?}"));
        }
    }
    Ok(())
}

#[test]
fn lists_schemas_that_clients_can_read() {
    let mut problems = Vec::new();
    for revision in Revision::ALL {
        for tool in &Connection::open(server(), *revision).tools {
            for side in ["inputSchema", "outputSchema"] {
                let Some(schema) = tool.get(side) else { continue };
                let mut problem = |what: String| problems.push(format!("{revision:?} {} {side}: {what}", tool["name"]));
                if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
                    problem(error.to_string());
                }
                let demands_object = side == "inputSchema" || *revision < Revision::V2026_07_28;
                if demands_object && schema["type"] != "object" {
                    problem("the root is no object".to_owned());
                }
                if schema.get("$defs").is_none() && schema.to_string().contains("\"$ref\"") {
                    problem("a reference leads nowhere".to_owned());
                }
                if schema.get("$defs").is_some() && !is_recursive(schema) {
                    problem("what is not recursive is inlined".to_owned());
                }
                check_schema(schema, "", &mut problem);
            }
        }
    }
    problems.sort();
    problems.dedup();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether every definition leads to itself.
fn is_recursive(schema: &Value) -> bool {
    schema["$defs"].as_object().is_some_and(|definitions| {
        definitions.iter().all(|(name, definition)| definition.to_string().contains(&format!("#/$defs/{name}")))
    })
}

/// Where a schema holds others, and whether under names of their own or in a list.
const SUBSCHEMAS: &[(&str, bool)] = &[
    ("properties", true),
    ("patternProperties", true),
    ("$defs", true),
    ("anyOf", true),
    ("oneOf", true),
    ("allOf", true),
    ("prefixItems", true),
    ("items", false),
    ("additionalProperties", false),
    ("unevaluatedProperties", false),
    ("not", false),
    ("propertyNames", false),
];

/// The formats that are registered. Written once more on purpose: a mistake in the list of the rule has to be noticed.
const FORMATS: &[&str] = &[
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

fn check_schema(schema: &Value, place: &str, problem: &mut dyn FnMut(String)) {
    let Some(keywords) = schema.as_object() else {
        return problem(format!("{place} is {schema}"));
    };
    if keywords.get("type").is_some_and(|name| name == "array") && !keywords.contains_key("items") {
        problem(format!("{place} has no items"));
    }
    if keywords.get("type").is_some_and(|name| !name.is_string()) {
        problem(format!("{place} has several types"));
    }
    if keywords.get("format").is_some_and(|format| !FORMATS.iter().any(|known| format == known)) {
        problem(format!("{place} has the format {}", keywords["format"]));
    }
    let is_name = |branch: &Value| branch.get("const").or_else(|| branch.get("enum")).is_some();
    if oracle::branches(schema).is_some_and(|branches| branches.iter().all(is_name)) {
        problem(format!("{place} is a union of names"));
    }
    for (keyword, bound) in keywords {
        if matches!(keyword.as_str(), "minimum" | "maximum")
            && bound.as_f64().is_none_or(|bound| bound.abs() > 9_007_199_254_740_992.0)
        {
            problem(format!("{place} has the {keyword} {bound}"));
        }
        if matches!(keyword.as_str(), "$schema" | "title" | "definitions") {
            problem(format!("{place} has {keyword}"));
        }
    }
    for (keyword, many) in SUBSCHEMAS {
        let place = format!("{place}/{keyword}");
        match keywords.get(*keyword) {
            Some(Value::Bool(_)) if matches!(*keyword, "additionalProperties" | "unevaluatedProperties") => {}
            Some(Value::Object(schemas)) if *many => {
                schemas.iter().for_each(|(name, schema)| check_schema(schema, &format!("{place}/{name}"), problem));
            }
            Some(Value::Array(schemas)) => {
                schemas
                    .iter()
                    .enumerate()
                    .for_each(|(at, schema)| check_schema(schema, &format!("{place}/{at}"), problem));
            }
            Some(schema) => check_schema(schema, &place, problem),
            None => {}
        }
    }
}

#[test]
fn returns_what_the_output_schema_says() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let connection = Connection::open(server().strict_arguments(), revision);
        report(connection.tools.iter().map(|tool| {
            let subject = Subject::new(tool);
            let output = tool.get("outputSchema").map(|schema| jsonschema::draft202012::new(schema).expect("a schema"));
            let found = counterexample(CASES_OF_SEVERAL, accepted(&subject.schema), |arguments| {
                let result = connection.result(&subject.name, &arguments);
                if any_number(&arguments, &is_beyond_f32) || problem(&subject.name, &arguments, &result).is_some() {
                    return Ok(());
                }
                match (&output, result.get("structuredContent")) {
                    (None, None) => Ok(()),
                    (Some(output), Some(value)) => {
                        output.validate(value).map_err(|error| format!("{value}: {error} of {}", tool["outputSchema"]))
                    }
                    (_, value) => Err(format!("there is {value:?}")),
                }
            });
            (subject, found)
        }));
    }
}

#[test]
fn reads_what_is_quoted() {
    let connection = Connection::open(server(), Revision::LATEST);
    report(connection.subjects().map(|subject| {
        let strategy = (arguments(&subject.schema), any::<Index>());
        let found = counterexample(CASES, strategy, |((arguments, changes), place)| {
            let arguments = changes.iter().take(1).fold(arguments, |arguments, change| change.apply(&arguments));
            quotes(&connection, &subject, &arguments, place)
        });
        (subject, found)
    }));
}

fn quotes(connection: &Connection, subject: &Subject, arguments: &Value, place: Index) -> Result<(), String> {
    let mut quotable = Vec::new();
    subject.visit(arguments, &mut |pointer, value, schemas| {
        let is_quotable = !value.is_string() && !value.is_null() && !pointer.is_empty();
        if is_quotable && !schemas.is_empty() && !schemas.iter().any(|schema| subject.takes_strings(schema)) {
            quotable.push(pointer.to_owned());
        }
    });
    if quotable.is_empty() {
        return Ok(());
    }
    let place = &quotable[place.index(quotable.len())];
    quotes_at(connection, subject, arguments, place)
}

fn quotes_at(connection: &Connection, subject: &Subject, arguments: &Value, place: &str) -> Result<(), String> {
    let quoted = with(arguments, place, |value| Value::from(value.to_string()));
    let (plain, spelt) = (connection.call(&subject.name, arguments), connection.call(&subject.name, &quoted));
    if plain.as_ref().ok() == spelt.as_ref().ok() {
        return Ok(());
    }
    Err(format!("{arguments} gives {plain:?}, {quoted} gives {spelt:?}"))
}

/// What was found wrong and mended: a tool and arguments.
const FOUND: &[(&str, &str)] = &[
    // A struct without members was made from an array.
    ("echo_empty", r#"{ "value": [] }"#),
    // These types refuse other members, which the schema did not say.
    ("echo_duration", r#"{ "value": { "secs": 0, "nanos": 0, "extra": null } }"#),
    ("echo_system_time", r#"{ "value": { "secs_since_epoch": 0, "nanos_since_epoch": 0, "extra": null } }"#),
    ("echo_range", r#"{ "value": { "start": 0, "end": 0, "extra": null } }"#),
    ("echo_bound", r#"{ "value": { "Included": 0, "extra": null } }"#),
    ("echo_generic_result", r#"{ "value": { "of": { "Ok": 0, "extra": null }, "many": [] } }"#),
    // The pattern of integer keys took more than JSON's integers.
    ("echo_map_by_i32", r#"{ "value": { "-0": { "number": 0, "text": "" } } }"#),
    ("echo_map_by_u64", r#"{ "value": { "01": 0 } }"#),
    // The response was not UTF-8, or the call panicked.
    ("echo_map_by_bool", r#"{ "value": { "é": 0 } }"#),
    ("echo_map_by_bool", r#"{ "value": { "é\"": 0 } }"#),
];

#[test]
fn agrees_where_it_once_did_not() {
    let connection = Connection::strict();
    for (tool, arguments) in FOUND {
        let subject = connection.subject(tool);
        agrees(&connection, &subject, &serde_json::from_str(arguments).expect("JSON")).expect(tool);
    }
}

/// Quoted values that were not read: a tool, arguments, and the place of what is quoted.
const FOUND_QUOTED: &[(&str, &str, &str)] = &[
    // Another branch takes strings, as the enum's other variants do.
    ("echo_mixed", r#"{ "value": { "Number": 0 } }"#, "/value/Number"),
    ("echo_mixed", r#"{ "value": { "Pair": [0, ""] } }"#, "/value/Pair"),
    ("echo_option_untagged", r#"{ "value": [0, false] }"#, "/value/0"),
    ("echo_bound", r#"{ "value": { "Included": 0 } }"#, "/value/Included"),
    ("echo_expression", r#"{ "value": { "Negated": { "Number": 0 } } }"#, "/value/Negated/Number"),
    // The values of a map by numbers were not looked at.
    ("echo_map_by_u8", r#"{ "value": { "0": false } }"#, "/value/0"),
    ("echo_map_by_i32", r#"{ "value": { "0": { "number": 0, "text": "" } } }"#, "/value/0"),
];

#[test]
fn reads_what_was_quoted_in_vain() {
    let connection = Connection::open(server(), Revision::LATEST);
    for (tool, arguments, place) in FOUND_QUOTED {
        quotes_at(&connection, &connection.subject(tool), &serde_json::from_str(arguments).expect("JSON"), place)
            .expect(tool);
    }
}

#[test]
fn needs_each_exception() {
    let connection = Connection::strict();
    for exception in EXCEPTIONS {
        let (tool, arguments) = exception.example;
        let (subject, arguments) = (connection.subject(tool), serde_json::from_str(arguments).expect("JSON"));
        assert!(subject.accepts(&arguments) && connection.call(tool, &arguments).is_err(), "{}", exception.reason);
        assert!((exception.applies)(&subject, &arguments), "{}", exception.reason);
    }
}
