//! Prompts: how they are listed, how their arguments are taken, and what they return, in every revision.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the handlers have the shapes that are tested"
)]

mod common;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use common::memory::{LEGACY, Wire, block_on, modern, session, start_error};
use mcp_runtime::{
    Annotations, ContentBlock, Context, GetPromptResult, Icon, Prompt, PromptArgument, PromptDef, PromptMessage,
    Resource, ResourceContents, Server, State, ToolError, prompt, prompts,
};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

fn meta() -> Value {
    json!({ "example.com/kind": "review" })
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Strict,
}

/// Review a piece of code.
#[prompt(
    title = "Review code",
    icon(src = "https://example.com/review.png", mime_type = "image/png", sizes = "48x48", theme = "light"),
    meta = meta()
)]
fn review(
    /// The code.
    code: &str,
    language: Option<String>,
    #[arg(default = Tone::Kind)] tone: Tone,
) -> String {
    format!("{code} {language:?} {tone:?}")
}

/// Takes everything that a string can spell.
#[prompt]
fn spelled(
    number: u32,
    ratio: Option<f64>,
    flag: Option<bool>,
    list: Option<Vec<String>>,
    text: Option<String>,
) -> String {
    format!("{number} {ratio:?} {flag:?} {list:?} {text:?}")
}

#[prompt]
fn bare() -> &'static str {
    "bare"
}

fn reviewer() -> Server {
    Server::new("reviewer", "1").prompts(prompts![review, spelled, bare])
}

fn with<const N: usize>(prompts: [PromptDef; N]) -> Server {
    Server::new("t", "1").prompts(prompts)
}

/// The result of a prompt in the session.
async fn get(wire: &mut Wire, name: &str, arguments: Value) -> Value {
    let mut response = wire.request("prompts/get", json!({ "name": name, "arguments": arguments })).await;
    assert_eq!(response.get("error"), None, "{response}");
    response["result"].take()
}

/// The text of the only message of a prompt.
async fn text(wire: &mut Wire, name: &str, arguments: Value) -> String {
    let result = get(wire, name, arguments).await;
    assert_eq!(result["messages"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(
        (&result["messages"][0]["role"], &result["messages"][0]["content"]["type"]),
        (&json!("user"), &json!("text"))
    );
    result["messages"][0]["content"]["text"].as_str().expect("it is a text").to_owned()
}

/// The error of a prompt in the session.
async fn error(wire: &mut Wire, name: &str, arguments: Value) -> Value {
    wire.request("prompts/get", json!({ "name": name, "arguments": arguments })).await["error"].take()
}

mod lists {
    use super::*;

    #[test]
    fn lists_a_prompt_with_what_each_revision_has() {
        block_on(async {
            let mut expected = json!({
                "name": "review",
                "description": "Review a piece of code.",
                "arguments": [
                    { "name": "code", "description": "The code.", "required": true },
                    { "name": "language" },
                    { "name": "tone" },
                ],
            });
            for revision in LEGACY {
                if revision == "2025-06-18" {
                    expected["title"] = "Review code".into();
                    expected["_meta"] = meta();
                }
                if revision == "2025-11-25" {
                    let src = "https://example.com/review.png";
                    expected["icons"] =
                        json!([{ "src": src, "mimeType": "image/png", "sizes": ["48x48"], "theme": "light" }]);
                }
                let mut wire = Wire::initialized(reviewer(), revision).await;
                let result = wire.request("prompts/list", json!({})).await["result"].take();
                assert_eq!(result["prompts"][0], expected, "{revision}");
                assert_eq!(result["prompts"][2], json!({ "name": "bare" }), "{revision}");
                assert_eq!(result.as_object().map(Map::len), Some(1), "{result}");
            }
            let mut wire = Wire::open(reviewer());
            let result = wire.request("prompts/list", modern(json!({}))).await["result"].take();
            assert_eq!(result["prompts"][0], expected);
            assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
        });
    }

    #[test]
    fn has_no_such_methods_without_prompts() {
        block_on(async {
            let mut wire = session(Server::new("t", "1")).await;
            for method in ["prompts/list", "prompts/get"] {
                assert_eq!(wire.request(method, json!({ "name": "review" })).await["error"]["code"], -32601);
            }
        });
    }

    #[test]
    fn gives_no_hint_about_keeping_what_a_prompt_returns() {
        block_on(async {
            let mut wire = Wire::open(reviewer());
            let result = wire.request("prompts/get", modern(json!({ "name": "bare" }))).await["result"].take();
            let members: Vec<_> = result.as_object().unwrap().keys().collect();
            assert_eq!(members, ["resultType", "messages", "_meta"]);
        });
    }
}

mod arguments {
    use super::*;

    #[test]
    fn takes_missing_arguments_for_none_and_for_defaults() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            assert_eq!(text(&mut wire, "review", json!({ "code": "x" })).await, "x None Kind");
            let arguments = json!({ "code": "x", "language": "rust", "tone": "strict" });
            assert_eq!(text(&mut wire, "review", arguments).await, "x Some(\"rust\") Strict");
            let arguments = json!({ "code": "", "language": null, "tone": null });
            assert_eq!(text(&mut wire, "review", arguments).await, " None Kind");
        });
    }

    #[test]
    fn takes_a_string_for_the_value_it_spells() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            let arguments =
                json!({ "number": "7", "ratio": "1e-1", "flag": "true", "list": "[\"a\",\"b\"]", "text": "7" });
            let expected = "7 Some(0.1) Some(true) Some([\"a\", \"b\"]) Some(\"7\")";
            assert_eq!(text(&mut wire, "spelled", arguments).await, expected);
            for kept in ["null", "true", "[1]", "{}", "\"quoted\"", " padded "] {
                let arguments = json!({ "number": "0", "text": kept });
                let expected = format!("0 None None None {:?}", Some(kept));
                assert_eq!(text(&mut wire, "spelled", arguments).await, expected);
            }
        });
    }

    #[test]
    fn takes_a_string_for_the_value_it_spells_where_arguments_are_strict() {
        block_on(async {
            let mut wire = session(reviewer().strict_arguments()).await;
            let expected = "7 None Some(false) None None";
            assert_eq!(text(&mut wire, "spelled", json!({ "number": "7", "flag": "false" })).await, expected);
        });
    }

    #[test]
    fn names_all_that_is_wrong_with_the_arguments_at_once() {
        block_on(async {
            let arguments = json!({ "ratio": "much", "flag": "yes", "lists": "a" });
            for revision in LEGACY {
                let mut wire = Wire::initialized(reviewer(), revision).await;
                let error = error(&mut wire, "spelled", arguments.clone()).await;
                assert_eq!((&error["code"], error.get("data")), (&json!(-32602), None));
                let message = error["message"].as_str().unwrap();
                assert!(message.starts_with("the arguments of `spelled` do not fit: "), "{message}");
                assert!(!message.contains('\n'), "{message}");
                for problem in [
                    "`number` is required and missing",
                    "`ratio`: expected number, got string \"much\"",
                    "`flag`: expected boolean, got string \"yes\"",
                    "`lists` is not an argument; did you mean `list`?",
                    "the arguments are: `number`, `ratio`, `flag`, `list`, `text`",
                ] {
                    assert!(message.contains(problem), "{problem} in {message}");
                }
            }
        });
    }

    #[test]
    fn refuses_a_value_that_the_enum_does_not_have() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            let error = error(&mut wire, "review", json!({ "code": "x", "tone": "Kind" })).await;
            let message = "the arguments of `review` do not fit: `tone`: expected one of \"kind\", \"strict\", got \"Kind\"; \
                did you mean \"kind\"?";
            assert_eq!(error, json!({ "code": -32602, "message": message }));
        });
    }

    #[test]
    fn refuses_what_is_no_string_where_a_string_is_wanted() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            for code in [json!(1), json!(true), json!(["x"]), json!({ "x": "y" })] {
                let error = error(&mut wire, "review", json!({ "code": code })).await;
                assert_eq!(error["code"], -32602, "{code}");
            }
        });
    }

    #[test]
    fn takes_null_for_no_arguments_and_refuses_what_is_no_object() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            assert_eq!(text(&mut wire, "bare", Value::Null).await, "bare");
            assert_eq!(wire.request("prompts/get", json!({ "name": "bare" })).await.get("error"), None);
            for arguments in [json!([]), json!(["x"]), json!("x"), json!(1), json!(false)] {
                let error = error(&mut wire, "bare", arguments).await;
                assert_eq!(error, json!({ "code": -32602, "message": "`arguments` must be an object of strings" }));
            }
        });
    }

    #[test]
    fn ignores_unknown_arguments_where_the_server_does() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            assert_eq!(error(&mut wire, "bare", json!({ "x": "y" })).await["code"], -32602);
            let mut wire = session(reviewer().allow_unknown_arguments()).await;
            assert_eq!(text(&mut wire, "bare", json!({ "x": "y" })).await, "bare");
        });
    }

    #[test]
    fn refuses_what_names_no_prompt() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            for (params, message) in [
                (json!({ "name": "none" }), "unknown prompt: none"),
                (json!({ "name": "Review" }), "unknown prompt: Review; did you mean `review`?"),
                (json!({ "name": 1 }), "`name` must be a string"),
                (json!({ "name": null }), "`name` must be a string"),
                (json!({}), "`name` is missing: the name of the prompt"),
            ] {
                let error = wire.request("prompts/get", params).await["error"].take();
                assert_eq!(error, json!({ "code": -32602, "message": message }));
            }
        });
    }

    #[test]
    fn refuses_an_argument_that_is_given_twice() {
        block_on(async {
            let mut wire = session(reviewer()).await;
            let params = r#"{"name":"review","arguments":{"code":"a","code":"b"}}"#;
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{params}}}"#);
            let error = wire.exchange(&line).await["error"].take();
            let message = "the arguments of `review` do not fit: `code` is given twice";
            assert_eq!(error, json!({ "code": -32602, "message": message }));
        });
    }
}

mod outputs {
    use super::*;

    #[prompt]
    fn messages() -> Vec<PromptMessage> {
        vec![PromptMessage::user("question"), PromptMessage::assistant("answer".to_owned())]
    }

    /// What it does.
    #[prompt]
    fn two() -> [ContentBlock; 2] {
        [ContentBlock::text("a"), ContentBlock::image([1, 2, 3], "image/png")]
    }

    /// In the list.
    #[prompt]
    async fn whole() -> Result<GetPromptResult, Infallible> {
        Ok(GetPromptResult::new([PromptMessage::assistant("hello")]).description("In the result."))
    }

    #[prompt]
    fn empty() -> Vec<PromptMessage> {
        Vec::new()
    }

    /// A block of each kind.
    #[prompt]
    fn blocks() -> Vec<ContentBlock> {
        let meta = Map::from_iter([("k".to_owned(), json!(1))]);
        vec![
            ContentBlock::text("a")
                .annotated(Annotations::new().priority(0.5).last_modified("2026-01-01"))
                .meta(meta.clone()),
            ContentBlock::audio([1], "audio/wav"),
            ContentBlock::resource_link(Resource::new("file:///a", "a")),
            ContentBlock::resource(ResourceContents::text("file:///b", "b").mime_type("text/plain").meta(meta)),
        ]
    }

    fn all() -> Server {
        with(prompts![messages, two, whole, empty, blocks])
    }

    #[test]
    fn sends_messages_with_their_roles() {
        block_on(async {
            let mut wire = session(all()).await;
            let expected = json!([
                { "role": "user", "content": { "type": "text", "text": "question" } },
                { "role": "assistant", "content": { "type": "text", "text": "answer" } },
            ]);
            assert_eq!(get(&mut wire, "messages", json!({})).await, json!({ "messages": expected }));
            assert_eq!(get(&mut wire, "empty", json!({})).await, json!({ "messages": [] }));
        });
    }

    #[test]
    fn sends_a_message_for_each_block_and_the_description_of_the_list() {
        block_on(async {
            let mut wire = session(all()).await;
            let expected = json!([
                { "role": "user", "content": { "type": "text", "text": "a" } },
                { "role": "user", "content": { "type": "image", "data": "AQID", "mimeType": "image/png" } },
            ]);
            let expected = json!({ "description": "What it does.", "messages": expected });
            assert_eq!(get(&mut wire, "two", json!({})).await, expected);
        });
    }

    #[test]
    fn prefers_the_description_of_the_result() {
        block_on(async {
            let mut wire = session(all()).await;
            assert_eq!(get(&mut wire, "whole", json!({})).await["description"], "In the result.");
        });
    }

    #[test]
    fn sends_blocks_as_each_revision_has_them() {
        block_on(async {
            let text = |text: &str| json!({ "type": "text", "text": text });
            let new = json!([
                {
                    "type": "text",
                    "text": "a",
                    "annotations": { "priority": 0.5, "lastModified": "2026-01-01" },
                    "_meta": { "k": 1 },
                },
                { "type": "audio", "data": "AQ==", "mimeType": "audio/wav" },
                { "type": "resource_link", "uri": "file:///a", "name": "a" },
                {
                    "type": "resource",
                    "resource": { "uri": "file:///b", "mimeType": "text/plain", "text": "b", "_meta": { "k": 1 } },
                },
            ]);
            let mut old = json!([
                { "type": "text", "text": "a", "annotations": { "priority": 0.5 } },
                new[1].clone(),
                text("a: file:///a"),
                { "type": "resource", "resource": { "uri": "file:///b", "mimeType": "text/plain", "text": "b" } },
            ]);
            for revision in LEGACY {
                let mut wire = Wire::initialized(all(), revision).await;
                let mut messages = get(&mut wire, "blocks", json!({})).await["messages"].take();
                let contents: Vec<_> =
                    messages.as_array_mut().unwrap().iter_mut().map(|message| message["content"].take()).collect();
                let expected = match revision {
                    "2024-11-05" => {
                        let mut oldest = old.clone();
                        let refusal = "[audio of type audio/wav: this client's protocol version cannot carry it]";
                        oldest[1] = text(refusal);
                        oldest
                    }
                    "2025-03-26" => old.take(),
                    _ => new.clone(),
                };
                assert_eq!(Value::from(contents), expected, "{revision}");
            }
        });
    }
}

mod errors {
    use super::*;

    #[derive(Debug)]
    struct Broken(std::num::ParseIntError);

    impl std::fmt::Display for Broken {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the model is broken")
        }
    }

    impl std::error::Error for Broken {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[prompt]
    fn fails(kind: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let parsed = "x".parse::<i32>().map_err(Broken);
        match kind {
            "failure" => Err(ToolError::failure("for you").into()),
            "data" => Err(ToolError::failure("for you").with_data(json!({ "n": 1 })).into()),
            "protocol" => Err(ToolError::protocol(-31000, "moved").into()),
            "panic" => panic!("secret"),
            _ => Ok(parsed?.to_string()),
        }
    }

    #[prompt(name = "typed")]
    fn own_error() -> Result<String, Broken> {
        "x".parse::<i32>().map(|number| number.to_string()).map_err(Broken)
    }

    #[test]
    fn tells_errors_with_their_sources() {
        block_on(async {
            let mut wire = session(with(prompts![fails, own_error])).await;
            let expected = json!({ "code": -32603, "message": "the model is broken: invalid digit found in string" });
            assert_eq!(error(&mut wire, "fails", json!({ "kind": "any" })).await, expected);
            assert_eq!(error(&mut wire, "typed", json!({})).await, expected);
        });
    }

    #[test]
    fn keeps_masked_errors_to_itself() {
        block_on(async {
            let mut wire = session(with(prompts![fails]).mask_errors(true)).await;
            let expected = json!({ "code": -32603, "message": "the prompt failed" });
            assert_eq!(error(&mut wire, "fails", json!({ "kind": "any" })).await, expected);
            let told = error(&mut wire, "fails", json!({ "kind": "failure" })).await;
            assert_eq!(told["message"], "for you");
            let wrong = error(&mut wire, "fails", json!({})).await;
            assert_eq!(wrong["message"], "the arguments of `fails` do not fit: `kind` is required and missing");
        });
    }

    #[test]
    fn tells_what_an_error_says_of_itself() {
        block_on(async {
            let mut wire = session(with(prompts![fails])).await;
            for (kind, expected) in [
                ("failure", json!({ "code": -32603, "message": "for you" })),
                ("data", json!({ "code": -32603, "message": "for you", "data": { "n": 1 } })),
                ("protocol", json!({ "code": -31000, "message": "moved" })),
            ] {
                assert_eq!(error(&mut wire, "fails", json!({ "kind": kind })).await, expected);
            }
        });
    }

    #[test]
    fn goes_on_after_a_panic() {
        block_on(async {
            let mut wire = session(with(prompts![fails])).await;
            let expected = json!({ "code": -32603, "message": "the prompt failed unexpectedly" });
            assert_eq!(error(&mut wire, "fails", json!({ "kind": "panic" })).await, expected);
            wire.assert_silent().await;
            assert_eq!(error(&mut wire, "fails", json!({ "kind": "failure" })).await["message"], "for you");
        });
    }

    #[prompt(timeout = 0.001)]
    async fn slow() -> String {
        std::future::pending().await
    }

    #[test]
    fn stops_a_prompt_that_takes_too_long() {
        block_on(async {
            let mut wire = session(with(prompts![slow])).await;
            let message = "the prompt did not end within 0.001 s and was stopped";
            assert_eq!(error(&mut wire, "slow", json!({})).await, json!({ "code": -32603, "message": message }));
        });
    }

    static STARTED: Notify = Notify::const_new();
    static DROPPED: AtomicBool = AtomicBool::new(false);

    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::SeqCst);
        }
    }

    #[prompt]
    async fn endless() -> String {
        let _guard = Guard;
        STARTED.notify_one();
        std::future::pending().await
    }

    #[test]
    fn drops_a_prompt_that_is_cancelled_and_answers_nothing() {
        block_on(async {
            let mut wire = session(with(prompts![endless])).await;
            let params = json!({ "name": "endless" });
            wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": params })).await;
            STARTED.notified().await;
            wire.cancel(1).await;
            wire.assert_silent().await;
            assert_eq!(wire.finish().await, Vec::<Value>::new());
            assert!(DROPPED.load(Ordering::SeqCst));
        });
    }
}

mod contexts {
    use super::*;

    struct Library(&'static str);

    impl Library {
        /// Recommend a book.
        #[prompt]
        fn recommend(&self, reader: &str) -> String {
            format!("a book of {} for {reader}", self.0)
        }

        #[prompt]
        async fn opening(&self) -> &'static str {
            "when"
        }
    }

    #[prompt(blocking)]
    fn shelf(library: &State<Library>, ctx: &Context, number: u8) -> String {
        ctx.progress(1.0, Some(2.0), None);
        format!("{} {number} {} {:?}", library.0, ctx.revision(), ctx.resource_uri())
    }

    fn library() -> Server {
        with(prompts![Library::recommend, Library::opening, shelf]).state(Library("Alexandria"))
    }

    #[test]
    fn gets_methods_and_what_takes_a_state() {
        block_on(async {
            let mut wire = session(library()).await;
            let arguments = json!({ "reader": "you" });
            assert_eq!(text(&mut wire, "recommend", arguments).await, "a book of Alexandria for you");
            assert_eq!(text(&mut wire, "opening", json!({})).await, "when");
            let arguments = json!({ "number": "3" });
            assert_eq!(text(&mut wire, "shelf", arguments).await, "Alexandria 3 2025-11-25 None");
        });
    }

    #[test]
    fn lists_no_argument_that_the_server_provides() {
        block_on(async {
            let mut wire = session(library()).await;
            let listed = wire.request("prompts/list", json!({})).await["result"]["prompts"].take();
            assert_eq!(listed[2]["arguments"], json!([{ "name": "number", "required": true }]));
        });
    }

    #[test]
    fn reports_progress_to_those_who_asked() {
        block_on(async {
            let mut wire = session(library()).await;
            let params = json!({ "name": "shelf", "arguments": { "number": "1" }, "_meta": { "progressToken": "p" } });
            wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": params })).await;
            let report = json!({ "progressToken": "p", "progress": 1.0, "total": 2.0 });
            let expected = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": report });
            assert_eq!(wire.receive().await, expected);
            assert_eq!(wire.receive().await["id"], 1);
        });
    }

    #[test]
    fn does_not_start_without_the_state() {
        block_on(async {
            let text = start_error(with(prompts![shelf])).await;
            let expected = format!(
                "prompt `shelf`: needs a state of the type `{}`: give it to the server with `.state(…)`",
                std::any::type_name::<Library>()
            );
            assert_eq!(text, expected);
        });
    }
}

mod building {
    use super::*;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Trip {
        /// Where to.
        city: String,
        days: Option<u32>,
    }

    fn named(name: &str) -> Prompt {
        Prompt::builder(name).text(name.to_owned())
    }

    #[test]
    fn lists_what_is_built_with_all_that_was_said() {
        block_on(async {
            let full = Prompt::builder("full")
                .title("Full")
                .description("All of it.")
                .icon(Icon::new("https://example.com/i.png"))
                .meta(Map::from_iter([("k".to_owned(), json!(1))]))
                .argument(PromptArgument::new("a").title("A").description("The first.").required())
                .argument(PromptArgument::new("b"))
                .handler(|arguments: BTreeMap<String, String>, _| async move {
                    Ok::<_, Infallible>(format!("{arguments:?}"))
                });
            let expected = json!({
                "name": "full",
                "title": "Full",
                "description": "All of it.",
                "arguments": [
                    { "name": "a", "title": "A", "description": "The first.", "required": true },
                    { "name": "b" },
                ],
                "icons": [{ "src": "https://example.com/i.png" }],
                "_meta": { "k": 1 },
            });
            let server = Server::new("t", "1").prompts([full]).start().await.unwrap();
            let connect = || Wire::connect(&server);
            let listed = connect().request("prompts/list", modern(json!({}))).await["result"]["prompts"].take();
            assert_eq!(listed, json!([expected]));
            let mut old = connect();
            old.initialize("2025-03-26".into()).await;
            let listed = old.request("prompts/list", json!({})).await["result"]["prompts"].take();
            let arguments = json!([{ "name": "a", "description": "The first.", "required": true }, { "name": "b" }]);
            assert_eq!(listed, json!([{ "name": "full", "description": "All of it.", "arguments": arguments }]));
        });
    }

    #[test]
    fn names_all_required_arguments_that_are_missing() {
        block_on(async {
            let prompt = Prompt::builder("greet")
                .argument(PromptArgument::new("from").required())
                .argument(PromptArgument::new("to").required())
                .argument(PromptArgument::new("by"))
                .handler(|arguments: BTreeMap<String, String>, _| async move {
                    Ok::<_, Infallible>(format!("{arguments:?}"))
                });
            let mut wire = session(Server::new("t", "1").prompts([prompt])).await;
            let message =
                "the arguments of `greet` do not fit: `from` is required and missing; `to` is required and missing";
            assert_eq!(error(&mut wire, "greet", json!({})).await, json!({ "code": -32602, "message": message }));
            let arguments = json!({ "from": "5", "to": "true" });
            assert_eq!(text(&mut wire, "greet", arguments).await, r#"{"from": "5", "to": "true"}"#);
            assert_eq!(error(&mut wire, "greet", json!({ "from": 5, "to": "b" })).await["code"], -32602);
        });
    }

    #[test]
    fn takes_the_arguments_as_a_type_and_lists_its_members() {
        block_on(async {
            let trip = Prompt::builder("trip").handler(|trip: Trip, ctx: Context| async move {
                Ok::<_, Infallible>(format!("{} {:?} {}", trip.city, trip.days, ctx.request_id()))
            });
            let mut wire = session(Server::new("t", "1").prompts([trip])).await;
            let listed = wire.request("prompts/list", json!({})).await["result"]["prompts"][0]["arguments"].take();
            let expected =
                json!([{ "name": "city", "description": "Where to.", "required": true }, { "name": "days" }]);
            assert_eq!(listed, expected);
            let arguments = json!({ "city": "7", "days": "3" });
            assert_eq!(text(&mut wire, "trip", arguments).await, "7 Some(3) \"prompts/get\"");
            let message = error(&mut wire, "trip", json!({ "days": "x" })).await["message"].take();
            let message = message.as_str().unwrap().to_owned();
            assert!(message.contains("`city` is required and missing"), "{message}");
            assert!(message.contains("`days`"), "{message}");
        });
    }

    #[test]
    fn hides_what_is_built_disabled() {
        block_on(async {
            let server = Server::new("t", "1").prompts([named("here"), named("hidden").disabled()]);
            let mut wire = session(server).await;
            let listed = wire.request("prompts/list", json!({})).await["result"]["prompts"].take();
            assert_eq!(listed, json!([{ "name": "here" }]));
            assert_eq!(error(&mut wire, "hidden", json!({})).await["message"], "unknown prompt: hidden");
            assert_eq!(text(&mut wire, "here", json!({})).await, "here");
        });
    }

    #[test]
    fn does_not_start_with_two_prompts_of_one_name_or_without_a_name() {
        block_on(async {
            let text = start_error(Server::new("t", "1").prompts([named("same"), named("same")])).await;
            assert!(text.starts_with("the prompt `same`, made at tests/prompts.rs:"), "{text}");
            let text = start_error(Server::new("t", "1").prompts([named("")])).await;
            assert_eq!(text, "`` is no prompt name: use some letters, on one line");
            let text = start_error(Server::new("t", "1").prompts([named("a\nb")])).await;
            assert!(text.ends_with("is no prompt name: use some letters, on one line"), "{text}");
        });
    }

    #[test]
    fn does_not_start_where_the_arguments_are_no_object() {
        block_on(async {
            let prompt = Prompt::builder("any").handler(|_: String, _| async { Ok::<_, Infallible>("") });
            let text = start_error(Server::new("t", "1").prompts([prompt])).await;
            assert_eq!(
                text,
                "prompt `any`: its arguments are of a type whose schema is no object: take a struct or a map"
            );
        });
    }

    #[test]
    fn takes_names_of_any_characters() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").prompts([named("Prüfe den Code, bitte/")])).await;
            assert_eq!(text(&mut wire, "Prüfe den Code, bitte/", json!({})).await, "Prüfe den Code, bitte/");
        });
    }
}
