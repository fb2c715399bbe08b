//! A client that is asked, in either era.

use mcp_runtime::Server;
use serde_json::{Value, json};

pub(crate) use crate::common::memory::{LEGACY, Wire, block_on};

/// What a client declares that can be asked everything.
pub(crate) fn all_capabilities() -> Value {
    json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": { "tools": {}, "context": {} },
        "roots": {},
    })
}

/// The params of `initialize` from a client with these capabilities.
pub(crate) fn initialize_params(revision: &str, capabilities: Value) -> Value {
    json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    })
}

/// A session of the legacy era with a client that has declared these.
pub(crate) async fn session_of(server: Server, revision: &str, capabilities: Value) -> Wire {
    let mut wire = Wire::open(server);
    let opened = wire.request("initialize", initialize_params(revision, capabilities)).await;
    assert_eq!(opened["result"]["protocolVersion"], revision);
    wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    wire
}

/// The same with a client that can be asked everything.
pub(crate) async fn session(server: Server, revision: &str) -> Wire {
    session_of(server, revision, all_capabilities()).await
}

/// Answers a question of the server.
pub(crate) async fn answer(wire: &mut Wire, question: &Value, result: Value) {
    wire.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
}

/// A form that is filled in.
pub(crate) fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// A form with one field that is filled in.
pub(crate) fn named(name: &str) -> Value {
    accept(json!({ "name": name }))
}

/// What a model has written.
pub(crate) fn written(text: &str) -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m", "stopReason": "endTurn" })
}

/// The params of a request of the modern era from a client with these capabilities.
pub(crate) fn modern_of(mut params: Value, capabilities: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    params
}

/// The params of a call of the modern era.
pub(crate) fn call(tool: &str, arguments: Value) -> Value {
    modern_of(json!({ "name": tool, "arguments": arguments }), all_capabilities())
}

/// The params of the next round of a call, with the state of the last one.
pub(crate) fn retry(mut params: Value, asked: &Value, answers: Value) -> Value {
    params["inputResponses"] = answers;
    params["requestState"] = asked["requestState"].clone();
    params
}

/// What calls of the modern era come to: a result of either type.
pub(crate) async fn result(wire: &mut Wire, params: Value) -> Value {
    let mut response = wire.request("tools/call", params).await;
    assert_eq!(response.get("error"), None, "{response}");
    let result = response["result"].take();
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "t", "{result}");
    result
}

/// The questions that a call has ended with.
pub(crate) async fn asked(wire: &mut Wire, params: Value) -> Value {
    let result = result(wire, params).await;
    assert_eq!(result["resultType"], "input_required", "{result}");
    assert!(result["requestState"].is_string(), "{result}");
    let keys: Vec<&String> = result.as_object().expect("it is an object").keys().collect();
    assert_eq!(keys, ["resultType", "inputRequests", "requestState", "_meta"]);
    for (_, question) in result["inputRequests"].as_object().expect("it is an object") {
        assert!(question["method"].is_string(), "{question}");
        assert_eq!((question.get("id"), question.get("jsonrpc")), (None, None), "{question}");
    }
    result
}

/// The keys of the questions that a call has ended with.
pub(crate) fn keys(asked: &Value) -> Vec<&str> {
    asked["inputRequests"].as_object().expect("it is an object").keys().map(String::as_str).collect()
}

/// The text of a call that is complete.
pub(crate) async fn text(wire: &mut Wire, params: Value) -> String {
    let result = result(wire, params).await;
    assert_eq!((&result["resultType"], result.get("isError")), (&"complete".into(), None), "{result}");
    text_of(&result).to_owned()
}

/// The text of a call that is complete and has failed.
pub(crate) async fn failure(wire: &mut Wire, params: Value) -> String {
    let result = result(wire, params).await;
    assert_eq!((&result["resultType"], &result["isError"]), (&"complete".into(), &true.into()), "{result}");
    text_of(&result).to_owned()
}

/// The error that a call is answered with.
pub(crate) async fn error(wire: &mut Wire, params: Value) -> Value {
    let mut response = wire.request("tools/call", params).await;
    assert_eq!(response.get("result"), None, "{response}");
    response["error"].take()
}

pub(crate) fn text_of(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}
