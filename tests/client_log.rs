//! Log messages to clients, by the level of the session or of the request, and progress in bounds.

#![allow(clippy::needless_pass_by_value, clippy::unused_async, reason = "the handlers have the shapes that are tested")]

mod common;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use common::memory::{LEGACY, Wire, block_on, modern, session};
use mcp_runtime::{
    Context, LogLevel, Prompt, Server, ServerResource, Tool, prompt, prompts, resource, resources, tool, tools,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::Notify;

const LEVELS: [(LogLevel, &str); 8] = [
    (LogLevel::Debug, "debug"),
    (LogLevel::Info, "info"),
    (LogLevel::Notice, "notice"),
    (LogLevel::Warning, "warning"),
    (LogLevel::Error, "error"),
    (LogLevel::Critical, "critical"),
    (LogLevel::Alert, "alert"),
    (LogLevel::Emergency, "emergency"),
];

/// Say something at every level.
#[tool]
async fn say(ctx: &Context) {
    for (level, name) in LEVELS {
        ctx.log(level, name);
    }
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![say]).client_logging()
}

fn message(params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params })
}

fn levels_from(least: &str) -> Vec<Value> {
    let names = LEVELS.iter().map(|(_, name)| *name).skip_while(|name| *name != least);
    names.map(|name| message(json!({ "level": name, "data": name }))).collect()
}

/// What comes before the response to a request, which has to be a result.
async fn before_the_response(wire: &mut Wire, method: &str, params: Value) -> Vec<Value> {
    wire.send(json!({ "jsonrpc": "2.0", "id": "r", "method": method, "params": params })).await;
    let mut messages = Vec::new();
    loop {
        let message = wire.receive().await;
        if message["id"] == "r" {
            assert_eq!(message.get("error"), None, "{message}");
            return messages;
        }
        messages.push(message);
    }
}

async fn said(wire: &mut Wire) -> Vec<Value> {
    before_the_response(wire, "tools/call", json!({ "name": "say" })).await
}

fn leveled(params: Value, level: impl Into<Value>) -> Value {
    let mut params = modern(params);
    params["_meta"]["io.modelcontextprotocol/logLevel"] = level.into();
    params
}

mod sessions {
    use super::*;

    #[test]
    fn sends_from_info_on_until_the_client_says_otherwise() {
        block_on(async {
            for revision in LEGACY {
                let mut wire = Wire::initialized(server(), revision).await;
                assert_eq!(said(&mut wire).await, levels_from("info"), "{revision}");
                for (_, level) in LEVELS {
                    let done = wire.request("logging/setLevel", json!({ "level": level })).await;
                    assert_eq!(done["result"], json!({}), "{revision}");
                    assert_eq!(said(&mut wire).await, levels_from(level), "{revision}");
                }
                wire.assert_silent().await;
            }
        });
    }

    #[test]
    fn announces_that_it_logs() {
        block_on(async {
            for revision in LEGACY {
                let mut wire = Wire::open(server());
                let result = wire.initialize(revision.into()).await["result"].take();
                assert_eq!(result["capabilities"], json!({ "tools": {}, "logging": {} }), "{revision}");
            }
        });
    }

    #[test]
    fn refuses_a_level_that_there_is_not_and_keeps_the_one_before() {
        block_on(async {
            let mut wire = session(server()).await;
            wire.request("logging/setLevel", json!({ "level": "alert" })).await;
            let levels = [
                json!("verbose"),
                json!("Debug"),
                json!("debug "),
                json!(""),
                json!(0),
                json!(null),
                json!(["debug"]),
                json!({ "debug": null }),
            ];
            for level in levels {
                let error = wire.request("logging/setLevel", json!({ "level": level })).await["error"].take();
                assert_eq!(error["code"], -32602, "{level}");
            }
            assert_eq!(wire.request("logging/setLevel", json!({})).await["error"]["code"], -32602);
            let bare = wire.exchange(r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}"#).await;
            assert_eq!(bare["error"]["code"], -32602);
            assert_eq!(said(&mut wire).await, levels_from("alert"));
        });
    }

    #[test]
    fn keeps_the_level_of_each_session_apart() {
        block_on(async {
            let server = server().start().await.unwrap();
            let mut wires = Vec::new();
            for level in ["debug", "emergency"] {
                let mut wire = Wire::connect(&server);
                wire.initialize("2025-11-25".into()).await;
                wire.request("logging/setLevel", json!({ "level": level })).await;
                wires.push((wire, level));
            }
            for (wire, level) in &mut wires {
                assert_eq!(said(wire).await, levels_from(level));
            }
        });
    }

    #[test]
    fn sends_before_the_client_is_ready() {
        block_on(async {
            let mut wire = Wire::open(server());
            wire.initialize("2025-06-18".into()).await;
            assert_eq!(said(&mut wire).await, levels_from("info"));
        });
    }
}

mod requests {
    use super::*;

    #[test]
    fn sends_what_a_request_asks_for_and_nothing_to_others() {
        block_on(async {
            let mut wire = Wire::open(server());
            let discovered = wire.request("server/discover", modern(json!({}))).await["result"].take();
            assert_eq!(discovered["capabilities"], json!({ "tools": {}, "logging": {} }));
            let call = json!({ "name": "say" });
            for (_, level) in LEVELS {
                let params = leveled(call.clone(), level);
                assert_eq!(before_the_response(&mut wire, "tools/call", params).await, levels_from(level));
                let unasked = before_the_response(&mut wire, "tools/call", modern(call.clone())).await;
                assert_eq!(unasked, Vec::<Value>::new());
            }
        });
    }

    #[test]
    fn refuses_a_level_that_there_is_not() {
        block_on(async {
            let mut wire = Wire::open(server());
            for level in [json!("verbose"), json!("INFO"), json!(3), json!({ "info": null }), json!(["info"])] {
                let params = leveled(json!({ "name": "say" }), level.clone());
                let error = wire.request("tools/call", params).await["error"].take();
                let message = "`io.modelcontextprotocol/logLevel` must be one of \"debug\", \"info\", \"notice\", \
                               \"warning\", \"error\", \"critical\", \"alert\" and \"emergency\"";
                assert_eq!(error, json!({ "code": -32602, "message": message }), "{level}");
            }
        });
    }

    #[test]
    fn has_no_level_of_a_session_in_the_modern_era() {
        block_on(async {
            let mut wire = session(server()).await;
            let error = wire.request("logging/setLevel", modern(json!({ "level": "debug" }))).await["error"].take();
            assert_eq!(error["code"], -32601);
            wire.request("logging/setLevel", json!({ "level": "debug" })).await;
            // A request of the other era on the same connection has a level of its own, or none.
            let unasked = before_the_response(&mut wire, "tools/call", modern(json!({ "name": "say" }))).await;
            assert_eq!(unasked, Vec::<Value>::new());
            let params = leveled(json!({ "name": "say" }), "alert");
            assert_eq!(before_the_response(&mut wire, "tools/call", params).await, levels_from("alert"));
            assert_eq!(said(&mut wire).await, levels_from("debug"));
        });
    }
}

mod messages {
    use super::*;

    #[derive(serde::Serialize)]
    struct Reading {
        celsius: f64,
        at: Option<&'static str>,
    }

    /// Log values of every form.
    #[tool]
    async fn forms(ctx: &Context) {
        ctx.log_as("sensor", LogLevel::Notice, Reading { celsius: 21.5, at: None });
        ctx.log(LogLevel::Error, ["a", "b\nc"]);
        ctx.log(LogLevel::Info, ());
        ctx.log(LogLevel::Info, f64::NAN);
        ctx.log_as("", LogLevel::Info, 1);
    }

    #[test]
    fn sends_any_json_and_the_name_of_the_logger() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![forms]).client_logging()).await;
            let messages = before_the_response(&mut wire, "tools/call", json!({ "name": "forms" })).await;
            let expected = [
                json!({ "level": "notice", "logger": "sensor", "data": { "celsius": 21.5, "at": null } }),
                json!({ "level": "error", "data": ["a", "b\nc"] }),
                json!({ "level": "info", "data": null }),
                json!({ "level": "info", "data": null }),
                json!({ "level": "info", "logger": "", "data": 1 }),
            ];
            assert_eq!(messages, expected.map(message));
        });
    }

    /// Log what cannot be written as JSON, and what breaks lines.
    #[tool]
    async fn odd(ctx: &Context) {
        ctx.log(LogLevel::Info, BTreeMap::from([((1, 2), "no key")]));
        let raw = RawValue::from_string("{\n  \"a\":\r\n 1\n}".to_owned()).expect("it is JSON");
        ctx.log(LogLevel::Info, raw);
        ctx.log(LogLevel::Info, "after");
    }

    #[test]
    fn sends_whole_messages_on_one_line_each_whatever_is_logged() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![odd]).client_logging()).await;
            let messages = before_the_response(&mut wire, "tools/call", json!({ "name": "odd" })).await;
            let expected =
                [json!({ "level": "info", "data": { "a": 1 } }), json!({ "level": "info", "data": "after" })];
            assert_eq!(messages, expected.map(message));
        });
    }

    /// A prompt that logs.
    #[prompt]
    fn ask(ctx: &Context) -> &'static str {
        ctx.log(LogLevel::Warning, "prompt");
        ""
    }

    /// A resource that logs.
    #[resource("log://{page}")]
    async fn page(page: &str, ctx: &Context) -> String {
        ctx.log(LogLevel::Warning, page);
        String::new()
    }

    #[test]
    fn sends_what_prompts_and_resources_log() {
        block_on(async {
            let built = ServerResource::builder("built://log").handler(|_, ctx: Context| async move {
                ctx.log(LogLevel::Warning, "built");
                Ok::<_, Infallible>("")
            });
            let server = Server::new("t", "1").prompts(prompts![ask]).resources(resources![page]).resources([built]);
            let mut wire = session(server.client_logging()).await;
            for (method, params, data) in [
                ("prompts/get", json!({ "name": "ask" }), "prompt"),
                ("resources/read", json!({ "uri": "log://a" }), "a"),
                ("resources/read", json!({ "uri": "built://log" }), "built"),
            ] {
                let messages = before_the_response(&mut wire, method, params).await;
                assert_eq!(messages, [message(json!({ "level": "warning", "data": data }))]);
            }
        });
    }

    #[test]
    fn sends_nothing_after_the_response() {
        block_on(async {
            let (end, ended) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
            let tool = Tool::builder("leave").input_schema(json!({ "type": "object" }));
            let tool = tool.handler({
                let (end, ended) = (Arc::clone(&end), Arc::clone(&ended));
                move |_: Value, ctx: Context| {
                    let (end, ended) = (Arc::clone(&end), Arc::clone(&ended));
                    tokio::spawn(async move {
                        end.notified().await;
                        ctx.log(LogLevel::Emergency, "late");
                        ctx.progress(1.0, None, None);
                        ended.notify_one();
                    });
                    async { Ok::<_, Infallible>("done") }
                }
            });
            let mut wire = session(Server::new("t", "1").tools([tool]).client_logging()).await;
            let params = json!({ "name": "leave", "_meta": { "progressToken": 1 } });
            assert_eq!(before_the_response(&mut wire, "tools/call", params).await, Vec::<Value>::new());
            end.notify_one();
            ended.notified().await;
            wire.assert_silent().await;
            assert_eq!(wire.finish().await, Vec::<Value>::new());
        });
    }

    #[test]
    fn sends_nothing_for_a_call_that_is_cancelled() {
        block_on(async {
            let told = Arc::new(Notify::new());
            let tool = Tool::builder("stop").input_schema(json!({ "type": "object" }));
            let tool = tool.handler({
                let told = Arc::clone(&told);
                move |_: Value, ctx: Context| {
                    let told = Arc::clone(&told);
                    tokio::spawn(async move {
                        ctx.log(LogLevel::Info, "early");
                        ctx.cancelled().await;
                        ctx.log(LogLevel::Info, "late");
                        told.notify_one();
                    });
                    std::future::pending::<Result<(), Infallible>>()
                }
            });
            let mut wire = session(Server::new("t", "1").tools([tool]).client_logging()).await;
            wire.send_call(1, "stop", json!({})).await;
            assert_eq!(wire.receive().await, message(json!({ "level": "info", "data": "early" })));
            wire.cancel(1).await;
            told.notified().await;
            wire.assert_silent().await;
        });
    }
}

mod own_log {
    use super::*;

    #[test]
    fn sends_nothing_where_the_server_does_not_log_to_clients() {
        block_on(async {
            let server = || Server::new("t", "1").tools(tools![say]);
            let mut wire = Wire::open(server());
            let result = wire.initialize("2025-11-25".into()).await["result"].take();
            assert_eq!(result["capabilities"], json!({ "tools": {} }));
            assert_eq!(wire.request("logging/setLevel", json!({ "level": "debug" })).await["error"]["code"], -32601);
            assert_eq!(said(&mut wire).await, Vec::<Value>::new());
            let mut wire = Wire::open(server());
            let params = leveled(json!({ "name": "say" }), "debug");
            assert_eq!(before_the_response(&mut wire, "tools/call", params).await, Vec::<Value>::new());
        });
    }

    #[test]
    fn keeps_what_is_logged_in_the_log_of_the_server() {
        let mut server = common::Server::start_with("nasty", &[], &[("MCP_LOG_LEVEL", "info")]);
        server.initialize("2025-11-25");
        assert_eq!(server.call("log_for_client", json!({})), json!({ "content": [] }));
        let (rest, stderr) = server.finish();
        assert_eq!(rest, Vec::<Value>::new());
        let lines: Vec<_> = stderr.lines().map(|line| line.split_once(' ').map_or(line, |(_, said)| said)).collect();
        let expected = [
            "INFO mcp_runtime::call_state: a Info for the client",
            "INFO mcp_runtime::call_state: a Notice for the client",
            "WARN mcp_runtime::call_state: a Warning for the client",
            "ERROR mcp_runtime::call_state: a Error for the client",
            r#"ERROR mcp_runtime::call_state: {"n":1} logger="part""#,
        ];
        assert_eq!(lines, expected);
    }
}

mod progress {
    use super::*;

    #[test]
    fn sends_a_part_of_many_reports_and_the_last_before_the_response() {
        block_on(async {
            let values = Arc::new(Mutex::new(Vec::new()));
            let prompt = Prompt::builder("count").handler(|_: BTreeMap<String, String>, ctx: Context| async move {
                for step in 1..=10_000 {
                    ctx.progress(f64::from(step), Some(10_000.0), None);
                }
                Ok::<_, Infallible>("")
            });
            let mut wire = session(Server::new("t", "1").prompts([prompt])).await;
            let params = json!({ "name": "count", "_meta": { "progressToken": "p" } });
            for report in before_the_response(&mut wire, "prompts/get", params).await {
                assert_eq!(
                    (&report["method"], &report["params"]["progressToken"]),
                    (&json!("notifications/progress"), &json!("p"))
                );
                values.lock().unwrap().push(report["params"]["progress"].as_f64().unwrap());
            }
            let values = values.lock().unwrap();
            assert!(values.is_sorted_by(|one, next| one < next), "{values:?}");
            assert_eq!((values[..16].to_vec(), values.last()), ((1..=16).map(f64::from).collect(), Some(&10_000.0)));
            assert!(values.len() < 10_000, "{} reports", values.len());
        });
    }

    #[test]
    fn sends_no_reports_without_a_token() {
        block_on(async {
            let prompt = Prompt::builder("count").handler(|_: BTreeMap<String, String>, ctx: Context| async move {
                ctx.progress(1.0, None, None);
                Ok::<_, Infallible>("")
            });
            let mut wire = session(Server::new("t", "1").prompts([prompt])).await;
            for meta in [json!({}), json!({ "progressToken": null }), json!({ "progressToken": true })] {
                let params = json!({ "name": "count", "_meta": meta });
                assert_eq!(before_the_response(&mut wire, "prompts/get", params).await, Vec::<Value>::new());
            }
        });
    }
}
