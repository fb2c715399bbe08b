//! Tools that come and go while the server serves, and tools without a macro.

mod common;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use common::memory::{Wire, block_on, listed, modern, session, start_error};
use mcp_runtime::{CallToolResult, ContentBlock, Context, Server, Tool, ToolError, ToolSet, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Add two numbers.
#[tool]
fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}

/// A tool that says its name.
fn named(name: &str) -> Tool {
    let words = name.to_owned();
    Tool::builder(name).input_schema(json!({ "type": "object" })).handler(move |_: Value, _| {
        let words = words.clone();
        async move { Ok::<_, Infallible>(words) }
    })
}

fn server() -> (Server, ToolSet) {
    let mut server = Server::new("t", "1").tools(tools![add]);
    let set = server.tool_set();
    (server, set)
}

async fn names(wire: &mut Wire) -> Vec<String> {
    let result = wire.request("tools/list", json!({})).await["result"].take();
    let tools = result["tools"].as_array().expect("a list");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn changed() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })
}

mod changes {
    use super::*;

    #[test]
    fn tells_a_session_of_each_change_and_lists_and_serves_what_is_there() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server).await;
            assert_eq!(names(&mut wire).await, ["add"]);
            set.add(named("b")).unwrap();
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "b"]);
            assert_eq!(wire.text("b", json!({})).await, "b");
            assert!(set.remove("add"));
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["b"]);
            let gone = wire.request("tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } })).await;
            assert_eq!(gone["error"], json!({ "code": -32602, "message": "unknown tool: add" }));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn tells_names_apart_whose_hashes_are_alike() {
        // The same number by FNV-1a, 0x4eac0c95540867e4.
        let (one, other) = ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ");
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::initialized(server, "2025-06-18").await;
            let unknown = |name: &str| json!({ "code": -32602, "message": format!("unknown tool: {name}") });
            set.add(named(one)).unwrap();
            assert_eq!(wire.receive().await, changed());
            assert_eq!(wire.request("tools/call", json!({ "name": other })).await["error"], unknown(other));
            assert!(!set.remove(other));
            set.add(named(other)).unwrap();
            assert_eq!(wire.receive().await, changed());
            for name in [one, other] {
                assert_eq!(wire.text(name, json!({})).await, name);
            }
            assert!(set.remove(one));
            assert_eq!(wire.receive().await, changed());
            assert_eq!(wire.request("tools/call", json!({ "name": one })).await["error"], unknown(one));
            assert_eq!(wire.text(other, json!({})).await, other);
        });
    }

    #[test]
    fn hides_a_disabled_tool_from_listing_and_from_calls() {
        block_on(async {
            let mut server = Server::new("t", "1").tools(tools![add]).tools([named("hidden").disabled()]);
            let set = server.tool_set();
            let mut wire = session(server).await;
            let call = json!({ "name": "hidden" });
            assert_eq!(names(&mut wire).await, ["add"]);
            assert_eq!(wire.request("tools/call", call.clone()).await["error"]["message"], "unknown tool: hidden");
            // Nor is it what somebody may have meant.
            let misspelt = json!({ "name": "hiden" });
            assert_eq!(wire.request("tools/call", misspelt.clone()).await["error"]["message"], "unknown tool: hiden");
            assert!(set.enable("hidden"));
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "hidden"]);
            assert_eq!(wire.text("hidden", json!({})).await, "hidden");
            let error = wire.request("tools/call", misspelt).await["error"]["message"].take();
            assert_eq!(error, "unknown tool: hiden; did you mean `hidden`?");
            assert!(set.disable("hidden"));
            assert_eq!(wire.receive().await, changed());
            assert_eq!(wire.request("tools/call", call).await["error"]["message"], "unknown tool: hidden");
            // What is as it should be already is no change.
            assert!(set.disable("hidden") && set.enable("add") && !set.enable("none") && !set.remove("none"));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn refuses_what_cannot_be_registered_and_changes_nothing() {
        block_on(async {
            let (server, set) = server();
            let text = set.add(named("early")).unwrap_err().to_string();
            assert_eq!(text, "the server does not serve yet: add the tool `early` with `Server::tools`");
            let mut wire = session(server).await;
            let text = set.add(named("add")).unwrap_err().to_string();
            assert_eq!(text, "the name `add` is taken; `replace` puts a tool in the place of another");
            let text = set.add(named("files/open now")).unwrap_err().to_string();
            assert!(text.starts_with("`files/open now` is no tool name: "), "{text}");
            let schema = json!({ "type": "string" });
            let bad =
                Tool::builder("bad").input_schema(schema).handler(|_: Value, _| async { Ok::<_, Infallible>(()) });
            let text = set.add(bad).unwrap_err().to_string();
            let expected = "tool `bad`: the input schema must be a JSON object with `\"type\": \"object\"`";
            assert_eq!(text, expected);
            wire.assert_silent().await;
            assert_eq!(names(&mut wire).await, ["add"]);
        });
    }

    #[test]
    fn replaces_a_tool_in_its_place() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server.tools([named("z")])).await;
            set.replace(named("add")).unwrap();
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "z"]);
            assert_eq!(wire.text("add", json!({})).await, "add");
            set.replace(named("new")).unwrap();
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "z", "new"]);
        });
    }

    #[test]
    fn keeps_a_replaced_tool_hidden() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server).await;
            assert!(set.disable("add"));
            assert_eq!(wire.receive().await, changed());
            set.replace(named("add")).unwrap();
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, Vec::<String>::new());
            assert_eq!(wire.request("tools/call", json!({ "name": "add" })).await["error"]["code"], -32602);
            assert!(set.enable("add"));
            assert_eq!(wire.receive().await, changed());
            assert_eq!(wire.text("add", json!({})).await, "add");
        });
    }

    /// Does to the set what a destructor should not, then panics.
    struct Bomb(ToolSet);

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(self.0.remove("b"));
            panic!("dropped");
        }
    }

    #[test]
    fn stays_whole_where_what_leaves_it_misbehaves() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server.tools(["a", "b", "c"].map(named))).await;
            let bomb = Bomb(set.clone());
            let armed = Tool::builder("armed").input_schema(json!({ "type": "object" })).handler(move |_: Value, _| {
                let _ = &bomb;
                async { Ok::<_, Infallible>(()) }
            });
            set.replace(armed).unwrap();
            wire.receive().await;
            let fell = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| set.remove("armed")));
            assert!(fell.is_err());
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "a", "c"]);
            for name in ["a", "c"] {
                assert_eq!(wire.text(name, json!({})).await, name);
            }
        });
    }

    #[test]
    fn does_not_keep_the_server_that_it_belongs_to() {
        /// Tells when it is dropped.
        struct Guard(Arc<Notify>);

        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.notify_one();
            }
        }

        block_on(async {
            let dropped = Arc::new(Notify::new());
            let (server, set) = server();
            let wire = session(server.state(set.clone()).state(Guard(Arc::clone(&dropped)))).await;
            wire.finish().await;
            dropped.notified().await;
            let text = set.add(named("late")).unwrap_err().to_string();
            assert_eq!(text, "the server has ended, so `late` is not added");
            assert!(!set.remove("add") && !set.enable("add"));
        });
    }

    #[test]
    fn replaces_a_tool_before_the_start() {
        block_on(async {
            let server = || Server::new("t", "1").tools(tools![add]);
            let mut wire = session(server().replace_tool(named("add"))).await;
            assert_eq!(wire.text("add", json!({})).await, "add");
            let text = start_error(server().replace_tool(named("sub"))).await;
            assert_eq!(text, "there is no tool `sub` to replace");
        });
    }

    #[test]
    fn lists_the_same_bytes_after_the_same_changes() {
        block_on(async {
            let mut lists = Vec::new();
            for _ in 0..3 {
                let (server, set) = server();
                let mut wire = Wire::open(server);
                wire.initialize("2025-11-25".into()).await;
                for name in ["m", "c", "x"] {
                    set.add(named(name)).unwrap();
                }
                set.remove("c");
                set.add(named("c")).unwrap();
                lists.push(wire.exchange(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await.to_string());
                assert_eq!(names(&mut wire).await, ["add", "m", "x", "c"]);
            }
            lists.dedup();
            assert_eq!(lists.len(), 1);
        });
    }

    #[test]
    fn lists_the_same_on_every_connection() {
        block_on(async {
            let (server, set) = server();
            let teach = Tool::builder("teach").input_schema(json!({ "type": "object" })).handler(move |_: Value, _| {
                let added = set.add(named("b"));
                async move { added }
            });
            let server = server.tools([teach]).start().await.unwrap();
            let connect = || Wire::connect(&server);
            let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": modern(json!({})) });
            let (list, mut old) = (list.to_string(), connect());
            assert_eq!(old.exchange(&list).await["result"]["tools"].as_array().map(Vec::len), Some(2));
            old.request("tools/call", modern(json!({ "name": "teach" }))).await;
            let after = old.exchange(&list).await;
            assert_eq!(after["result"]["tools"][2]["name"], "b");
            assert_eq!(connect().exchange(&list).await, after);
        });
    }

    static ENTERED: Notify = Notify::const_new();
    static GO_ON: Notify = Notify::const_new();

    #[test]
    fn lets_a_call_of_a_removed_tool_end() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server).await;
            let slow = Tool::builder("slow").input_schema(json!({ "type": "object" })).handler(|_: Value, _| async {
                ENTERED.notify_one();
                GO_ON.notified().await;
                Ok::<_, Infallible>("done")
            });
            set.add(slow).unwrap();
            wire.receive().await;
            wire.send_call(1, "slow", json!({})).await;
            ENTERED.notified().await;
            assert!(set.remove("slow"));
            assert_eq!(wire.receive().await, changed());
            GO_ON.notify_one();
            assert_eq!(wire.receive().await["result"]["content"][0]["text"], "done");
        });
    }
}

mod telling {
    use super::*;

    #[test]
    fn announces_changes_only_where_there_may_be_some() {
        block_on(async {
            for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
                let (server, _set) = server();
                let result = Wire::open(server).initialize(revision.into()).await["result"].take();
                assert_eq!(result["capabilities"], json!({ "tools": { "listChanged": true } }));
            }
            let mut wire = Wire::open(Server::new("t", "1").tools(tools![add]));
            let result = wire.request("server/discover", modern(json!({}))).await["result"].take();
            assert_eq!(result["capabilities"], json!({ "tools": {} }));
            // A set that may grow is there though it is empty.
            let mut server = Server::new("t", "1");
            let _set = server.tool_set();
            let mut wire = Wire::open(server);
            let result = wire.request("server/discover", modern(json!({}))).await["result"].take();
            assert_eq!(result["capabilities"], json!({ "tools": { "listChanged": true } }));
            assert_eq!(wire.request("tools/list", modern(json!({}))).await["result"]["tools"], json!([]));
        });
    }

    #[test]
    fn waits_until_the_client_is_ready() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server);
            assert_eq!(wire.request("ping", json!({})).await["result"], json!({}));
            wire.initialize("2025-06-18".into()).await;
            set.add(named("b")).unwrap();
            set.add(named("c")).unwrap();
            wire.assert_silent().await;
            wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            assert_eq!(wire.receive().await, changed());
            assert_eq!(names(&mut wire).await, ["add", "b", "c"]);
        });
    }

    #[test]
    fn tells_nothing_to_a_modern_client_that_has_not_asked() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server);
            wire.request("tools/list", modern(json!({}))).await;
            set.add(named("b")).unwrap();
            let response = wire.request("tools/list", modern(json!({}))).await;
            assert_eq!(response["result"]["tools"][1]["name"], "b");
        });
    }

    #[test]
    fn tells_many_changes_in_a_row_together() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server).await;
            let began = Instant::now();
            for number in 0..200 {
                set.add(named(&format!("t{number}"))).unwrap();
            }
            set.add(named("last")).unwrap();
            let periods = began.elapsed().as_millis() / 50 + 2;
            let mut told = 0;
            while !names_are_complete(&mut wire, &mut told).await {}
            assert!(told >= 1 && u128::from(told) <= periods, "{told} times in {periods} periods");
        });
    }

    /// Waits for the next news and looks at the list.
    async fn names_are_complete(wire: &mut Wire, told: &mut u32) -> bool {
        assert_eq!(wire.receive().await, changed());
        *told += 1;
        wire.send(json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list" })).await;
        loop {
            let message = wire.receive().await;
            if message.get("id").is_none() {
                *told += 1;
                continue;
            }
            let tools = message["result"]["tools"].as_array().expect("a list");
            return tools.last().is_some_and(|tool| tool["name"] == "last");
        }
    }
}

mod subscriptions {
    use super::*;

    fn meta(id: &Value) -> Value {
        json!({ "io.modelcontextprotocol/subscriptionId": id })
    }

    async fn listen(wire: &mut Wire, id: Value, notifications: Value) -> Value {
        let params = modern(json!({ "notifications": notifications }));
        wire.send(json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params })).await;
        wire.receive().await
    }

    fn acknowledged(id: &Value, notifications: &Value) -> Value {
        let params = json!({ "_meta": meta(id), "notifications": notifications });
        json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params })
    }

    fn told(id: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": { "_meta": meta(id) } })
    }

    #[test]
    fn acknowledges_first_then_tells_under_the_id_and_ends_with_the_result() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server);
            let asked = json!({ "toolsListChanged": true, "promptsListChanged": true });
            let first = listen(&mut wire, "L".into(), asked.clone()).await;
            assert_eq!(first, acknowledged(&"L".into(), &json!({ "toolsListChanged": true })));
            // A number is another id than the string that looks like it, and both stay what they are.
            assert_eq!(listen(&mut wire, 7.into(), asked).await["params"]["_meta"], meta(&7.into()));
            set.add(named("b")).unwrap();
            assert_eq!(wire.receive().await, told(&"L".into()));
            assert_eq!(wire.receive().await, told(&7.into()));
            let ends = wire.finish().await;
            let info = json!({ "name": "t", "version": "1" });
            let mut expected = Vec::new();
            for id in [json!("L"), json!(7)] {
                let mut result_meta = meta(&id);
                result_meta["io.modelcontextprotocol/serverInfo"] = info.clone();
                let result = json!({ "resultType": "complete", "_meta": result_meta });
                expected.push(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                let params = json!({ "requestId": id, "_meta": meta(&id) });
                expected.push(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
            }
            assert_eq!(ends, expected);
        });
    }

    #[test]
    fn keeps_a_subscription_whose_id_comes_again() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server);
            let asked = json!({ "toolsListChanged": true });
            listen(&mut wire, "L".into(), asked.clone()).await;
            let refused = listen(&mut wire, "L".into(), asked).await;
            assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("L"), &json!(-32600)));
            set.add(named("b")).unwrap();
            assert_eq!(wire.receive().await, told(&"L".into()));
            let ends: Vec<_> = wire.finish().await.iter().map(|end| end["id"].clone()).collect();
            assert_eq!(ends, [json!("L"), Value::Null]);
        });
    }

    #[test]
    fn acknowledges_first_while_changes_are_told() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server.max_subscriptions(100));
            // A set can be changed once the server serves.
            let discover =
                json!({ "jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": modern(json!({})) });
            wire.send(discover).await;
            assert_eq!(wire.receive().await["id"], "d");
            let stop = Arc::new(AtomicBool::new(false));
            let changing = std::thread::spawn({
                let stop = Arc::clone(&stop);
                move || {
                    while !stop.load(Ordering::Relaxed) {
                        set.add(named("b")).unwrap();
                        set.remove("b");
                    }
                }
            });
            let mut acknowledged = Vec::new();
            for id in 0..100 {
                let params = modern(json!({ "notifications": { "toolsListChanged": true } }));
                let listen = json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params });
                wire.send(listen).await;
                while acknowledged.len() == id {
                    let message = wire.receive().await;
                    let id = message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
                    match message["method"].as_str() {
                        Some("notifications/subscriptions/acknowledged") => acknowledged.push(id),
                        _ => assert!(acknowledged.contains(&id), "{message}"),
                    }
                }
            }
            stop.store(true, Ordering::Relaxed);
            changing.join().unwrap();
            assert_eq!(acknowledged, (0..100).map(Value::from).collect::<Vec<_>>());
        });
    }

    #[test]
    fn says_nothing_more_once_it_is_cancelled() {
        block_on(async {
            let (server, set) = server();
            let mut wire = session(server).await;
            listen(&mut wire, "L".into(), json!({ "toolsListChanged": true })).await;
            wire.cancel("L").await;
            wire.assert_silent().await;
            set.add(named("b")).unwrap();
            // The session beside it is told all the same.
            assert_eq!(wire.receive().await, changed());
            assert_eq!(wire.finish().await, Vec::<Value>::new());
        });
    }

    #[test]
    fn tells_nothing_that_was_not_asked_for() {
        block_on(async {
            let (server, set) = server();
            let mut wire = Wire::open(server);
            for asked in [json!({}), json!({ "toolsListChanged": false }), json!({ "promptsListChanged": true })] {
                let id = asked.to_string();
                let answer = listen(&mut wire, id.clone().into(), asked).await;
                assert_eq!(answer, acknowledged(&id.into(), &json!({})));
            }
            set.add(named("b")).unwrap();
            wire.request("tools/list", modern(json!({}))).await;
            // Where nothing ever changes, nothing is promised.
            let mut wire = Wire::open(Server::new("t", "1").tools(tools![add]));
            let answer = listen(&mut wire, 1.into(), json!({ "toolsListChanged": true })).await;
            assert_eq!(answer, acknowledged(&1.into(), &json!({})));
        });
    }

    #[test]
    fn refuses_what_is_no_subscription() {
        block_on(async {
            let (server, _set) = server();
            let mut wire = Wire::open(server.max_subscriptions(1));
            for params in [json!({}), json!({ "notifications": 1 }), json!({ "notifications": null })] {
                let refused = wire.request("subscriptions/listen", modern(params)).await;
                assert_eq!(refused["error"]["code"], -32602, "{refused}");
            }
            let asked = json!({ "toolsListChanged": true });
            listen(&mut wire, "L".into(), asked.clone()).await;
            for id in ["L", "M"] {
                assert_eq!(listen(&mut wire, id.into(), asked.clone()).await["error"]["code"], -32600, "{id}");
            }
            wire.cancel("L").await;
            assert_eq!(listen(&mut wire, "M".into(), asked).await["params"]["_meta"], meta(&"M".into()));
            let bare = wire.request("subscriptions/listen", json!({ "notifications": {} })).await;
            assert_eq!(bare["error"]["code"], -32602, "{bare}");
        });
    }
}

mod builder {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Sum {
        /// The first.
        a: i32,
        b: Option<i32>,
    }

    #[test]
    fn derives_schemas_from_the_types_of_the_handler() {
        block_on(async {
            let sum = |sum: Sum, _: Context| async move { Ok::<_, Infallible>(sum.a + sum.b.unwrap_or(0)) };
            let tool = Tool::builder("sum")
                .title("Sum")
                .description("Adds.")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false)
                .icon("https://example.com/sum.png")
                .meta(serde_json::Map::from_iter([("team".to_owned(), json!(7))]))
                .handler(sum);
            let server = || Server::new("t", "1").tools([Tool::builder("sum").handler(sum)]);
            let expected = json!({
                "name": "sum",
                "title": "Sum",
                "description": "Adds.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "a": { "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX, "description": "The first." },
                        "b": { "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX },
                    },
                    "required": ["a"],
                    "additionalProperties": false,
                },
                "outputSchema": { "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX },
                "annotations": {
                    "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
                },
                "icons": [{ "src": "https://example.com/sum.png" }],
                "_meta": { "team": 7 },
            });
            assert_eq!(listed(Server::new("t", "1").tools([tool])).await, [expected]);
            let mut wire = session(server()).await;
            assert_eq!(wire.call("sum", json!({ "a": 1, "b": 2 })).await["structuredContent"], json!({ "result": 3 }));
            let text = wire.failure("sum", json!({ "a": "x", "c": 1 })).await;
            assert_eq!(
                text,
                "the arguments of `sum` do not fit:\n\
                 - `a`: expected integer from -2147483648 to 2147483647, got string \"x\"\n\
                 - `c` is not known"
            );
        });
    }

    #[test]
    fn publishes_a_supplied_schema_as_it_is_and_holds_arguments_to_it() {
        block_on(async {
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "$defs": { "level": { "enum": ["low", "high"] } },
                "properties": { "level": { "$ref": "#/$defs/level" }, "n": { "type": "integer", "maximum": 5 } },
                "required": ["level"],
            });
            let tool = Tool::builder("set").input_schema(schema.clone());
            let tool = tool.handler(|arguments: Value, _| async move { Ok::<_, Infallible>(arguments.to_string()) });
            let server = Server::new("t", "1").tools([tool]);
            let mut wire = session(server).await;
            let listed = wire.request("tools/list", json!({})).await["result"]["tools"][0].take();
            assert_eq!(listed["inputSchema"].to_string(), schema.to_string());
            let text = wire.text("set", json!({ "level": "low", "other": [1] })).await;
            assert_eq!(text, r#"{"level":"low","other":[1]}"#);
            // What a model quotes is unquoted here too.
            assert_eq!(wire.text("set", json!({ "level": "low", "n": "3" })).await, r#"{"level":"low","n":3}"#);
            let text = wire.failure("set", json!({ "level": "lo", "n": 7 })).await;
            assert!(text.contains("`level`: expected one of \"low\", \"high\", got \"lo\""), "{text}");
            assert!(text.contains("`n`: expected integer of at most 5, got 7"), "{text}");
            assert!(wire.failure("set", json!({})).await.contains("`level` is required and missing"));
        });
    }

    #[test]
    fn holds_results_to_a_supplied_output_schema() {
        block_on(async {
            let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
            let tool = |name: &str| {
                Tool::builder(name).input_schema(json!({ "type": "object" })).output_schema(schema.clone())
            };
            let echo = tool("echo").handler(|arguments: Value, _| async move { Ok::<_, Infallible>(arguments) });
            let full = tool("full").handler(|arguments: Value, _| async move {
                Ok::<_, Infallible>(CallToolResult::new([ContentBlock::text("x")]).structured(arguments))
            });
            let bare = tool("bare").handler(|_: Value, _| async move {
                Ok::<_, Infallible>(CallToolResult::new([ContentBlock::text("x")]))
            });
            let mut wire = session(Server::new("t", "1").tools([echo, full, bare])).await;
            let listed = wire.request("tools/list", json!({})).await["result"]["tools"][0].take();
            assert_eq!(listed["outputSchema"], schema);
            for name in ["echo", "full"] {
                assert_eq!(wire.call(name, json!({ "n": 1 })).await["structuredContent"], json!({ "n": 1 }));
                let text = wire.failure(name, json!({ "n": "x" })).await;
                assert!(text.starts_with("the tool's result does not fit its output schema: "), "{text}");
            }
            let text = wire.failure("bare", json!({})).await;
            assert_eq!(text, "the tool has an output schema, and its result has no structured content");
        });
    }

    #[test]
    fn tells_errors_of_every_kind() {
        block_on(async {
            let fail = |arguments: Value, _: Context| async move {
                match arguments["how"].as_str() {
                    Some("data") => Err(ToolError::failure("with data").with_data(json!({ "n": 1 }))),
                    Some("protocol") => Err(ToolError::protocol(-32001, "refused")),
                    _ => Ok(()),
                }
            };
            let boxed = |_: Value, _: Context| async move {
                let error: Box<dyn std::error::Error + Send + Sync> = ToolError::failure("boxed").into();
                Err::<(), _>(error)
            };
            let schema = || json!({ "type": "object" });
            let server = Server::new("t", "1").tools([
                Tool::builder("fail").input_schema(schema()).handler(fail),
                Tool::builder("boxed").input_schema(schema()).handler(boxed),
                Tool::builder("blocks")
                    .input_schema(schema())
                    .blocking_handler(|_: Value, ctx: Context| Err::<(), _>(format!("at {}", ctx.request_id()))),
            ]);
            let mut wire = session(server).await;
            let result = wire.call("fail", json!({ "how": "data" })).await;
            assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &json!({ "n": 1 })));
            let refused = json!({ "name": "fail", "arguments": { "how": "protocol" } });
            assert_eq!(wire.request("tools/call", refused).await["error"]["code"], -32001);
            assert_eq!(wire.failure("boxed", json!({})).await, "boxed");
            assert_eq!(wire.failure("blocks", json!({})).await, "at \"tools/call\"");
        });
    }

    #[test]
    fn survives_a_schema_that_refers_to_itself() {
        block_on(async {
            let schema = json!({
                "type": "object",
                "$defs": { "a": { "allOf": [{ "$ref": "#/$defs/b" }] }, "b": { "$ref": "#/$defs/a" } },
                "properties": {
                    "loop": { "$ref": "#/$defs/a" },
                    "chain": { "$ref": "#/$defs/c" },
                },
            });
            let mut schema = schema;
            schema["$defs"]["c"] = json!({ "$ref": "#/$defs/d" });
            schema["$defs"]["d"] = json!({ "type": "integer" });
            let tool = Tool::builder("round").input_schema(schema);
            let tool = tool.handler(|arguments: Value, _| async move { Ok::<_, Infallible>(arguments.to_string()) });
            let mut wire = session(Server::new("t", "1").tools([tool])).await;
            assert_eq!(wire.text("round", json!({ "chain": 1 })).await, r#"{"chain":1}"#);
            assert!(wire.failure("round", json!({ "chain": "x" })).await.contains("`chain`: expected integer"));
            let text = wire.failure("round", json!({ "loop": 1 })).await;
            assert!(text.contains("`loop` cannot be checked, since its schema refers to itself"), "{text}");
        });
    }

    #[test]
    fn refuses_to_start_where_the_arguments_are_no_object() {
        block_on(async {
            let tool = Tool::builder("any").handler(|_: Value, _| async { Ok::<_, Infallible>(()) });
            let text = start_error(Server::new("t", "1").tools([tool])).await;
            assert_eq!(
                text,
                "tool `any`: its arguments are of a type whose schema is no object: give it one with `.input_schema(…)`"
            );
        });
    }

    #[test]
    fn stops_a_call_that_takes_too_long() {
        block_on(async {
            let timeout = std::time::Duration::from_millis(1);
            let tool = Tool::builder("wait").input_schema(json!({ "type": "object" })).timeout(timeout);
            let tool = tool.handler(|_: Value, _| std::future::pending::<Result<(), Infallible>>());
            let mut wire = session(Server::new("t", "1").tools([tool])).await;
            assert_eq!(wire.failure("wait", json!({})).await, "the tool did not end within 0.001 s and was stopped");
        });
    }
}
