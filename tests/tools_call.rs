//! Listing tools and calling them: schemas, arguments, and results in each revision.

#![allow(
    clippy::needless_pass_by_value,
    clippy::option_option,
    clippy::too_many_arguments,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the tools have the shapes that are tested"
)]

mod common;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use common::memory::{Wire, block_on, modern};
use mcp_runtime::{
    Annotations, CallToolResult, ContentBlock, Context, Resource, ResourceContents, Role, Server, ToolError, tool,
    tools,
};
use serde_json::{Value, json};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// Opens a connection that serves the revision.
async fn connect(server: Server, revision: &str) -> Wire {
    match revision {
        "2026-07-28" => Wire::open(server),
        revision => Wire::initialized(server, revision).await,
    }
}

/// Calls a tool in a revision; returns the result without what every modern result has.
async fn call(server: Server, revision: &str, tool: &str, arguments: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": arguments });
    if revision == "2026-07-28" {
        params = modern(params);
    }
    let mut response = connect(server, revision).await.request("tools/call", params).await;
    let mut result = response["result"].take();
    if revision == "2026-07-28" {
        let members = result.as_object_mut().unwrap_or_else(|| panic!("{response}"));
        assert_eq!(members.remove("resultType"), Some("complete".into()));
        assert!(members.remove("_meta").is_some());
    }
    result
}

#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
struct Row {
    /// The number.
    id: u32,
    note: Option<String>,
}

/// A unit of temperature.
#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Forecast the weather.
///
/// For up to a week.
#[tool(title = "Weather", read_only, idempotent, destructive = false, open_world = true)]
async fn forecast(
    /// City and country.
    place: &str,
    ctx: &Context,
    days: Option<u8>,
    /// Defaults to Celsius.
    unit: Option<Unit>,
) -> Result<Row, String> {
    let _ = ctx.request_id();
    let unit = if matches!(unit, Some(Unit::Fahrenheit)) { "F" } else { "C" };
    Ok(Row { id: days.unwrap_or(3).into(), note: Some(format!("{place} in {unit}")) })
}

/// Nothing in, nothing out.
#[tool(name = "no-op")]
fn no_op() {}

#[tool]
fn numbers() -> Vec<u32> {
    vec![1, 2]
}

#[test]
fn lists_what_the_signature_says() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![forecast, no_op, numbers]), "2026-07-28").await;
        let result = wire.request("tools/list", modern(json!({}))).await["result"].take();
        let row = json!({
            "type": "object",
            "properties": {
                "id": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "The number." },
                "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            },
            "required": ["id", "note"],
        });
        let expected = json!([
            {
                "name": "forecast",
                "title": "Weather",
                "description": "Forecast the weather.\n\nFor up to a week.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "place": { "type": "string", "description": "City and country." },
                        "days": { "type": "integer", "minimum": 0, "maximum": 255 },
                        "unit": {
                            "type": "string",
                            "enum": ["Celsius", "Fahrenheit"],
                            "description": "Defaults to Celsius.",
                        },
                    },
                    "required": ["place"],
                    "additionalProperties": false,
                },
                "outputSchema": row,
                "annotations": {
                    "readOnlyHint": true,
                    "destructiveHint": false,
                    "idempotentHint": true,
                    "openWorldHint": true,
                },
            },
            {
                "name": "no-op",
                "description": "Nothing in, nothing out.",
                "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
            },
            {
                "name": "numbers",
                "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
                "outputSchema": { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": u32::MAX } },
            },
        ]);
        assert_eq!(result["tools"], expected);
        assert_eq!(result.get("nextCursor"), None);
    });
}

#[test]
fn lists_the_members_that_the_revision_has() {
    block_on(async {
        for revision in &REVISIONS[..4] {
            let mut wire = connect(Server::new("t", "1").tools(tools![forecast, numbers]), revision).await;
            let tools = wire.request("tools/list", json!({})).await["result"]["tools"].take();
            let has = |member: &str| tools[0].get(member).is_some();
            assert!(has("name") && has("description") && has("inputSchema"), "{revision}");
            assert_eq!(has("annotations"), *revision >= "2025-03-26", "{revision}");
            assert_eq!(has("title"), *revision >= "2025-06-18", "{revision}");
            assert_eq!(has("outputSchema"), *revision >= "2025-06-18", "{revision}");
            if *revision >= "2025-06-18" {
                let item = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
                let list = json!({ "type": "array", "items": item });
                let wrapped = json!({ "type": "object", "properties": { "result": list }, "required": ["result"] });
                assert_eq!(tools[1]["outputSchema"], wrapped);
            }
        }
    });
}

#[test]
fn lists_properties_in_the_order_of_the_parameters() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![forecast]), "2025-11-25").await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
        let line = wire.receive_line().await;
        let place = line.find(r#""place":"#).unwrap();
        let days = line.find(r#""days":"#).unwrap();
        let unit = line.find(r#""unit":"#).unwrap();
        assert!(place < days && days < unit, "{line}");
    });
}

mod paged {
    use mcp_runtime::tool;

    #[tool]
    pub(crate) fn a() {}
    #[tool]
    pub(crate) fn b() {}
    #[tool]
    pub(crate) fn c() {}
    #[tool]
    pub(crate) fn d() {}
    #[tool]
    pub(crate) fn e() {}
}

#[test]
fn lists_in_pages() {
    block_on(async {
        let server =
            || Server::new("t", "1").tools(tools![paged::e, paged::a, paged::d, paged::b, paged::c]).page_size(2);
        let (mut names, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            // A cursor is good on every connection, also after a restart.
            let mut wire = connect(server(), "2026-07-28").await;
            let params = cursor.map_or_else(|| json!({}), |cursor: Value| json!({ "cursor": cursor }));
            let result = wire.request("tools/list", modern(params)).await["result"].take();
            assert_eq!(result["cacheScope"], "private");
            let tools = result["tools"].as_array().unwrap();
            names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
            pages += 1;
            match result.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        assert_eq!((names.join(""), pages), ("eadbc".to_owned(), 3));
        for cursor in ["garbage", "", "2"] {
            let mut wire = connect(server(), "2026-07-28").await;
            let error = wire.request("tools/list", modern(json!({ "cursor": cursor }))).await["error"].take();
            assert_eq!(error["code"], -32602, "{cursor:?}");
        }
    });
}

#[test]
fn lists_exactly_one_page_without_a_cursor() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![paged::a, paged::b]).page_size(2);
        let result = connect(server, "2025-11-25").await.request("tools/list", json!({})).await["result"].take();
        assert_eq!(result["tools"].as_array().map(Vec::len), Some(2));
        assert_eq!(result.get("nextCursor"), None);
    });
}

#[test]
fn refuses_to_start_with_two_tools_of_one_name() {
    block_on(async {
        let server = Server::new("t", "1");
        let server = server.tools(tools![paged::a, paged::b]).tools(tools![paged::b]).tools(tools![paged::c, paged::a]);
        let error = server.connect().await.unwrap_err().to_string();
        // Both come from the file of the module, each from its own line.
        let lines: Vec<&str> = error.lines().collect();
        let [a, b] = lines[..] else { panic!("{error}") };
        assert!(a.starts_with("the tool `a`, made at tests/tools_call.rs:") && a.ends_with(" is added 2 times"), "{a}");
        assert!(b.starts_with("the tool `b`, made at tests/tools_call.rs:") && b.ends_with(" is added 2 times"), "{b}");
    });
}

#[test]
fn takes_missing_null_and_empty_arguments() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![no_op, forecast, optional]), "2025-11-25").await;
        for arguments in ["", r#","arguments":null"#, r#","arguments":{}"#] {
            for name in ["no-op", "optional"] {
                let params = format!(r#"{{"name":"{name}"{arguments}}}"#);
                let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
                assert_eq!(wire.exchange(&line).await["result"], json!({ "content": [] }), "{name} {arguments}");
            }
            let params = format!(r#"{{"name":"forecast"{arguments}}}"#);
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let result = wire.exchange(&line).await["result"].take();
            assert_eq!(result["isError"], true);
            assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("`place`")), "{result}");
        }
    });
}

type Maybe<T> = Option<T>;

#[tool]
fn optional(a: Maybe<u8>, b: std::option::Option<String>, c: Option<Option<u8>>) {
    let _ = (a, b, c);
}

#[test]
fn takes_null_for_what_is_optional() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![forecast, optional]), "2025-11-25").await;
        let arguments = json!({ "place": "Pune", "days": null, "unit": null });
        assert_eq!(wire.call("forecast", arguments).await["structuredContent"]["id"], 3);
        wire.call("optional", json!({ "a": null, "b": null, "c": null })).await;
        let text = wire.failure("forecast", json!({ "place": null })).await;
        assert!(text.contains("`place` is required and must not be null"), "{text}");
    });
}

#[test]
fn tells_every_problem_at_once() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![forecast, no_op]), "2025-11-25").await;
        let arguments = json!({ "plaice": "Pune", "days": "many", "unit": "Kelvin", "ctx": 1 });
        let text = wire.failure("forecast", arguments).await;
        let expected = "the arguments of `forecast` do not fit:
- `plaice` is not an argument; did you mean `place`?
- `ctx` is not an argument
- the arguments are: `place`, `days`, `unit`
- `place` is required and missing
- `days`: expected integer from 0 to 255, got string \"many\"
- `unit`: expected one of \"Celsius\", \"Fahrenheit\", got \"Kelvin\"";
        assert_eq!(text, expected);
        let text = wire.failure("no-op", json!({ "x": 1 })).await;
        assert_eq!(text, "the arguments of `no-op` do not fit:\n- `x` is not an argument\n- the arguments are: none");
    });
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Step {
    n: u32,
}

#[tool]
fn plan(steps: Vec<Step>, by_name: BTreeMap<String, Step>) -> usize {
    steps.len() + by_name.len()
}

#[test]
fn names_the_place_inside_of_a_value() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![plan]), "2025-11-25").await;
        let arguments = json!({ "steps": [{ "n": 1 }, { "n": "two" }], "by_name": { "a": {} } });
        let text = wire.failure("plan", arguments).await;
        assert_eq!(
            text,
            "the arguments of `plan` do not fit:
- `steps[1].n`: expected integer from 0 to 4294967295, got string \"two\"
- `by_name.a.n` is required and missing"
        );
    });
}

#[test]
fn refuses_an_argument_that_is_given_twice() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![optional]), "2025-11-25").await;
        let params = r#"{"name":"optional","arguments":{"a":1,"a":2}}"#;
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let result = wire.exchange(&line).await["result"].take();
        assert_eq!(result["isError"], true);
        assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("`a` is given twice")));
    });
}

#[test]
fn shortens_long_values_in_problems() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![optional]), "2025-11-25").await;
        let text = wire.failure("optional", json!({ "a": "é".repeat(10_000) })).await;
        assert!(text.ends_with(&format!("got string \"{}…", "é".repeat(59))), "{text}");
    });
}

#[test]
fn answers_what_is_no_call_with_an_error() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![no_op]), "2025-11-25").await;
        for params in [
            json!({ "arguments": {} }),
            json!({ "name": ["no-op"] }),
            json!({ "name": null }),
            json!({ "name": "no-op", "arguments": [] }),
            json!({ "name": "no-op", "arguments": "{}" }),
        ] {
            let response = wire.request("tools/call", params).await;
            assert_eq!(response["error"]["code"], -32602, "{response}");
        }
        let response = wire.request("tools/call", json!({ "name": "no_op" })).await;
        assert_eq!(
            response["error"],
            json!({ "code": -32602, "message": "unknown tool: no_op; did you mean `no-op`?" })
        );
        wire.assert_silent().await;
    });
}

#[tool]
async fn every_way(
    text: &str,
    cow: Cow<'_, str>,
    bytes: &[u8],
    path: &Path,
    step: &Step,
    owned: String,
    mut count: u64,
    big: i64,
    r#type: char,
) -> String {
    count -= 1;
    tokio::task::yield_now().await;
    format!("{text} {cow} {bytes:?} {} {} {owned} {count} {big} {}", path.display(), step.n, r#type)
}

#[test]
fn lends_and_gives_arguments_exactly() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![every_way]), "2025-11-25").await;
        let arguments = json!({
            "text": "a\n\"b\"\u{1F980}",
            "cow": "\\c",
            "bytes": [0, 255],
            "path": "/tmp/x",
            "step": { "n": 7 },
            "owned": "o",
            "count": u64::MAX,
            "big": i64::MIN,
            "type": "é",
        });
        let result = wire.call("every_way", arguments).await;
        let text = "a\n\"b\"\u{1F980} \\c [0, 255] /tmp/x 7 o 18446744073709551614 -9223372036854775808 é";
        assert_eq!(result, json!({ "content": [{ "type": "text", "text": text }] }));
    });
}

#[tool]
fn number() -> f64 {
    1.5
}

#[tool]
fn row() -> Row {
    Row { id: 1, note: None }
}

#[tool]
fn maybe(there: bool) -> Option<Row> {
    there.then_some(Row { id: 1, note: None })
}

#[tool]
fn text() -> Cow<'static, str> {
    "two \"lines\"\n".into()
}

#[test]
fn sends_results_as_the_revision_has_them() {
    block_on(async {
        let server = || Server::new("t", "1").tools(tools![numbers, number, row, maybe, text, no_op]);
        let both = |text: &str, value: Value| json!({ "content": [{ "type": "text", "text": text }], "structuredContent": value });
        let only = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        for revision in REVISIONS {
            // Bare, wrapped, or as text alone.
            let list = |bare: &str| match revision {
                "2026-07-28" => both(bare, serde_json::from_str(bare).unwrap()),
                "2025-06-18" | "2025-11-25" => {
                    let wrapped = format!(r#"{{"result":{bare}}}"#);
                    both(&wrapped, serde_json::from_str(&wrapped).unwrap())
                }
                _ => only(bare),
            };
            assert_eq!(call(server(), revision, "numbers", json!({})).await, list("[1,2]"), "{revision}");
            assert_eq!(call(server(), revision, "number", json!({})).await, list("1.5"), "{revision}");
            let some = call(server(), revision, "maybe", json!({ "there": true })).await;
            assert_eq!(some, list(r#"{"id":1,"note":null}"#), "{revision}");

            let object = r#"{"id":1,"note":null}"#;
            let expected = if revision >= "2025-06-18" {
                both(object, serde_json::from_str(object).unwrap())
            } else {
                only(object)
            };
            assert_eq!(call(server(), revision, "row", json!({})).await, expected, "{revision}");

            let none = match revision {
                "2026-07-28" => both("null", Value::Null),
                "2025-06-18" | "2025-11-25" => json!({ "content": [], "structuredContent": { "result": null } }),
                _ => json!({ "content": [] }),
            };
            assert_eq!(call(server(), revision, "maybe", json!({ "there": false })).await, none, "{revision}");
            assert_eq!(call(server(), revision, "text", json!({})).await, only("two \"lines\"\n"), "{revision}");
            assert_eq!(call(server(), revision, "no-op", json!({})).await, json!({ "content": [] }), "{revision}");
        }
    });
}

#[tool]
fn blocks() -> Vec<ContentBlock> {
    let mut link = Resource::new("file:///a.txt", "a");
    link.size = Some(3);
    vec![
        ContentBlock::text("t").annotated(Annotations::new().audience([Role::User]).priority(0.5)),
        ContentBlock::image([1, 2, 3], "image/png"),
        ContentBlock::audio(b"wav", "audio/wav"),
        ContentBlock::resource(ResourceContents::text("file:///b.txt", "b").mime_type("text/plain")),
        ContentBlock::resource(ResourceContents::blob("file:///c", [255])),
        ContentBlock::resource_link(link),
    ]
}

#[tool]
fn block() -> Result<ContentBlock, String> {
    Ok(ContentBlock::text("one"))
}

#[tool]
fn full() -> CallToolResult {
    CallToolResult::new([ContentBlock::text("3 of 5")]).structured(json!([3, 5])).failed()
}

#[test]
fn sends_content_blocks_as_they_are() {
    block_on(async {
        let server = || Server::new("t", "1").tools(tools![blocks, block, full]);
        let text = json!({ "type": "text", "text": "t", "annotations": { "audience": ["user"], "priority": 0.5 } });
        let image = json!({ "type": "image", "data": "AQID", "mimeType": "image/png" });
        let audio = json!({ "type": "audio", "data": "d2F2", "mimeType": "audio/wav" });
        let embedded = json!({
            "type": "resource",
            "resource": { "uri": "file:///b.txt", "mimeType": "text/plain", "text": "b" },
        });
        let blob = json!({ "type": "resource", "resource": { "uri": "file:///c", "blob": "/w==" } });
        let link = json!({ "type": "resource_link", "uri": "file:///a.txt", "name": "a", "size": 3 });
        for revision in REVISIONS {
            let mut expected =
                vec![text.clone(), image.clone(), audio.clone(), embedded.clone(), blob.clone(), link.clone()];
            if revision < "2025-03-26" {
                let note = "[audio of type audio/wav: this client's protocol version cannot carry it]";
                expected[2] = json!({ "type": "text", "text": note });
            }
            if revision < "2025-06-18" {
                expected[5] = json!({ "type": "text", "text": "a: file:///a.txt" });
            }
            assert_eq!(
                call(server(), revision, "blocks", json!({})).await,
                json!({ "content": expected }),
                "{revision}"
            );
            let one = json!({ "content": [{ "type": "text", "text": "one" }] });
            assert_eq!(call(server(), revision, "block", json!({})).await, one, "{revision}");

            let mut whole = json!({ "content": [{ "type": "text", "text": "3 of 5" }], "isError": true });
            match revision {
                "2026-07-28" => whole["structuredContent"] = json!([3, 5]),
                "2025-06-18" | "2025-11-25" => whole["structuredContent"] = json!({ "result": [3, 5] }),
                _ => {}
            }
            assert_eq!(call(server(), revision, "full", json!({})).await, whole, "{revision}");
        }
        let mut client = server().connect().await.unwrap();
        for tool in client.list_tools().await.unwrap() {
            assert_eq!(tool.get("outputSchema"), None, "{tool}");
        }
    });
}

#[derive(Debug)]
struct Oops(std::num::ParseIntError);

impl fmt::Display for Oops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot read the number")
    }
}

impl std::error::Error for Oops {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Displays, and is no error.
struct Bare;

impl fmt::Display for Bare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bare")
    }
}

type Own<T> = Result<T, Oops>;

#[tool]
fn aliased(text: &str) -> Own<Row> {
    Ok(Row { id: text.parse().map_err(Oops)?, note: None })
}

#[tool]
fn boxed(text: &str) -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
    Ok(aliased(text)?)
}

#[tool]
fn displayed() -> Result<(), Bare> {
    Err(Bare)
}

#[tool]
fn chosen(how: &str) -> Result<Row, ToolError> {
    match how {
        "failure" => Err(ToolError::failure("no")),
        "data" => Err(ToolError::failure("no").with_data(json!({ "retry": 5 }))),
        _ => Err(ToolError::protocol(7, "not here").with_data(json!(1))),
    }
}

#[test]
fn tells_errors_with_their_sources() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![aliased, boxed, displayed, chosen]);
        let mut wire = connect(server, "2025-11-25").await;
        let text = "cannot read the number: invalid digit found in string";
        assert_eq!(wire.failure("aliased", json!({ "text": "x" })).await, text);
        assert_eq!(wire.failure("boxed", json!({ "text": "x" })).await, text);
        assert_eq!(wire.failure("displayed", json!({})).await, "bare");
        assert_eq!(wire.failure("chosen", json!({ "how": "failure" })).await, "no");
        assert_eq!(wire.call("aliased", json!({ "text": "7" })).await["structuredContent"]["id"], 7);
        let with_data = wire.call("chosen", json!({ "how": "data" })).await;
        assert_eq!((&with_data["isError"], &with_data["structuredContent"]["retry"]), (&json!(true), &json!(5)));
        let params = json!({ "name": "chosen", "arguments": { "how": "protocol" } });
        let response = wire.request("tools/call", params).await;
        assert_eq!(response["error"], json!({ "code": 7, "message": "not here", "data": 1 }));
        // The schema is that of the value, whatever the alias is called.
        let tools = wire.request("tools/list", json!({})).await["result"]["tools"].take();
        assert_eq!(tools[0]["outputSchema"]["properties"]["id"]["type"], "integer");
    });
}

/// Fail with an error of that code.
#[tool]
fn coded(code: i64) -> Result<(), ToolError> {
    Err(ToolError::protocol(code, "no").with_data(json!(1)))
}

#[test]
fn sends_no_code_that_the_revision_reserves() {
    block_on(async {
        for revision in ["2025-11-25", "2026-07-28"] {
            let mut wire = connect(Server::new("t", "1").tools(tools![coded]), "2025-11-25").await;
            for code in [-32002, -32023, -32042, -32099, -32001, -32020, -32021, -32022, -32100, -32603, 7] {
                let is_reserved = code == -32002 || (-32099..=-32023).contains(&code);
                let mut params = json!({ "name": "coded", "arguments": { "code": code } });
                if revision == "2026-07-28" {
                    params = modern(params);
                }
                let expected = if is_reserved && revision == "2026-07-28" { -32603 } else { code };
                let error = wire.request("tools/call", params).await["error"].take();
                assert_eq!(error, json!({ "code": expected, "message": "no", "data": 1 }), "{revision}");
            }
        }
    });
}

#[tool]
async fn panics(late: bool) -> u8 {
    if late {
        tokio::task::yield_now().await;
    }
    panic!("secret");
}

#[tool]
fn panics_in_sync() -> u8 {
    std::panic::panic_any(7_u8);
}

#[derive(schemars::JsonSchema)]
struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("cannot"))
    }
}

#[tool]
fn unwritable() -> Unwritable {
    Unwritable
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Measured {
    name: Option<String>,
    values: Vec<f64>,
    best: Option<f32>,
}

#[tool]
fn measured(values: Vec<f64>, divisor: f64) -> Measured {
    Measured { name: None, values: values.iter().map(|value| value / divisor).collect(), best: None }
}

#[test]
fn fails_a_result_with_a_number_that_is_not_finite() {
    block_on(async {
        let mut wire = connect(Server::new("t", "1").tools(tools![measured]), "2025-11-25").await;
        let result = wire.call("measured", json!({ "values": [1, 2.5], "divisor": 1 })).await;
        assert_eq!(result["structuredContent"], json!({ "name": null, "values": [1.0, 2.5], "best": null }));
        let text = wire.failure("measured", json!({ "values": [1, 0], "divisor": 0 })).await;
        let expected = "the tool's result cannot be sent, since JSON has no infinite numbers and no NaN: \
                        `result.values[0]`: expected number, got null";
        assert_eq!(text, expected);
    });
}

#[test]
fn contains_what_goes_wrong_in_a_tool() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![panics, panics_in_sync, unwritable, no_op]);
        let mut wire = connect(server, "2025-11-25").await;
        for (tool, arguments) in
            [("panics", json!({ "late": false })), ("panics", json!({ "late": true })), ("panics_in_sync", json!({}))]
        {
            let response = wire.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
            assert_eq!(response["error"], json!({ "code": -32603, "message": "the tool failed unexpectedly" }));
        }
        let text = wire.failure("unwritable", json!({})).await;
        assert_eq!(text, "the tool's result cannot be written as JSON: cannot");
        wire.call("no-op", json!({})).await;
    });
}

#[test]
fn lists_the_same_bytes_each_time() {
    block_on(async {
        let mut lines = Vec::new();
        for _ in 0..3 {
            let mut wire =
                connect(Server::new("t", "1").tools(tools![forecast, plan, every_way, row]), "2025-11-25").await;
            wire.send_line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
            lines.push(wire.receive_line().await);
        }
        lines.dedup();
        assert_eq!(lines.len(), 1);
    });
}

/// Tell what the request says besides its arguments.
#[tool]
fn said(text: Option<String>, ctx: &Context) -> Vec<Value> {
    let client = ctx.client().map(|client| client.name);
    vec![text.into(), ctx.meta().into(), client.into()]
}

#[test]
fn tells_a_tool_the_meta_of_its_request_and_who_calls() {
    block_on(async {
        let server = || Server::new("t", "1").tools(tools![said]);
        let meta = json!({ "progressToken": 7, "example.org/x": { "y": [1] } });
        let mut wire = connect(server(), "2025-06-18").await;
        let params = json!({ "name": "said", "arguments": { "text": "a" }, "_meta": meta, "task": { "ttl": 1 } });
        let result = wire.request("tools/call", params).await["result"].take();
        assert_eq!(result["structuredContent"]["result"], json!(["a", meta, "test"]));
        let result = wire.request("tools/call", json!({ "name": "said" })).await["result"].take();
        assert_eq!(result["structuredContent"]["result"], json!([null, {}, "test"]));
        // A request of the modern era says it itself, whatever the session beside it has said.
        let mut params = modern(json!({ "name": "said" }));
        let result = wire.request("tools/call", params.clone()).await["result"].take();
        assert_eq!(result["structuredContent"], json!([null, params["_meta"], null]));
        params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "other", "version": "2" });
        let result = wire.request("tools/call", params.clone()).await["result"].take();
        assert_eq!(result["structuredContent"], json!([null, params["_meta"], "other"]));
    });
}
