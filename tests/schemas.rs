//! Schemas: what is published for the types of parameters and results, byte for byte but for the order of keys.

#![allow(
    clippy::many_single_char_names,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::type_complexity,
    clippy::unnecessary_wraps,
    dead_code,
    reason = "the tools and types have the shapes that are tested"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use common::memory::{Wire, block_on, input_schema, listed};
use mcp_runtime::{Server, ToolDef, tool, tools};
use serde_json::{Value, json};

/// The schema of an argument.
async fn property(tool: ToolDef, name: &str) -> Value {
    input_schema(tool).await["properties"][name].take()
}

fn u32_schema() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
}

/// Visits each place of a document where a schema stands.
fn visit_schemas(schema: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(schema);
    let Some(schema) = schema.as_object() else { return };
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(schemas)) => {
                for schema in schemas.values() {
                    visit_schemas(schema, visit);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    visit_schemas(schema, visit);
                }
            }
            ("additionalProperties", Value::Bool(_)) => {}
            ("items" | "additionalProperties" | "not" | "contains" | "propertyNames", schema) => {
                visit_schemas(schema, visit);
            }
            _ => {}
        }
    }
}

mod empty {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Empty {}

    #[tool]
    fn now() {}

    #[tool]
    fn now_too(#[args] _arguments: Empty) {}

    #[test]
    fn publishes_properties_for_a_tool_without_arguments() {
        block_on(async {
            let expected = json!({ "type": "object", "properties": {}, "additionalProperties": false });
            assert_eq!(input_schema(tools![now][0]).await, expected);
            assert_eq!(input_schema(tools![now_too][0]).await, expected);
        });
    }
}

mod numbers {
    use super::*;

    #[tool]
    fn sizes(
        a: u8,
        b: u32,
        c: u64,
        d: usize,
        e: i128,
        f: std::num::NonZeroU16,
        g: Option<u64>,
        h: Vec<u32>,
        i: f32,
        j: i8,
        k: i64,
        l: f64,
        m: std::num::NonZeroI32,
        n: u128,
        o: i32,
        p: HashMap<u16, i16>,
    ) -> u64 {
        let _ = (a, b, c, d, e, f, g, h, i, j, l, m, n, o, p);
        k.unsigned_abs()
    }

    #[test]
    fn publishes_registered_formats_and_the_bounds_of_the_types() {
        block_on(async {
            let expected = json!({
                "a": { "type": "integer", "minimum": 0, "maximum": 255 },
                "b": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                "c": { "type": "integer", "minimum": 0 },
                "d": { "type": "integer", "minimum": 0 },
                "e": { "type": "integer" },
                "f": { "type": "integer", "minimum": 1, "maximum": 65535 },
                "g": { "type": "integer", "minimum": 0 },
                "h": { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX } },
                "i": { "type": "number", "format": "float" },
                "j": { "type": "integer", "minimum": -128, "maximum": 127 },
                "k": { "type": "integer", "format": "int64" },
                "l": { "type": "number", "format": "double" },
                "m": {
                    "type": "integer",
                    "format": "int32",
                    "minimum": i32::MIN,
                    "maximum": i32::MAX,
                    "not": { "const": 0 },
                },
                "n": { "type": "integer", "minimum": 0 },
                "o": { "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX },
                "p": {
                    "type": "object",
                    "patternProperties": { "^(0|[1-9][0-9]*)$": { "type": "integer", "minimum": -32768, "maximum": 32767 } },
                    "additionalProperties": false,
                },
            });
            assert_eq!(input_schema(tools![sizes][0]).await["properties"], expected);
        });
    }

    #[test]
    fn publishes_the_bounds_of_integers_as_integers() {
        block_on(async {
            let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![sizes]), "2025-11-25").await;
            wire.send_line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
            let line = wire.receive_line().await;
            let (_, tools) = line.split_once("\"tools\"").unwrap();
            assert!(!tools.contains(".0") && !tools.contains("18446744073709551615"), "{tools}");
        });
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Sizes {
        small: Vec<u16>,
        kids: Vec<Sizes>,
    }

    #[tool]
    fn nested(sizes: Sizes) -> Sizes {
        sizes
    }

    #[test]
    fn publishes_registered_formats_at_every_depth() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![nested])).await.remove(0);
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                visit_schemas(schema, &mut |schema| assert_eq!(schema.get("format"), None, "{schema}"));
                let small = json!({ "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 65535 } });
                assert_eq!(schema["$defs"]["Sizes"]["properties"]["small"], small);
            }
        });
    }
}

mod optionals {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Inner {
        note: Option<String>,
        kind: Option<Kind>,
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    enum Kind {
        A,
        B,
    }

    #[tool]
    fn search(
        q: String,
        limit: Option<u32>,
        tags: Option<Vec<String>>,
        inner: Option<Inner>,
        kind: Option<Kind>,
    ) -> Inner {
        let _ = (q, limit, tags, kind);
        inner.unwrap_or(Inner { note: None, kind: None })
    }

    #[test]
    fn publishes_optional_arguments_as_plain_types_at_every_depth() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "q": { "type": "string" },
                    "limit": u32_schema(),
                    "tags": { "type": "array", "items": { "type": "string" } },
                    "inner": {
                        "type": "object",
                        "properties": {
                            "note": { "type": "string" },
                            "kind": { "type": "string", "enum": ["A", "B"] },
                        },
                    },
                    "kind": { "type": "string", "enum": ["A", "B"] },
                },
                "required": ["q"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![search][0]).await, expected);
        });
    }

    #[test]
    fn publishes_null_where_a_result_can_be_null() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![search])).await.remove(0);
            let expected = json!({
                "type": "object",
                "properties": {
                    "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                    "kind": { "anyOf": [{ "type": "string", "enum": ["A", "B"] }, { "type": "null" }] },
                },
                "required": ["note", "kind"],
            });
            assert_eq!(tool["outputSchema"], expected);
        });
    }
}

mod anything {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Row {
        id: u32,
        extra: Value,
        more: Vec<Value>,
        map: BTreeMap<String, Value>,
        pair: (u8, Value),
    }

    #[tool]
    fn store(row: Row, raw: Value) -> Row {
        let _ = raw;
        row
    }

    #[test]
    fn publishes_no_boolean_in_the_place_of_a_schema() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![store])).await.remove(0);
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                visit_schemas(schema, &mut |schema| assert!(schema.is_object(), "{schema} in {tool}"));
            }
        });
    }

    #[test]
    fn publishes_an_object_for_any_json() {
        block_on(async {
            let any = json!({ "description": "any JSON value" });
            let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            let expected = json!({
                "type": "object",
                "properties": {
                    "id": u32_schema(),
                    "extra": any,
                    "more": { "type": "array", "items": any },
                    "map": { "type": "object", "additionalProperties": true },
                    "pair": {
                        "type": "array",
                        "prefixItems": [byte, any],
                        "items": { "anyOf": [byte, any] },
                        "minItems": 2,
                        "maxItems": 2,
                    },
                },
                "required": ["id", "extra", "more", "map", "pair"],
            });
            let tool = listed(Server::new("t", "1").tools(tools![store])).await.remove(0);
            assert_eq!(tool["inputSchema"]["properties"]["row"], expected);
            assert_eq!(tool["outputSchema"], expected);
            assert_eq!(tool["inputSchema"]["properties"]["raw"], any);
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    enum IdOrName {
        Id(u64),
        Name(String),
    }

    #[tool]
    fn patch(
        target: IdOrName,
        /// What to put there.
        value: Value,
        when: Option<Value>,
    ) -> String {
        format!("{target:?} {value} {when:?}")
    }

    #[test]
    fn describes_every_property_or_gives_it_a_type() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "target": { "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }] },
                    "value": { "description": "What to put there." },
                    "when": { "description": "any JSON value" },
                },
                "required": ["target", "value"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![patch][0]).await, expected);
        });
    }

    #[test]
    fn gives_raw_json_exactly_as_it_was_sent() {
        block_on(async {
            let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![patch]), "2025-11-25").await;
            for value in [r#"{"a":1}"#, "[1,\"2\"]", "7", "1.5", "\"x\"", r#""{\"a\":1}""#, "\"7\"", "true", "null"] {
                let text = wire.text_raw("patch", &format!(r#"{{"target":"7","value":{value}}}"#)).await;
                assert_eq!(text, format!("Name(\"7\") {value} None"));
            }
        });
    }
}

mod places {
    use super::*;

    /// A place on the map.
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Place {
        lat: f64,
        lon: f64,
    }

    #[tool]
    fn dist(
        /// Where it starts.
        from: Place,
        to: Place,
        via: Vec<Place>,
    ) -> f64 {
        from.lat - to.lat + via.iter().map(|place| place.lon).sum::<f64>()
    }

    fn place(description: &str) -> Value {
        json!({
            "type": "object",
            "description": description,
            "properties": {
                "lat": { "type": "number", "format": "double" },
                "lon": { "type": "number", "format": "double" },
            },
            "required": ["lat", "lon"],
        })
    }

    #[test]
    fn publishes_types_where_they_are_used_and_no_definitions() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "from": place("Where it starts."),
                    "to": place("A place on the map."),
                    "via": { "type": "array", "items": place("A place on the map.") },
                },
                "required": ["from", "to", "via"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![dist][0]).await, expected);
        });
    }

    /// Internal remark about the argument type.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Opt {
        /// How many.
        n: u32,
        /// Where.
        place: Place,
        other: Place,
    }

    /// Runs.
    #[tool]
    fn run(#[args] o: Opt) -> Place {
        let _ = o.n;
        o.place
    }

    #[test]
    fn publishes_each_text_once_and_no_titles() {
        block_on(async {
            let expected = json!([{
                "name": "run",
                "description": "Runs.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "n": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "How many." },
                        "place": place("Where."),
                        "other": place("A place on the map."),
                    },
                    "required": ["n", "place", "other"],
                    "additionalProperties": false,
                },
                "outputSchema": place("A place on the map."),
            }]);
            assert_eq!(json!(listed(Server::new("t", "1").tools(tools![run])).await), expected);
        });
    }
}

mod orders {
    use super::*;

    /// Where it goes.
    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    struct Target {
        zip: String,
        city: Option<String>,
        area: Area,
    }

    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    struct Area {
        width: u8,
        height: u8,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind")]
    enum Order {
        New { zoom: u8, about: String },
        Again { zoom: u8, number: u8 },
    }

    #[tool]
    fn send(target: Target) -> Target {
        target
    }

    #[tool]
    fn send_whole(#[args] target: Target) -> Area {
        target.area
    }

    #[tool]
    fn order(#[args] order: Order) {
        let (Order::New { .. } | Order::Again { .. }) = order;
    }

    /// The keys of an object, in the order in which they stand.
    fn keys(schema: &Value) -> Vec<&str> {
        let properties = schema["properties"].as_object().expect("an object schema");
        properties.keys().map(String::as_str).collect()
    }

    #[test]
    fn publishes_keys_in_the_order_of_the_declaration_at_every_depth() {
        block_on(async {
            let tools = listed(Server::new("t", "1").tools(tools![send, send_whole, order])).await;
            let target = &tools[0]["inputSchema"]["properties"]["target"];
            for target in [target, &tools[0]["outputSchema"], &tools[1]["inputSchema"]] {
                assert_eq!(keys(target), ["zip", "city", "area"]);
                assert_eq!(keys(&target["properties"]["area"]), ["width", "height"]);
            }
            assert_eq!(keys(&tools[1]["outputSchema"]), ["width", "height"]);
            assert_eq!(keys(&tools[2]["inputSchema"]), ["kind", "zoom", "about", "number"]);
        });
    }
}

mod recursion {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Node {
        label: String,
        #[serde(default)]
        kids: Vec<Node>,
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    enum Expr {
        Num(f64),
        Add(Box<Expr>, Box<Expr>),
        Neg(Box<Expr>),
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Plain {
        n: u8,
    }

    #[tool]
    fn walk(root: Node, e: Option<Expr>, plain: Plain) -> Node {
        let _ = (e, plain);
        root
    }

    fn node(required: &[&str]) -> Value {
        let kids = json!({ "type": "array", "items": { "$ref": "#/$defs/Node" }, "default": [] });
        json!({
            "type": "object",
            "properties": { "label": { "type": "string" }, "kids": kids },
            "required": required,
        })
    }

    #[test]
    fn keeps_references_for_recursive_types_alone() {
        block_on(async {
            let schema = input_schema(tools![walk][0]).await;
            assert_eq!(schema["$defs"]["Node"], node(&["label"]));
            let reference = json!({ "$ref": "#/$defs/Expr" });
            let branch = |name: &str, schema: Value| {
                json!({
                    "type": "object",
                    "properties": { name: schema },
                    "required": [name],
                    "additionalProperties": false,
                })
            };
            let expr = json!({
                "oneOf": [
                    branch("Num", json!({ "type": "number", "format": "double" })),
                    branch("Add", json!({ "type": "array", "items": reference, "minItems": 2, "maxItems": 2 })),
                    branch("Neg", reference.clone()),
                ],
            });
            assert_eq!(schema["$defs"]["Expr"], expr);
            assert_eq!(schema["$defs"].as_object().map(serde_json::Map::len), Some(2));
            let plain = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            assert_eq!(schema["properties"]["plain"]["properties"]["n"], plain);
        });
    }

    #[test]
    fn refers_to_definitions_at_the_root_alone() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![walk])).await.remove(0);
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                let mut references = BTreeSet::new();
                visit_schemas(schema, &mut |schema| {
                    references.extend(schema.get("$ref").map(|target| target.as_str().unwrap().to_owned()));
                });
                assert!(references.contains("#/$defs/Node"), "{references:?}");
                for target in references {
                    let name = target.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{target}"));
                    assert!(schema["$defs"][name].is_object(), "{target}");
                }
            }
        });
    }

    #[tool]
    fn same(tree: Node) -> Node {
        tree
    }

    #[test]
    fn publishes_a_recursive_result_as_an_object() {
        block_on(async {
            let schema = listed(Server::new("t", "1").tools(tools![same])).await[0]["outputSchema"].take();
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["$defs"]["Node"], node(&["label", "kids"]));
        });
    }

    #[tool]
    fn list(trees: Vec<Node>) -> Vec<Node> {
        trees
    }

    #[test]
    fn keeps_definitions_at_the_root_of_a_wrapped_result() {
        block_on(async {
            let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![list]), "2025-11-25").await;
            let schema = wire.request("tools/list", json!({})).await["result"]["tools"][0]["outputSchema"].take();
            assert_eq!(schema["type"], "object");
            assert!(schema["$defs"]["Node"].is_object(), "{schema}");
            assert_eq!(schema["properties"]["result"]["type"], "array");
        });
    }
}

mod keywords {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Everything {
        option: Option<Box<Everything>>,
        tuple: (u8, String),
        set: BTreeSet<u8>,
        map: HashMap<String, u8>,
        unit: (),
        any: Value,
        level: Level,
        duration: std::time::Duration,
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum Level {
        /// Quiet.
        Low,
        High,
    }

    #[tool]
    fn everything(everything: Everything) -> Everything {
        everything
    }

    #[test]
    fn publishes_no_keyword_that_older_validators_do_not_know() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![everything])).await.remove(0);
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                visit_schemas(schema, &mut |schema| {
                    for keyword in ["$schema", "definitions", "title", "nullable", "unevaluatedProperties"] {
                        assert_eq!(schema.get(keyword), None, "{keyword} in {tool}");
                    }
                    assert!(!schema["type"].is_array() && !schema["items"].is_array(), "{schema}");
                });
            }
        });
    }

    #[test]
    fn gives_every_array_one_schema_of_its_items() {
        block_on(async {
            let tool = listed(Server::new("t", "1").tools(tools![everything])).await.remove(0);
            for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
                visit_schemas(schema, &mut |schema| {
                    if schema["type"] == "array" {
                        assert!(schema["items"].is_object(), "{schema}");
                    }
                });
            }
        });
    }
}

mod unions {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "op", rename_all = "snake_case")]
    enum Op {
        Read { path: String },
        Write { path: String, text: String },
    }

    #[tool]
    fn run(#[args] op: Op) -> String {
        match op {
            Op::Read { path } | Op::Write { path, .. } => path,
        }
    }

    #[tool]
    fn run_named(op: Op) -> String {
        run(op)
    }

    #[test]
    fn publishes_no_union_at_the_root() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "op": { "type": "string", "enum": ["read", "write"] },
                    "path": { "type": "string" },
                    "text": { "type": "string" },
                },
                "required": ["op", "path"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![run][0]).await, expected);
        });
    }

    #[test]
    fn publishes_a_union_below_a_property() {
        block_on(async {
            let op = |name: &str| json!({ "type": "string", "const": name });
            let text = json!({ "type": "string" });
            let expected = json!({
                "oneOf": [
                    {
                        "type": "object",
                        "properties": { "op": op("read"), "path": text },
                        "required": ["op", "path"],
                    },
                    {
                        "type": "object",
                        "properties": { "op": op("write"), "path": text, "text": text },
                        "required": ["op", "path", "text"],
                    },
                ],
            });
            assert_eq!(property(tools![run_named][0], "op").await, expected);
        });
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Flat {
        /// Which one.
        id: u8,
        #[serde(flatten)]
        op: Op,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    enum Either {
        ById { id: u8 },
        ByName { name: String },
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    enum External {
        Get(Flat),
        Put { id: u8 },
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind", content = "value")]
    enum Adjacent {
        Text(String),
        Number(u8),
    }

    #[tool]
    fn flat(#[args] flat: Flat) -> u8 {
        let Flat { id, op } = flat;
        drop(op);
        id
    }

    #[tool]
    fn untagged(#[args] either: Either) -> u8 {
        match either {
            Either::ById { id } => id,
            Either::ByName { name } => u8::from(name.is_empty()),
        }
    }

    #[tool]
    fn external(#[args] external: External) -> u8 {
        match external {
            External::Get(flat) => flat.id,
            External::Put { id } => id,
        }
    }

    #[tool]
    fn adjacent(#[args] adjacent: Adjacent) -> u8 {
        match adjacent {
            Adjacent::Text(text) => u8::from(text.is_empty()),
            Adjacent::Number(number) => number,
        }
    }

    #[test]
    fn makes_every_kind_of_enum_a_plain_object_at_the_root() {
        block_on(async {
            for (tool, names, required) in [
                (tools![flat][0], "id op path text", json!(["id", "op", "path"])),
                (tools![untagged][0], "id name", Value::Null),
                (tools![external][0], "Get Put", Value::Null),
                (tools![adjacent][0], "kind value", json!(["kind", "value"])),
            ] {
                let schema = input_schema(tool).await;
                assert_eq!(schema["type"], "object", "{schema}");
                for keyword in ["oneOf", "anyOf", "allOf", "enum", "not", "$ref"] {
                    assert_eq!(schema.get(keyword), None, "{schema}");
                }
                let properties = schema["properties"].as_object().unwrap();
                let listed: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
                assert_eq!(listed, names.split(' ').collect(), "{schema}");
                let mut own = schema.get("required").cloned().unwrap_or_default();
                if let Some(own) = own.as_array_mut() {
                    own.sort_by_key(Value::to_string);
                }
                assert_eq!(own, required, "{schema}");
            }
        });
    }
}

mod enums {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    enum Bare {
        Low,
        High,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    enum Documented {
        /// Quiet.
        Low,
        /// Loud,
        /// and long.
        High,
    }

    /// How loud.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    enum Partly {
        /// Quiet.
        Low,
        High,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    enum Mixed {
        /// Quiet.
        Low,
        Level(u8),
    }

    #[tool]
    fn set(
        bare: Bare,
        documented: Documented,
        partly: Partly,
        /// For the night.
        described: Documented,
        list: Vec<Documented>,
        mixed: Mixed,
    ) {
        let _ = (bare, documented, partly, described, list, mixed);
    }

    #[test]
    fn publishes_the_same_enum_with_and_without_comments() {
        block_on(async {
            let properties = input_schema(tools![set][0]).await["properties"].take();
            let description = "- `Low`: Quiet.\n- `High`: Loud, and long.";
            let documented = json!({ "type": "string", "enum": ["Low", "High"], "description": description });
            assert_eq!(properties["bare"], json!({ "type": "string", "enum": ["Low", "High"] }));
            assert_eq!(properties["documented"], documented);
            assert_eq!(properties["list"], json!({ "type": "array", "items": documented }));
        });
    }

    #[test]
    fn keeps_an_enum_of_which_some_variants_have_comments() {
        block_on(async {
            // The variants without a comment come first; the schemas that are derived have them so.
            let description = "How loud.\n- `Low`: Quiet.";
            let expected = json!({ "type": "string", "enum": ["High", "Low"], "description": description });
            assert_eq!(property(tools![set][0], "partly").await, expected);
        });
    }

    #[test]
    fn keeps_the_texts_of_variants_beside_that_of_the_parameter() {
        block_on(async {
            let description = "For the night.\n- `Low`: Quiet.\n- `High`: Loud, and long.";
            assert_eq!(property(tools![set][0], "described").await["description"], description);
        });
    }

    #[test]
    fn keeps_a_union_for_an_enum_with_data() {
        block_on(async {
            let level = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            let expected = json!({
                "oneOf": [
                    { "type": "string", "const": "Low", "description": "Quiet." },
                    {
                        "type": "object",
                        "properties": { "Level": level },
                        "required": ["Level"],
                        "additionalProperties": false,
                    },
                ],
            });
            assert_eq!(property(tools![set][0], "mixed").await, expected);
        });
    }
}

mod lists {
    use super::*;

    #[tool]
    fn draw(
        line: ((f64, f64), (f64, f64)),
        rgb: [u8; 3],
        raw: Vec<Value>,
        names: BTreeSet<String>,
        mixed: (u8, String),
        none: [u8; 0],
    ) {
        let _ = (line, rgb, raw, names, mixed, none);
    }

    #[test]
    fn publishes_items_for_tuples_arrays_and_sets() {
        block_on(async {
            let number = json!({ "type": "number", "format": "double" });
            let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            let text = json!({ "type": "string" });
            let point = json!({ "type": "array", "items": number, "minItems": 2, "maxItems": 2 });
            let expected = json!({
                "line": { "type": "array", "items": point, "minItems": 2, "maxItems": 2 },
                "rgb": { "type": "array", "items": byte, "minItems": 3, "maxItems": 3 },
                "raw": { "type": "array", "items": { "description": "any JSON value" } },
                "names": { "type": "array", "items": text },
                "mixed": {
                    "type": "array",
                    "prefixItems": [byte, text],
                    "items": { "anyOf": [byte, text] },
                    "minItems": 2,
                    "maxItems": 2,
                },
                "none": { "type": "array", "items": {}, "maxItems": 0 },
            });
            let mut properties = input_schema(tools![draw][0]).await["properties"].take();
            // What stands for the items of an array that has none is all the same, but something has to.
            let items = std::mem::replace(&mut properties["none"]["items"], json!({}));
            assert!(items.is_object(), "{items}");
            assert_eq!(properties, expected);
        });
    }
}

mod agreement {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Inner {
        n: u8,
        #[serde(default)]
        deep: bool,
        note: Option<String>,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Tight {
        a: u8,
    }

    #[tool]
    fn check(
        inner: Inner,
        tight: Option<Tight>,
        pair: (u8, String),
        #[arg(len = 1..=2)] list: Vec<u8>,
        names: BTreeMap<String, u8>,
    ) -> String {
        let _ = (inner, tight, pair, list, names);
        String::new()
    }

    /// One argument of a call that fits, changed.
    fn changed(name: &str, value: Value) -> Value {
        let mut arguments =
            json!({ "inner": { "n": 1 }, "tight": { "a": 1 }, "pair": [1, "a"], "list": [1], "names": { "x": 1 } });
        arguments[name] = value;
        arguments
    }

    #[test]
    fn accepts_what_the_schema_accepts_and_nothing_else() {
        block_on(async {
            let server = Server::new("t", "1").strict_arguments().tools(tools![check]);
            let mut wire = Wire::initialized(server, "2025-11-25").await;
            for (name, value, fits) in [
                ("inner", json!({ "n": 1 }), true),
                ("inner", json!({ "n": 1.0, "deep": true, "note": "x" }), true),
                ("inner", json!({ "n": 1, "more": 1 }), true),
                ("inner", json!({ "n": 1.5 }), false),
                ("inner", json!({ "n": 256 }), false),
                ("inner", json!({}), false),
                ("inner", json!({ "n": 1, "deep": 1 }), false),
                ("inner", json!([1, true, "x"]), false),
                ("tight", json!({ "a": 1, "zz": 1 }), false),
                ("tight", json!([1]), false),
                ("pair", json!([1, "a"]), true),
                ("pair", json!([1]), false),
                ("pair", json!([1, "a", 2]), false),
                ("pair", json!(["a", 1]), false),
                ("list", json!([]), false),
                ("list", json!([1, 2]), true),
                ("list", json!([1, 2, 3]), false),
                ("list", json!([1, "2"]), false),
                ("names", json!({}), true),
                ("names", json!({ "x": "1" }), false),
                ("names", json!([["x", 1]]), false),
                ("other", json!(1), false),
            ] {
                let result = wire.call("check", changed(name, value.clone())).await;
                assert_eq!(result.get("isError").is_none(), fits, "{name}: {value}: {result}");
            }
        });
    }
}
