//! What stands around tool calls: it sees, refuses, delays, rewrites and records them.

#![allow(clippy::unused_async, reason = "the tools have the shapes that are tested")]

mod common;

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::memory::{Wire, block_on, modern, session};
use common::{Server as Process, example};
use mcp_runtime::{
    CallToolResult, ContentBlock, Middleware, Next, Server, ToolError, ToolRequest, ToolResponse, tool, tools,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Double a number.
#[tool(read_only)]
fn double(n: i32) -> i32 {
    n * 2
}

/// Delete it all.
#[tool(destructive = true)]
async fn wipe() -> Result<(), String> {
    Err("nothing is left".to_owned())
}

/// Fall over.
#[tool]
async fn fall() {
    panic!("fell");
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![double, wipe, fall])
}

/// Keeps a line for each call.
#[derive(Clone, Default)]
struct Journal(Arc<Mutex<Vec<String>>>);

impl Journal {
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Middleware for Journal {
    fn call(&self, request: ToolRequest, next: Next) -> Pin<Box<dyn Future<Output = ToolResponse> + Send + '_>> {
        Box::pin(async move {
            let call = format!("{} {} {}", request.request_id(), request.tool(), request.arguments());
            let response = next.run(request).await;
            let end = match (response.json(), response.failure(), response.error()) {
                (Some(json), ..) => format!("= {json}"),
                (_, Some(text), _) => format!("failed: {}", text.lines().next().unwrap_or_default()),
                (.., Some(error)) => format!("error {}", error.code),
                _ => format!("{:?}", response.result()),
            };
            self.0.lock().unwrap().push(format!("{call} {end} {}", response.is_success()));
            response
        })
    }
}

#[test]
fn sees_every_call_and_what_became_of_it() {
    block_on(async {
        let journal = Journal::default();
        let mut wire = session(server().middleware(journal.clone())).await;
        wire.send_call(1, "double", json!({ "n": 4 })).await;
        assert_eq!(wire.receive().await["result"]["structuredContent"], json!({ "result": 8 }));
        wire.send_call("b", "double", json!({ "n": "x" })).await;
        assert_eq!(wire.receive().await["result"]["isError"], true);
        wire.send_call("c", "wipe", json!({})).await;
        assert_eq!(wire.receive().await["result"]["content"][0]["text"], "nothing is left");
        wire.send_call("d", "none", json!({})).await;
        assert_eq!(wire.receive().await["error"]["code"], -32602);
        // What ends in a panic has no response to see.
        wire.send_call("e", "fall", json!({})).await;
        assert_eq!(wire.receive().await["error"]["code"], -32603);
        let expected = [
            r#"1 double {"n":4} = 8 true"#,
            r#""b" double {"n":"x"} failed: the arguments of `double` do not fit: false"#,
            r#""c" wipe {} failed: nothing is left false"#,
        ];
        assert_eq!(journal.lines(), expected);
    });
}

#[test]
fn refuses_calls_by_what_the_tool_says_of_itself_and_by_who_calls() {
    let guard = async |request: ToolRequest, next: Next| {
        let is_trusted = request.client().is_some_and(|client| client.name == "test");
        if is_trusted || request.annotations().read_only_hint == Some(true) {
            next.run(request).await
        } else {
            ToolError::protocol(-31000, format!("`{}` is not allowed in {}", request.tool(), request.revision())).into()
        }
    };
    block_on(async {
        let mut wire = Wire::open(server().middleware(guard));
        let refused = wire.request("tools/call", modern(json!({ "name": "wipe" }))).await;
        assert_eq!(refused["error"], json!({ "code": -31000, "message": "`wipe` is not allowed in 2026-07-28" }));
        let mut named = modern(json!({ "name": "wipe" }));
        named["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
        assert_eq!(wire.request("tools/call", named).await["result"]["isError"], true);
        // Another request says nothing about this one.
        let again = wire.request("tools/call", modern(json!({ "name": "wipe" }))).await;
        assert_eq!(again["error"]["code"], -31000);
        let read = modern(json!({ "name": "double", "arguments": { "n": 1 } }));
        assert_eq!(wire.request("tools/call", read).await["result"]["structuredContent"], 2);
        let mut wire = session(server().middleware(guard)).await;
        assert_eq!(wire.failure("wipe", json!({})).await, "nothing is left");
    });
}

#[test]
fn rewrites_arguments_and_responses_in_the_order_of_adding() {
    let more = async |mut request: ToolRequest, next: Next| {
        let arguments: Value = request.arguments_as().unwrap_or_default();
        request.set_arguments(&json!({ "n": arguments["n"].as_i64().unwrap_or_default() + 1 }));
        next.run(request).await
    };
    let tenfold = async |mut request: ToolRequest, next: Next| {
        let arguments: Value = request.arguments_as().unwrap_or_default();
        request.set_arguments(&json!({ "n": arguments["n"].as_i64().unwrap_or_default() * 10 }));
        let said = next.run(request).await.json().map(str::to_owned).unwrap_or_default();
        CallToolResult::new([ContentBlock::text(format!("<{said}>"))]).structured(json!(said.len())).into()
    };
    block_on(async {
        let mut wire = session(server().middleware(more).middleware(tenfold)).await;
        assert_eq!(wire.text("double", json!({ "n": 1 })).await, "<40>");
        let twice = async |request: ToolRequest, next: Next| {
            next.clone().run(request.clone()).await;
            next.run(request).await
        };
        let journal = Journal::default();
        let mut wire = session(server().middleware(twice).middleware(journal.clone())).await;
        assert_eq!(wire.call("double", json!({ "n": 1 })).await["structuredContent"], json!({ "result": 2 }));
        assert_eq!(journal.lines().len(), 2);
        let nonsense = async |mut request: ToolRequest, next: Next| {
            request.set_arguments(&json!([1]));
            next.run(request).await
        };
        let mut wire = session(server().middleware(nonsense)).await;
        let text = wire.failure("double", json!({ "n": 1 })).await;
        assert!(text.starts_with("the arguments of `double` do not fit:\n"), "{text}");
    });
}

static ENTERED: Notify = Notify::const_new();
static LEFT: Notify = Notify::const_new();
static GO_ON: Notify = Notify::const_new();

#[test]
fn delays_a_plain_function_and_holds_up_nobody_else() {
    let delay = async |request: ToolRequest, next: Next| {
        if request.arguments().contains("-7") {
            ENTERED.notify_one();
            GO_ON.notified().await;
        }
        next.run(request).await
    };
    block_on(async {
        let mut wire = session(server().middleware(delay)).await;
        wire.send_call("slow", "double", json!({ "n": -7 })).await;
        ENTERED.notified().await;
        wire.assert_silent().await;
        assert_eq!(wire.call("double", json!({ "n": 3 })).await["structuredContent"], json!({ "result": 6 }));
        GO_ON.notify_one();
        assert_eq!(wire.receive().await["result"]["structuredContent"], json!({ "result": -14 }));
    });
}

/// Tells when it is dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        LEFT.notify_one();
    }
}

#[test]
fn holds_what_it_answers_to_the_output_schema_of_the_tool() {
    let answer =
        async |request: ToolRequest, _: Next| match request.arguments_as::<Value>().unwrap_or_default()["n"].as_i64() {
            Some(1) => ToolResponse::value(&7).expect("a number is JSON"),
            Some(2) => ToolResponse::value("seven").expect("a string is JSON"),
            _ => CallToolResult::new([ContentBlock::text("seven")]).into(),
        };
    block_on(async {
        let mut wire = session(server().middleware(answer)).await;
        assert_eq!(wire.call("double", json!({ "n": 1 })).await["structuredContent"], json!({ "result": 7 }));
        let text = wire.failure("double", json!({ "n": 2 })).await;
        assert!(text.starts_with("the tool's result does not fit its output schema: "), "{text}");
        let text = wire.failure("double", json!({ "n": 3 })).await;
        assert_eq!(text, "the tool has an output schema, and its result has no structured content");
        // A tool without one may be answered with anything.
        let text = wire.text("wipe", json!({})).await;
        assert_eq!(text, "seven");
    });
}

#[test]
fn sees_the_meta_of_a_request_whatever_else_stands_in_it() {
    let skip = async |request: ToolRequest, next: Next| {
        if request.meta().get("example.org/policy") == Some(&json!("refuse")) {
            return ToolError::failure("refused").into();
        }
        next.run(request).await
    };
    block_on(async {
        let mut wire = session(server().middleware(skip)).await;
        let deep = format!("{}{}", "[".repeat(126), "]".repeat(126));
        for odd in ["1", "1e999", r#""\ud800""#, deep.as_str()] {
            let meta = format!(r#"{{"a":{odd},"example.org/policy":"refuse","z":{odd}}}"#);
            let params = format!(r#"{{"name":"double","arguments":{{"n":1}},"_meta":{meta}}}"#);
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let response = wire.exchange(&line).await;
            // What is nested too deeply for JSON as such is no message.
            let is_refused = response["result"]["content"][0]["text"] == "refused";
            assert!(is_refused || response["error"]["code"] == -32700, "{odd}: {response}");
        }
    });
}

#[test]
fn sees_the_text_of_a_failure_with_data() {
    /// Fail with data.
    #[tool]
    fn fail() -> Result<(), ToolError> {
        Err(ToolError::failure("no").with_data(json!({ "n": 1 })))
    }

    block_on(async {
        let journal = Journal::default();
        let mut wire = session(Server::new("t", "1").tools(tools![fail]).middleware(journal.clone())).await;
        assert_eq!(wire.call("fail", json!({})).await["structuredContent"], json!({ "n": 1 }));
        assert_eq!(journal.lines(), [r#""tools/call" fail {} failed: no false"#]);
    });
}

/// Start a runtime of its own, as blocking clients do.
#[tool]
fn nested() -> Result<u8, std::io::Error> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?.block_on(async { 7 }))
}

#[test]
fn lets_a_plain_function_start_a_runtime_though_what_stands_around_it_waits() {
    let wait = async |request: ToolRequest, next: Next| {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        next.run(request).await
    };
    block_on(async {
        let mut wire = session(Server::new("t", "1").tools(tools![nested]).middleware(wait)).await;
        assert_eq!(wire.call("nested", json!({})).await["structuredContent"], json!({ "result": 7 }));
    });
}

#[test]
fn is_dropped_where_the_call_is_cancelled() {
    static ENTERED: Notify = Notify::const_new();
    let hang = async |_: ToolRequest, _: Next| {
        let _guard = Guard;
        ENTERED.notify_one();
        std::future::pending().await
    };
    block_on(async {
        let mut wire = session(server().middleware(hang)).await;
        wire.send_call("w", "wipe", json!({})).await;
        ENTERED.notified().await;
        wire.cancel("w").await;
        LEFT.notified().await;
        wire.assert_silent().await;
    });
}

#[test]
fn panics_for_its_own_call_alone() {
    let calls = AtomicUsize::new(0);
    let calls = Arc::new(calls);
    let fall = {
        let calls = Arc::clone(&calls);
        move |request: ToolRequest, next: Next| {
            let calls = Arc::clone(&calls);
            async move {
                assert!(calls.fetch_add(1, Ordering::Relaxed) > 0, "the first one falls");
                next.run(request).await
            }
        }
    };
    block_on(async {
        let mut wire = session(server().middleware(fall)).await;
        wire.send_call(1, "double", json!({ "n": 1 })).await;
        assert_eq!(wire.receive().await["error"]["code"], -32603);
        assert_eq!(wire.call("double", json!({ "n": 1 })).await["structuredContent"], json!({ "result": 2 }));
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn guarded_limits_how_often_a_client_may_call() {
    assert!(example("guarded").exists());
    let mut server = Process::initialized("guarded", "2025-11-25");
    for n in 1..=3 {
        let result = server.call("lookup", json!({ "word": "crate" }));
        let text = "the unit that the Rust compiler looks at";
        assert_eq!(result, json!({ "content": [{ "type": "text", "text": text }] }), "{n}");
    }
    let refused = server.call("lookup", json!({ "word": "crate" }));
    assert_eq!(refused["isError"], true, "{refused}");
    assert_eq!(refused["content"][0]["text"], "3 calls are all that a session has; start another one");
    let (_, stderr) = server.finish();
    assert_eq!(stderr.matches("lookup").count(), 4, "{stderr}");
}
