//! Batches: revision 2025-03-26 has them, and no other does.

mod common;

use std::time::Duration;

use common::Server as Process;
use common::memory::{Wire, block_on, modern};
use mcp_runtime::{Context, Server, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

static GATE: Notify = Notify::const_new();

/// Wait until it is opened.
#[tool]
async fn wait(ctx: &Context) -> u8 {
    ctx.progress(1.0, None, None);
    GATE.notified().await;
    7
}

/// Wait for ever.
#[tool]
async fn hang() {
    std::future::pending::<()>().await;
}

/// Echo.
#[tool]
fn say(text: &str) -> String {
    text.to_owned()
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![wait, hang, say])
}

async fn session() -> Wire {
    Wire::initialized(server(), "2025-03-26").await
}

fn request(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params.into() })
}

fn call(id: impl Into<Value>, tool: &str, arguments: impl Into<Value>) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments.into() }))
}

/// The responses of a batch by their ids, as JSON; what has no id is an error.
fn by_id(batch: &Value) -> Vec<(String, Value)> {
    let responses = batch.as_array().unwrap_or_else(|| panic!("{batch} is no array"));
    let part = |response: &Value| response.get("result").unwrap_or(&response["error"]["code"]).clone();
    let mut parts: Vec<_> = responses
        .iter()
        .map(|response| (response.get("id").map_or("none".to_owned(), Value::to_string), part(response)))
        .collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    parts
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

#[test]
fn answers_the_requests_of_a_batch_in_one_array_and_nothing_else() {
    block_on(async {
        let mut wire = session().await;
        let batch = json!([
            request(1, "ping", json!({})),
            { "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 77 } },
            call("say", "say", json!({ "text": "a\nb" })),
            7,
            request(2, "no/such", json!({})),
            { "jsonrpc": "2.0", "id": 99, "result": {} },
            call(3, "say", json!({})),
            request("list", "tools/list", json!({})),
        ]);
        wire.send(batch).await;
        let answer = wire.receive().await;
        let mut parts = by_id(&answer);
        // In the order of their ids as JSON: "list", "say", 1, 2, 3.
        assert_eq!(parts.remove(4).1["isError"], true, "{answer}");
        assert_eq!(parts.remove(0).1["tools"].as_array().map(Vec::len), Some(3), "{answer}");
        let expected = [("\"say\"", text("a\nb")), ("1", json!({})), ("2", json!(-32601)), ("none", json!(-32600))];
        let expected: Vec<_> = expected.map(|(id, part)| (id.to_owned(), part)).into();
        assert_eq!(parts, expected);
        wire.assert_silent().await;
    });
}

#[test]
fn answers_a_batch_once_its_last_call_has_ended_and_serves_others_meanwhile() {
    block_on(async {
        let mut wire = session().await;
        let mut waiting = call("w", "wait", json!({}));
        waiting["params"]["_meta"] = json!({ "progressToken": "t" });
        wire.send(json!([call("s", "say", json!({ "text": "x" })), waiting])).await;
        // Notifications of a call are no part of the batch.
        assert_eq!(wire.receive().await["params"]["progressToken"], "t");
        wire.assert_silent().await;
        GATE.notify_one();
        let seven = text("7");
        let expected = [("\"s\"".to_owned(), text("x")), ("\"w\"".to_owned(), seven)];
        assert_eq!(by_id(&wire.receive().await), expected);
    });
}

#[test]
fn leaves_a_cancelled_call_out_of_the_array() {
    block_on(async {
        let mut wire = session().await;
        wire.send(json!([call("w", "hang", json!({})), call("s", "say", json!({ "text": "x" }))])).await;
        wire.assert_silent().await;
        wire.cancel("w").await;
        assert_eq!(by_id(&wire.receive().await), [("\"s\"".to_owned(), text("x"))]);
        wire.send(json!([call("w", "hang", json!({}))])).await;
        wire.cancel("w").await;
        wire.assert_silent().await;
    });
}

#[test]
fn forgets_a_call_that_is_cancelled_in_the_batch_that_has_it() {
    block_on(async {
        let mut wire = session().await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "h" } });
        wire.send(json!([call("h", "hang", json!({})), cancel, call("s", "say", json!({ "text": "x" }))])).await;
        assert_eq!(by_id(&wire.receive().await), [("\"s\"".to_owned(), text("x"))]);
    });
}

#[test]
fn sends_what_is_answered_though_a_call_beside_it_never_ends() {
    block_on(async {
        let mut wire = Wire::initialized(server().shutdown_grace(Duration::ZERO), "2025-03-26").await;
        wire.send(json!([request("p", "ping", json!({})), call("h", "hang", json!({}))])).await;
        wire.assert_silent().await;
        let rest = wire.finish().await;
        assert_eq!(rest.len(), 1, "{rest:?}");
        assert_eq!(by_id(&rest[0]), [("\"p\"".to_owned(), json!({}))]);
    });
    // A call that blocks its thread cannot be dropped, and its batch does not wait for it either.
    let mut server = Process::initialized("nasty", "2025-03-26");
    server.send(&json!([call("i", "blob", json!({ "bytes": 1 })), call("b", "block", json!({}))]));
    server.assert_silent();
    server.cancel("b");
    assert_eq!(by_id(&server.receive()), [("\"i\"".to_owned(), text("x"))]);
    server.send(&json!([call("i", "blob", json!({ "bytes": 1 })), call("b", "block", json!({}))]));
    let (rest, _) = server.finish();
    assert_eq!(by_id(&rest[0]), [("\"i\"".to_owned(), text("x"))]);
}

#[test]
fn refuses_an_id_that_the_batch_has_already() {
    block_on(async {
        let mut wire = session().await;
        let twice = json!([call(1, "say", json!({ "text": "x" })), call(1, "say", json!({ "text": "y" }))]);
        wire.send(twice).await;
        let answer = wire.receive().await;
        let mut parts: Vec<Value> = by_id(&answer).into_iter().map(|(_, part)| part).collect();
        parts.sort_by_key(Value::is_object);
        assert_eq!(parts, [json!(-32600), text("x")], "{answer}");
    });
}

#[test]
fn answers_a_batch_that_is_none_with_one_error() {
    block_on(async {
        let server = || server().max_batch_messages(2);
        let mut wire = Wire::initialized(server(), "2025-03-26").await;
        let ping = request(1, "ping", json!({}));
        for batch in [json!([]), json!([ping, ping, ping])] {
            let error = wire.exchange(&batch.to_string()).await;
            assert_eq!((&error["error"]["code"], error.get("id")), (&json!(-32600), None), "{error}");
        }
        assert_eq!(wire.exchange("[").await["error"]["code"], -32700);
        wire.send(json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }])).await;
        wire.assert_silent().await;
        let again = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "c", "version": "0" } });
        wire.send(json!([request(3, "initialize", again)])).await;
        assert_eq!(by_id(&wire.receive().await), [("3".to_owned(), json!(-32600))]);
    });
}

#[test]
fn refuses_batches_in_every_other_revision() {
    block_on(async {
        let batch = json!([request(1, "ping", json!({})), request(2, "tools/list", modern(json!({})))]).to_string();
        for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let mut wire = Wire::initialized(server(), revision).await;
            let error = wire.exchange(&batch).await;
            assert_eq!((&error["error"]["code"], error.get("id")), (&json!(-32600), None), "{error}");
            wire.assert_silent().await;
        }
        // Without a session, too: `initialize` is never part of a batch.
        let mut wire = Wire::open(server());
        let open = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "c", "version": "0" } });
        let error = wire.exchange(&json!([request(1, "initialize", open)]).to_string()).await;
        assert_eq!((&error["error"]["code"], error.get("id")), (&json!(-32600), None), "{error}");
        assert_eq!(wire.request("tools/list", json!({})).await["error"]["code"], -32602);
    });
}

#[test]
fn answers_batches_on_stdin_though_their_calls_block() {
    let mut server = Process::initialized("nasty", "2025-03-26");
    let blocked: Vec<Value> = ["block", "block_at_once", "block_later", "block_honestly"]
        .into_iter()
        .map(|tool| call(tool, tool, json!({})))
        .collect();
    server.send(&blocked.into());
    server.assert_silent();
    // The last line has no newline, and the calls of its batch are served all the same.
    server.send_bytes(json!([call("o", "open", json!({})), request("p", "ping", json!({}))]).to_string().as_bytes());
    let (mut answers, _) = server.finish();
    answers.sort_by_key(|answer| answer.as_array().map(Vec::len));
    let [opened, went_on] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(by_id(opened), [("\"o\"".to_owned(), json!({ "content": [] })), ("\"p\"".to_owned(), json!({}))]);
    let went_on: Vec<Value> = by_id(went_on).into_iter().map(|(_, part)| part).collect();
    assert_eq!(went_on, vec![text("went on"); 4]);
}
