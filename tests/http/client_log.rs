//! Log messages to clients over HTTP: each on the stream of its own request.

use mcp_runtime::http::Http;
use mcp_runtime::{Context, LogLevel, Server, tool, tools};
use serde_json::{Value, json};

use crate::support::{Request, block_on, modern, request, serve, serve_with};

/// Say two things.
#[tool]
async fn say(ctx: &Context) {
    ctx.log(LogLevel::Debug, "low");
    ctx.log_as("part", LogLevel::Error, json!({ "high": true }));
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![say]).client_logging()
}

fn low() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "debug", "data": "low" } })
}

fn high() -> Value {
    let params = json!({ "level": "error", "logger": "part", "data": { "high": true } });
    json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": params })
}

fn leveled(level: impl Into<Value>) -> Request {
    modern(1, "tools/call", json!({ "name": "say", "_meta": { "io.modelcontextprotocol/logLevel": level.into() } }))
}

#[test]
fn sends_by_the_level_of_each_session_on_the_stream_of_the_call() {
    block_on(async {
        let served = serve(server()).await;
        let (one, other) = (served.session("2025-03-26").await, served.session("2025-11-25").await);
        let mut changes = one.send(&one.get()).await;
        for (session, level) in [(&one, "debug"), (&other, "emergency")] {
            let set = session.send(&session.request(1, "logging/setLevel", json!({ "level": level }))).await;
            assert_eq!(set.json().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
        }
        let messages = one.send(&one.call(2, "say", json!({}))).await.messages().await;
        assert_eq!((messages.len(), &messages[..2], &messages[2]["id"]), (3, &[low(), high()][..], &json!(2)));
        let answer = other.send(&other.call(2, "say", json!({}))).await;
        assert_eq!(answer.json().await["id"], 2);
        one.send(&one.delete()).await;
        assert_eq!(changes.event().await.and_then(|event| event.data).filter(|data| !data.is_empty()), None);
    });
}

#[test]
fn sends_from_info_on_by_default() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        let messages = session.send(&session.call(2, "say", json!({}))).await.messages().await;
        assert_eq!((messages.len(), &messages[0]), (2, &high()));
    });
}

#[test]
fn sends_what_a_modern_request_asks_for_on_its_own_stream() {
    block_on(async {
        let served = serve(server()).await;
        let messages = served.send(&leveled("debug")).await.messages().await;
        assert_eq!((messages.len(), &messages[..2], &messages[2]["id"]), (3, &[low(), high()][..], &json!(1)));
        let messages = served.send(&leveled("error")).await.messages().await;
        assert_eq!((messages.len(), &messages[0]), (2, &high()));
        // Nothing is sent that was not asked for, so there is no need for a stream.
        assert_eq!(served.send(&leveled("alert")).await.json().await["id"], 1);
        let unasked = served.send(&modern(1, "tools/call", json!({ "name": "say" }))).await;
        assert_eq!(unasked.json().await["id"], 1);
    });
}

#[test]
fn sends_no_messages_to_a_client_that_takes_json_only() {
    block_on(async {
        let served = serve(server()).await;
        let response = served.send(&leveled("debug").json_only()).await;
        assert_eq!(response.json().await["result"]["resultType"], "complete");
    });
}

#[test]
fn refuses_a_level_that_there_is_not() {
    block_on(async {
        let served = serve(server()).await;
        assert_eq!(served.send(&leveled("loud")).await.refused().await, (200, json!(-32602), json!(1)));
        let session = served.session("2025-11-25").await;
        let refused = session.send(&session.request(1, "logging/setLevel", json!({ "level": "loud" }))).await;
        assert_eq!(refused.refused().await, (200, json!(-32602), json!(1)));
    });
}

#[test]
fn sends_no_messages_of_legacy_calls_without_a_session() {
    block_on(async {
        let served = serve_with(server(), Http::new().without_sessions()).await;
        let call = Request::post(request(1, "tools/call", json!({ "name": "say" })).to_string());
        assert_eq!(served.send(&call).await.json().await["id"], 1);
        let messages = served.send(&leveled("debug")).await.messages().await;
        assert_eq!((messages.len(), &messages[..2]), (3, &[low(), high()][..]));
    });
}
