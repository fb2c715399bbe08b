//! Results and errors: what a returned value becomes, beyond what `tools_call.rs` shows.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the tools have the shapes that are tested"
)]

mod common;

use std::error::Error;
use std::fmt;

use common::memory::{block_on, listed, session};
use mcp_runtime::{CallToolResult, ContentBlock, Revision, Server, ToolError, tool, tools};
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
struct Row {
    id: u32,
}

/// The schema of a [`Row`].
fn row_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "id": { "type": "integer", "minimum": 0, "maximum": u32::MAX } },
        "required": ["id"],
    })
}

mod values {
    use super::*;

    #[derive(serde::Serialize, schemars::JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Shape {
        Round { radius: u8 },
        Square { side: u8 },
    }

    #[derive(serde::Serialize, schemars::JsonSchema)]
    enum Level {
        Low,
        High,
    }

    #[tool]
    fn shape(round: bool) -> Shape {
        if round { Shape::Round { radius: 1 } } else { Shape::Square { side: 2 } }
    }

    #[tool]
    fn level(low: bool) -> Level {
        if low { Level::Low } else { Level::High }
    }

    #[tool]
    fn row_or_error() -> Result<Row, String> {
        Ok(Row { id: 1 })
    }

    #[tool]
    fn text_or_error() -> Result<String, String> {
        Ok("x".to_owned())
    }

    #[tool]
    fn blocks_or_error() -> Result<Vec<ContentBlock>, String> {
        Ok(Vec::new())
    }

    #[tool]
    fn nothing_or_error() -> Result<(), String> {
        Ok(())
    }

    /// The output schemas of tools in a revision, by the names of the tools.
    async fn output_schemas(revision: Revision) -> Value {
        let server = Server::new("t", "1").tools(tools![
            shape,
            level,
            row_or_error,
            text_or_error,
            blocks_or_error,
            nothing_or_error
        ]);
        let tools = server.connect_as(revision).await.unwrap().list_tools().await.unwrap();
        let schemas = tools.iter().filter_map(|tool| Some((tool["name"].as_str()?, tool.get("outputSchema")?.clone())));
        json!(schemas.collect::<std::collections::BTreeMap<_, _>>())
    }

    fn shape_schema() -> Value {
        let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        let branch = |kind: &str, member: &str| {
            json!({
                "type": "object",
                "properties": { "kind": { "type": "string", "const": kind }, member: byte },
                "required": ["kind", member],
            })
        };
        json!({ "oneOf": [branch("round", "radius"), branch("square", "side")] })
    }

    #[test]
    fn publishes_the_schema_of_the_success_value_alone() {
        block_on(async {
            let expected = json!({
                "level": { "type": "string", "enum": ["Low", "High"] },
                "row_or_error": row_schema(),
                "shape": shape_schema(),
            });
            assert_eq!(output_schemas(Revision::V2026_07_28).await, expected);
        });
    }

    #[test]
    fn publishes_objects_alone_where_the_revision_demands_them() {
        block_on(async {
            let wrapped =
                |schema: Value| json!({ "type": "object", "properties": { "result": schema }, "required": ["result"] });
            let expected = json!({
                "level": wrapped(json!({ "type": "string", "enum": ["Low", "High"] })),
                "row_or_error": row_schema(),
                "shape": wrapped(shape_schema()),
            });
            for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
                assert_eq!(output_schemas(revision).await, expected, "{revision}");
            }
        });
    }

    #[test]
    fn publishes_no_output_schema_before_there_was_one() {
        block_on(async {
            for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
                assert_eq!(output_schemas(revision).await, json!({}), "{revision}");
            }
        });
    }

    #[test]
    fn wraps_an_enum_with_data_like_its_schema() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![shape])).await;
            let result = wire.call("shape", json!({ "round": true })).await;
            assert_eq!(result["structuredContent"], json!({ "result": { "kind": "round", "radius": 1 } }));
            let mut client = Server::new("t", "1").tools(tools![shape]).connect().await.unwrap();
            let result = client.call_tool("shape", json!({ "round": false })).await.unwrap();
            assert_eq!(result["structuredContent"], json!({ "kind": "square", "side": 2 }));
        });
    }

    #[test]
    fn structures_an_enum_of_names_and_no_other_string() {
        block_on(async {
            let mut client = Server::new("t", "1").tools(tools![level, text_or_error]).connect().await.unwrap();
            let result = client.call_tool("level", json!({ "low": false })).await.unwrap();
            assert_eq!(
                (&result["structuredContent"], &result["content"][0]["text"]),
                (&json!("High"), &json!("\"High\""))
            );
            let result = client.call_tool("text_or_error", json!({})).await.unwrap();
            assert_eq!((result.get("structuredContent"), &result["content"][0]["text"]), (None, &json!("x")));
        });
    }

    #[tool]
    fn optional_text(there: bool) -> Option<String> {
        there.then(|| "x".to_owned())
    }

    #[tool]
    fn no_blocks() -> Vec<ContentBlock> {
        Vec::new()
    }

    #[tool]
    fn maybe_block(there: bool) -> Option<ContentBlock> {
        there.then(|| ContentBlock::text("x"))
    }

    #[tool]
    fn full() -> CallToolResult {
        CallToolResult::new([])
    }

    #[test]
    fn always_has_a_list_of_content() {
        block_on(async {
            let server = Server::new("t", "1").tools(tools![nothing_or_error, no_blocks, maybe_block, full]);
            let mut wire = session(server).await;
            assert_eq!(wire.call("nothing_or_error", json!({})).await, json!({ "content": [] }));
            assert_eq!(wire.call("no_blocks", json!({})).await, json!({ "content": [] }));
            assert_eq!(wire.call("full", json!({})).await, json!({ "content": [] }));
            assert_eq!(wire.call("maybe_block", json!({ "there": false })).await, json!({ "content": [] }));
            let block = json!({ "content": [{ "type": "text", "text": "x" }] });
            assert_eq!(wire.call("maybe_block", json!({ "there": true })).await, block);
        });
    }

    #[test]
    fn mirrors_none_as_null_in_the_latest_revision_alone() {
        block_on(async {
            let tools = || Server::new("t", "1").tools(tools![optional_text]);
            let arguments = json!({ "there": false });
            let mut client = tools().connect().await.unwrap();
            let result = client.call_tool("optional_text", arguments.clone()).await.unwrap();
            assert_eq!(result["content"], json!([{ "type": "text", "text": "null" }]));
            assert_eq!(result.get("structuredContent"), Some(&Value::Null));
            let result = session(tools()).await.call("optional_text", arguments).await;
            assert_eq!(result, json!({ "content": [], "structuredContent": { "result": null } }));
        });
    }

    #[test]
    fn mirrors_structured_content_exactly_once() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![row_or_error, shape, optional_text])).await;
            for (tool, arguments) in [
                ("row_or_error", json!({})),
                ("shape", json!({ "round": true })),
                ("optional_text", json!({ "there": true })),
            ] {
                let result = wire.call(tool, arguments).await;
                assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
                let mirror: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
                assert_eq!(mirror, result["structuredContent"], "{result}");
            }
        });
    }
}

mod texts {
    use super::*;

    #[tool]
    fn blob(characters: usize) -> String {
        "x".repeat(characters)
    }

    #[tool]
    fn awkward(times: usize) -> String {
        AWKWARD.repeat(times)
    }

    #[tool]
    fn awkward_list(times: usize) -> Vec<String> {
        vec![AWKWARD.to_owned(); times]
    }

    const AWKWARD: &str = "\"quoted\" \\back\\ \r\n\t\u{0}\u{1f}\u{7f} é\u{2028}\u{1F980}";

    #[test]
    fn sends_large_texts_whole_on_one_line_each() {
        block_on(async {
            // The last one is longer than all that may wait to be read.
            let mut wire = session(Server::new("t", "1").tools(tools![blob])).await;
            for (id, characters) in [100, 1_000_000, 20_000_000].into_iter().enumerate() {
                wire.send_call(id, "blob", json!({ "characters": characters })).await;
            }
            wire.send(json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" })).await;
            let mut sizes = [0; 3];
            for _ in 0..4 {
                let mut response = wire.receive().await;
                match response["id"].take() {
                    Value::String(_) => assert_eq!(response["result"], json!({})),
                    id => {
                        let text = response["result"]["content"][0]["text"].as_str().unwrap();
                        sizes[usize::try_from(id.as_u64().unwrap()).unwrap()] = text.len();
                    }
                }
            }
            assert_eq!(sizes, [100, 1_000_000, 20_000_000]);
        });
    }

    #[test]
    fn escapes_every_character_of_a_large_text() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![awkward, awkward_list])).await;
            assert_eq!(wire.text("awkward", json!({ "times": 50_000 })).await, AWKWARD.repeat(50_000));
            let result = wire.call("awkward_list", json!({ "times": 1000 })).await;
            assert_eq!(result["structuredContent"]["result"], json!(vec![AWKWARD; 1000]));
            let mirror: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(mirror, result["structuredContent"]);
        });
    }

    /// JSON as a user has it from elsewhere.
    struct Raw(Box<RawValue>);

    impl serde::Serialize for Raw {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.serialize(serializer)
        }
    }

    impl schemars::JsonSchema for Raw {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Raw".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "object" })
        }
    }

    #[tool]
    fn raw() -> Raw {
        Raw(RawValue::from_string("{\r\n\t\"a\": [\n1,\n2],\n\"b\": \"x\\ny\"\n}".to_owned()).unwrap())
    }

    #[test]
    fn keeps_raw_json_with_line_breaks_on_one_line() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![raw])).await;
            let result = wire.call("raw", json!({})).await;
            assert_eq!(result["structuredContent"], json!({ "a": [1, 2], "b": "x\ny" }));
            let mirror: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(mirror, result["structuredContent"]);
            wire.assert_silent().await;
        });
    }
}

mod floats {
    use super::*;

    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Measured {
        ratio: f64,
        all: Vec<f32>,
    }

    #[tool]
    fn finite() -> Measured {
        Measured { ratio: 0.1, all: vec![1.5, -0.0, f32::MAX] }
    }

    #[test]
    fn sends_finite_floats_exactly() {
        block_on(async {
            let result = session(Server::new("t", "1").tools(tools![finite])).await.call("finite", json!({})).await;
            assert_eq!(result["content"][0]["text"], r#"{"ratio":0.1,"all":[1.5,-0.0,3.4028235e+38]}"#);
        });
    }
}

mod errors {
    use super::*;

    #[derive(Debug)]
    enum Oops {
        User(String),
        Broken(std::io::Error),
    }

    impl fmt::Display for Oops {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::User(text) => f.write_str(text),
                Self::Broken(_) => f.write_str("the disk is broken"),
            }
        }
    }

    impl Error for Oops {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            match self {
                Self::User(_) => None,
                Self::Broken(cause) => Some(cause),
            }
        }
    }

    type Shared<T> = Result<T, Box<dyn Error + Send + Sync>>;
    type Local<T> = Result<T, Box<dyn Error>>;

    #[tool]
    fn own(broken: bool) -> Result<Row, Oops> {
        Err(if broken { Oops::Broken(std::io::Error::other("no such sector")) } else { Oops::User("no".to_owned()) })
    }

    #[tool]
    async fn shared(how: &str) -> Shared<Row> {
        match how {
            "text" => Err("plain".into()),
            "chain" => own(true).map_err(Into::into),
            "tool" => Err(ToolError::failure("again").with_data(json!({ "retry": 5 })).into()),
            "protocol" => Err(ToolError::protocol(7, "not here").into()),
            _ => Ok(Row { id: u32::try_from(std::fs::read_to_string("/missing/file")?.len())? }),
        }
    }

    #[tool]
    fn local(how: &str) -> Local<Row> {
        match how {
            "tool" => Err(ToolError::failure("again").with_data(json!({ "retry": 5 })).into()),
            "protocol" => Err(ToolError::protocol(7, "not here").into()),
            _ => own(true).map_err(Into::into),
        }
    }

    fn server() -> Server {
        Server::new("t", "1").tools(tools![own, shared, local])
    }

    #[test]
    fn tells_the_text_of_an_error_and_of_its_sources() {
        block_on(async {
            let mut wire = session(server()).await;
            assert_eq!(wire.failure("own", json!({ "broken": false })).await, "no");
            assert_eq!(wire.failure("own", json!({ "broken": true })).await, "the disk is broken: no such sector");
            assert_eq!(wire.failure("shared", json!({ "how": "text" })).await, "plain");
            assert_eq!(wire.failure("shared", json!({ "how": "chain" })).await, "the disk is broken: no such sector");
            assert_eq!(wire.failure("local", json!({ "how": "chain" })).await, "the disk is broken: no such sector");
            let text = wire.failure("shared", json!({ "how": "io" })).await;
            assert!(text.starts_with("No such file"), "{text}");
        });
    }

    #[test]
    fn finds_a_tool_error_inside_of_a_boxed_one() {
        block_on(async {
            let mut wire = session(server()).await;
            for tool in ["shared", "local"] {
                let result = wire.call(tool, json!({ "how": "tool" })).await;
                let expected = json!({
                    "content": [{ "type": "text", "text": "again" }],
                    "structuredContent": { "retry": 5 },
                    "isError": true,
                });
                assert_eq!(result, expected, "{tool}");
                let params = json!({ "name": tool, "arguments": { "how": "protocol" } });
                let response = wire.request("tools/call", params).await;
                assert_eq!(response["error"], json!({ "code": 7, "message": "not here" }), "{tool}");
            }
        });
    }

    #[test]
    fn keeps_the_output_schema_of_a_tool_that_fails() {
        block_on(async {
            let tools = listed(server()).await;
            assert_eq!(tools.len(), 3);
            for tool in tools {
                assert_eq!(tool["outputSchema"], row_schema(), "{tool}");
            }
        });
    }

    #[test]
    fn sends_no_structured_content_with_a_failure_in_any_revision() {
        block_on(async {
            for &revision in Revision::ALL {
                let mut client = server().connect_as(revision).await.unwrap();
                let result = client.call_tool("own", json!({ "broken": false })).await.unwrap();
                assert_eq!(result["isError"], true, "{revision}");
                assert_eq!(result["content"], json!([{ "type": "text", "text": "no" }]), "{revision}");
                assert_eq!(result.get("structuredContent"), None, "{revision}");
            }
        });
    }

    #[derive(Debug)]
    struct Wrapping(ToolError);

    impl fmt::Display for Wrapping {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("wrapped")
        }
    }

    impl Error for Wrapping {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[tool]
    fn wrapped() -> Shared<()> {
        Err(Wrapping(ToolError::protocol(7, "not here")).into())
    }

    #[test]
    fn finds_a_tool_error_among_the_sources() {
        block_on(async {
            let params = json!({ "name": "wrapped" });
            let response =
                session(Server::new("t", "1").tools(tools![wrapped])).await.request("tools/call", params).await;
            assert_eq!(response["error"], json!({ "code": 7, "message": "not here" }));
        });
    }

    #[tool]
    fn said() -> Result<(), ToolError> {
        Err(ToolError::failure("you may read this"))
    }

    #[test]
    fn masks_the_texts_of_errors_if_it_is_told_to() {
        block_on(async {
            let mut wire = session(server().mask_errors(true)).await;
            assert_eq!(wire.failure("own", json!({ "broken": true })).await, "the tool failed");
            assert_eq!(wire.failure("shared", json!({ "how": "io" })).await, "the tool failed");
            assert_eq!(wire.failure("local", json!({ "how": "chain" })).await, "the tool failed");
        });
    }

    #[test]
    fn masks_neither_tool_errors_nor_what_is_wrong_with_arguments() {
        block_on(async {
            let mut wire = session(server().tools(tools![said]).mask_errors(true)).await;
            assert_eq!(wire.failure("said", json!({})).await, "you may read this");
            let result = wire.call("shared", json!({ "how": "tool" })).await;
            assert_eq!(result["content"][0]["text"], "again");
            let text = wire.failure("own", json!({ "broken": 3 })).await;
            assert!(text.contains("`broken`: expected boolean, got integer 3"), "{text}");
        });
    }
}

mod own_meta {
    use mcp_runtime::{GetPromptResult, PromptMessage, Resource, prompt, prompts};

    use super::*;

    fn meta() -> serde_json::Map<String, Value> {
        let meta = json!({ "example.com/cost": 3, "io.modelcontextprotocol/serverInfo": "somebody else" });
        meta.as_object().cloned().expect("it is an object")
    }

    /// Answer with everything that a result can have.
    #[tool]
    fn all() -> CallToolResult {
        let link =
            Resource::new("x://a", "a").title("A").mime_type("text/plain").size(1).icon("https://example.com/a.png");
        let block =
            ContentBlock::resource_link(link).meta(json!({ "k": [1] }).as_object().cloned().expect("an object"));
        CallToolResult::new([block]).meta(meta())
    }

    #[prompt]
    fn greet() -> GetPromptResult {
        GetPromptResult::new([PromptMessage::user("hello")]).meta(meta())
    }

    #[test]
    fn stands_beside_who_the_server_is() {
        block_on(async {
            for revision in Revision::ALL.iter().copied() {
                let server = Server::new("t", "1").tools(tools![all]).prompts(prompts![greet]);
                let mut client = server.connect_as(revision).await.expect("the server starts");
                let mut expected = json!({ "example.com/cost": 3 });
                if revision.is_modern() {
                    expected["io.modelcontextprotocol/serverInfo"] = json!({ "name": "t", "version": "1" });
                }
                let called = client.call_tool("all", json!({})).await.expect("it is called");
                assert_eq!(called["_meta"], expected, "{revision}");
                let got = client.get_prompt("greet", json!({})).await.expect("there is such a prompt");
                assert_eq!(got["_meta"], expected, "{revision}");
            }
        });
    }

    #[test]
    fn is_part_of_a_block() {
        block_on(async {
            let mut client = Server::new("t", "1").tools(tools![all]).connect().await.expect("the server starts");
            let called = client.call_tool("all", json!({})).await.expect("it is called");
            let expected = json!([{
                "type": "resource_link", "uri": "x://a", "name": "a", "title": "A", "mimeType": "text/plain", "size": 1,
                "icons": [{ "src": "https://example.com/a.png" }], "_meta": { "k": [1] },
            }]);
            assert_eq!(called["content"], expected);
        });
    }
}
