//! Over stdin and stdout, with the executor that programs use.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::common::Server;
use crate::support::{all_capabilities, call, initialize_params, named, retry, text_of};

fn session(revision: &str) -> Server {
    session_with(revision, &[])
}

/// The same with variables of the environment.
fn session_with(revision: &str, variables: &[(&str, &str)]) -> Server {
    let mut server = Server::start_with("asker", &[], variables);
    server.request("initialize", "initialize", initialize_params(revision, all_capabilities()));
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server
}

fn answer(server: &mut Server, question: &Value, result: Value) {
    server.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
}

#[test]
fn asks_while_other_calls_run() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut server = session(revision);
        server.send_call("slow", "block", json!({}));
        server.send_call("ask", "greet", json!({}));
        let question = server.receive();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        for id in 0..50 {
            server.send_call(id, "echo", json!({ "text": "hi" }));
        }
        let mut ids: Vec<Value> = (0..50).map(|_| server.receive()["id"].clone()).collect();
        ids.sort_by_key(Value::as_u64);
        assert_eq!(ids, (0..50).map(Value::from).collect::<Vec<_>>());
        answer(&mut server, &question, named("Ada"));
        let response = server.receive();
        assert_eq!((&response["id"], text_of(&response["result"])), (&json!("ask"), "Hello, Ada!"));
        server.send_call("open", "open", json!({}));
        let ends = BTreeSet::from([(); 2].map(|()| server.receive()["id"].to_string()));
        assert_eq!(ends, BTreeSet::from(["\"open\"", "\"slow\""].map(str::to_owned)));
        server.finish();
    }
}

#[test]
fn asks_after_the_thread_was_blocked() {
    let mut server = session("2025-11-25");
    server.send_call("ask", "block_and_ask", json!({}));
    server.assert_silent();
    server.send_call("open", "open", json!({}));
    let (opened, questions): (Vec<Value>, Vec<Value>) =
        [(); 2].map(|()| server.receive()).into_iter().partition(|message| message["id"] == "open");
    assert_eq!((opened.len(), questions.len()), (1, 1));
    let question = questions[0].clone();
    answer(&mut server, &question, named("Ada"));
    assert_eq!(text_of(&server.receive()["result"]), "Ada");
    server.send_request("modern", "tools/call", call("block_and_ask", json!({})));
    let asked = server.receive();
    assert_eq!(asked["result"]["resultType"], "input_required");
    server.finish();
}

#[test]
fn asks_in_many_calls_at_once() {
    let mut server = session("2025-11-25");
    for id in 0..100 {
        server.send_call(id, "two", json!({}));
    }
    let questions: Vec<Value> = (0..200).map(|_| server.receive()).collect();
    for question in questions.iter().rev() {
        let result = match question["method"].as_str() {
            Some("roots/list") => json!({ "roots": [] }),
            _ => named("Ada"),
        };
        answer(&mut server, question, result);
    }
    let mut ids: Vec<u64> = (0..100)
        .map(|_| {
            let response = server.receive();
            assert_eq!(text_of(&response["result"]), "Ada 0");
            response["id"].as_u64().expect("a number")
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..100).collect::<Vec<u64>>());
    server.finish();
}

#[test]
fn withdraws_the_question_of_a_call_that_is_cancelled() {
    let mut server = session("2025-11-25");
    server.send_call("ask", "greet", json!({}));
    let question = server.receive();
    server.cancel("ask");
    let withdrawn = server.receive();
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"], json!({ "requestId": question["id"] }));
    answer(&mut server, &question, named("Ada"));
    server.assert_silent();
    let (rest, _) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
}

#[test]
fn ends_in_time_while_a_question_is_open() {
    let mut server = session_with("2025-11-25", &[("GRACE_MILLIS", "600000")]);
    server.send_call("ask", "greet", json!({}));
    server.receive();
    let (rest, _) = server.finish();
    // The call need not wait for the end of the grace time: it is told that nobody will answer.
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(text_of(&rest[0]["result"]), "the connection ended before the client answered");

    let mut server = session_with("2025-11-25", &[("GRACE_MILLIS", "1")]);
    server.send_call("ask", "obstinate", json!({}));
    server.receive();
    let (rest, _) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
}

#[test]
fn goes_on_in_another_process_only_with_its_key() {
    let mut one = Server::start("asker");
    one.send_request(1, "tools/call", call("greet", json!({})));
    let asked = one.receive()["result"].take();
    let next = retry(call("greet", json!({})), &asked, json!({ "name": named("Ada") }));
    let mut other = Server::start("asker");
    other.send_request(1, "tools/call", next.clone());
    assert_eq!(other.receive()["error"]["code"], -32602);
    one.send_request(2, "tools/call", next);
    assert_eq!(text_of(&one.receive()["result"]), "Hello, Ada!");
    one.finish();
    other.finish();
}
