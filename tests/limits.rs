//! The bounds of a server: what happens when one is reached.

#![allow(clippy::needless_pass_by_value, clippy::unused_async, reason = "the tools have the shapes that are tested")]

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::memory::{Wire, block_on};
use mcp_runtime::{CompletionRequest, Prompt, PromptArgument, Server, tool, tools};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

#[tool]
fn length(text: &str) -> usize {
    text.len()
}

/// A call of `length` whose line has exactly so many bytes.
fn line_of(bytes: usize) -> String {
    let params = |text: &str| format!(r#"{{"name":"length","arguments":{{"text":"{text}"}}}}"#);
    let line = |text: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}}"#, params(text));
    line(&"x".repeat(bytes - line("").len()))
}

#[test]
fn reads_a_line_of_the_limit_and_answers_one_that_passes_it() {
    block_on(async {
        let server = || Server::new("t", "1").tools(tools![length]).max_line_bytes(1000);
        let mut wire = Wire::initialized(server(), "2025-11-25").await;
        assert!(wire.exchange(&line_of(1000)).await["result"].is_object());
        for bytes in [1001, 200_000] {
            let response = wire.exchange(&line_of(bytes)).await;
            assert_eq!(response.get("id"), None);
            let error = json!({ "code": -32600, "message": "the message is longer than 1000 bytes" });
            assert_eq!(response["error"], error);
            wire.assert_silent().await;
        }
        assert!(wire.exchange(&line_of(999)).await["result"].is_object());
    });
}

#[test]
fn reads_large_lines_by_default() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![length]), "2025-11-25").await;
        let text = "é\"\\".repeat(1_500_000);
        let result = wire.call("length", json!({ "text": text })).await;
        assert_eq!(result["structuredContent"]["result"], text.len());
    });
}

static GATE: Semaphore = Semaphore::const_new(0);
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Runs until the gate lets it through.
#[tool]
async fn gated() -> usize {
    let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
    MOST.fetch_max(running, Ordering::SeqCst);
    GATE.acquire().await.unwrap().forget();
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    running
}

#[test]
fn runs_so_many_calls_at_a_time_and_lets_the_others_wait() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![gated]).max_calls_in_flight(3);
        let mut wire = Wire::initialized(server, "2025-11-25").await;
        for id in 0..20 {
            wire.send_call(id, "gated", json!({})).await;
        }
        // A ping passes those that wait, and so does a cancellation of one of them.
        wire.assert_silent().await;
        wire.cancel(19).await;
        // An id that waits is in flight.
        wire.send_call(18, "gated", json!({})).await;
        let refused = wire.receive().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(18), &json!(-32600)));
        GATE.add_permits(19);
        let mut ids = Vec::new();
        while ids.len() < 19 {
            ids.push(wire.receive().await["id"].as_i64().unwrap());
        }
        ids.sort_unstable();
        assert_eq!(ids, (0..19).collect::<Vec<_>>());
        assert_eq!(MOST.load(Ordering::SeqCst), 3);
        wire.assert_silent().await;
    });
}

#[tool]
async fn hang() {
    std::future::pending::<()>().await;
}

#[test]
fn cancels_calls_that_run_and_calls_that_wait_though_the_limit_is_reached() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![hang, length]).max_calls_in_flight(8);
        let mut wire = Wire::initialized(server, "2025-11-25").await;
        for id in 0..200 {
            wire.send_call(id, "hang", json!({})).await;
        }
        wire.send_call("last", "length", json!({ "text": "abc" })).await;
        wire.assert_silent().await;
        for id in 0..200 {
            wire.cancel(id).await;
        }
        let response = wire.receive().await;
        assert_eq!((&response["id"], &response["result"]["structuredContent"]["result"]), (&json!("last"), &json!(3)));
        assert_eq!(wire.finish().await, Vec::<Value>::new());
    });
}

/// Lets every task of the runtime get its turn many times, so that each has gone as far as it can.
async fn settle() {
    for _ in 0..10_000 {
        tokio::task::yield_now().await;
    }
}

static STARTED: Notify = Notify::const_new();
static OPEN: Notify = Notify::const_new();

#[tool]
async fn holds(text: String) -> usize {
    STARTED.notify_one();
    OPEN.notified().await;
    OPEN.notify_one();
    text.len()
}

#[test]
fn stops_reading_while_too_many_bytes_of_calls_wait_and_loses_none() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![holds]).max_calls_in_flight(1).max_waiting_bytes(10_000);
        let wire = Wire::initialized(server, "2025-11-25").await;
        let (mut writing, mut reading) = wire.halves();
        let writer = tokio::spawn(async move {
            // More than waits in the server and in the connection together.
            for id in 0..100 {
                let params = json!({ "name": "holds", "arguments": { "text": "x".repeat(5000) } });
                writing.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
            }
            writing
        });
        STARTED.notified().await;
        // One call runs and holds the others up, so the writer has to be stuck.
        settle().await;
        assert!(!writer.is_finished());
        OPEN.notify_one();
        let mut ids = Vec::new();
        while ids.len() < 100 {
            let response = reading.receive().await;
            assert_eq!(response["result"]["structuredContent"]["result"], 5000);
            ids.push(response["id"].as_i64().unwrap());
        }
        assert_eq!(ids, (0..100).collect::<Vec<_>>());
        writer.await.unwrap();
    });
}

static STARTED_ONCE: Notify = Notify::const_new();
static OPEN_ONCE: Notify = Notify::const_new();

#[tool]
async fn holds_once() {
    STARTED_ONCE.notify_one();
    OPEN_ONCE.notified().await;
    OPEN_ONCE.notify_one();
}

#[test]
fn counts_the_meta_of_calls_that_wait() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![holds_once]).max_calls_in_flight(1).max_waiting_bytes(10_000);
        let wire = Wire::initialized(server, "2025-11-25").await;
        let (mut writing, mut reading) = wire.halves();
        let writer = tokio::spawn(async move {
            for id in 0..100 {
                let params = json!({ "name": "holds_once", "_meta": { "example.org/x": "x".repeat(5000) } });
                writing.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
            }
            writing
        });
        STARTED_ONCE.notified().await;
        settle().await;
        assert!(!writer.is_finished());
        OPEN_ONCE.notify_one();
        for id in 0..100 {
            assert_eq!(reading.receive().await["id"], id);
        }
        writer.await.unwrap();
    });
}

static STARTED_COMPLETING: Notify = Notify::const_new();
static OPEN_COMPLETING: Notify = Notify::const_new();

async fn completes_once(_: CompletionRequest) -> [&'static str; 1] {
    STARTED_COMPLETING.notify_one();
    OPEN_COMPLETING.notified().await;
    OPEN_COMPLETING.notify_one();
    ["done"]
}

#[test]
fn counts_what_is_typed_of_completions_that_wait() {
    block_on(async {
        let prompt = Prompt::builder("p").argument(PromptArgument::new("a")).complete("a", completes_once).text("");
        let server = Server::new("t", "1").prompts([prompt]).max_calls_in_flight(1).max_waiting_bytes(1_000_000);
        let wire = Wire::initialized(server, "2025-11-25").await;
        let (mut writing, mut reading) = wire.halves();
        let writer = tokio::spawn(async move {
            // Each is half in what is typed and half in the other arguments.
            let half = "x".repeat(50_000);
            for id in 0..100 {
                let argument = json!({ "name": "a", "value": half });
                let context = json!({ "arguments": { "b": half } });
                let reference = json!({ "type": "ref/prompt", "name": "p" });
                let params = json!({ "ref": reference, "argument": argument, "context": context });
                let method = "completion/complete";
                writing.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
            }
            writing
        });
        STARTED_COMPLETING.notified().await;
        settle().await;
        assert!(!writer.is_finished());
        OPEN_COMPLETING.notify_one();
        for id in 0..100 {
            assert_eq!(reading.receive().await["id"], id);
        }
        writer.await.unwrap();
    });
}

/// A task of the test's own runtime, which gets its turn for certain.
#[tool]
async fn blob(bytes: usize) -> String {
    "x".repeat(bytes)
}

#[test]
fn stops_reading_while_too_many_bytes_wait_to_be_read_and_loses_none() {
    const CALLS: i64 = 2000;
    block_on(async {
        let server = Server::new("t", "1").tools(tools![blob]).max_output_bytes(10_000);
        let wire = Wire::initialized(server, "2025-11-25").await;
        let (mut writing, mut reading) = wire.halves();
        // The calls alone fill what the connection holds in the other direction, several times.
        let padding = "x".repeat(500);
        let writer = tokio::spawn(async move {
            for id in 0..CALLS {
                let params = json!({ "name": "blob", "arguments": { "bytes": 5000 }, "padding": padding });
                writing.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
            }
            writing
        });
        // Nothing is read meanwhile, so the writer has to be stuck.
        settle().await;
        assert!(!writer.is_finished());
        let mut ids = Vec::new();
        for _ in 0..CALLS {
            ids.push(reading.receive().await["id"].as_i64().unwrap());
        }
        ids.sort_unstable();
        assert_eq!(ids, (0..CALLS).collect::<Vec<_>>());
        writer.await.unwrap();
    });
}

static STUCK: Notify = Notify::const_new();

#[tool]
async fn stuck() {
    STUCK.notify_one();
    std::future::pending::<()>().await;
}

#[test]
fn gives_up_calls_that_outlast_the_grace_time_after_the_end_of_input() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![stuck, length]).shutdown_grace(Duration::from_millis(1));
        let mut wire = Wire::initialized(server, "2025-11-25").await;
        wire.send_call(1, "stuck", json!({})).await;
        STUCK.notified().await;
        assert_eq!(wire.finish().await, Vec::<Value>::new());
    });
}

#[tool]
async fn soon() -> &'static str {
    tokio::task::yield_now().await;
    "done"
}

#[test]
fn finishes_calls_in_flight_after_the_end_of_input() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![soon]).max_calls_in_flight(2);
        let server = server.shutdown_grace(common::PATIENCE);
        let mut wire = Wire::initialized(server, "2025-11-25").await;
        for id in 0..5 {
            wire.send_call(id, "soon", json!({})).await;
        }
        let mut ids: Vec<_> = wire.finish().await.iter().map(|response| response["id"].as_i64().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, [0, 1, 2, 3, 4]);
    });
}
