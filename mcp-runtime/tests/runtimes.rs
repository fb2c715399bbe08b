//! Serving on the user's own runtime, of either kind.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unused_async,
    clippy::unwrap_used,
    reason = "the helpers of a test fail as a test does, and the tools have the shapes that are tested"
)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::future::Future;
use std::sync::{Condvar, Mutex, PoisonError};

use common::PATIENCE;
use common::memory::Wire;
use mcp_runtime::{Context, Server, tool, tools};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn two_workers() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Runs a test to its end, or gives up when nothing happens.
fn block_on<T>(runtime: &Runtime, test: impl Future<Output = T>) -> T {
    runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await.expect("the server answers in time") })
}

/// Report progress three times.
#[tool]
fn report(ctx: &Context) {
    for step in 1..=3 {
        ctx.progress(step.into(), None, None);
    }
}

/// Do the same, and let others go on in between.
#[tool]
async fn report_slowly(ctx: &Context) {
    for step in 1..=3 {
        ctx.progress(step.into(), None, None);
        tokio::task::yield_now().await;
    }
}

async fn answers_every_call_of_a_torn_stream() {
    const CALLS: usize = 2000;
    let wire = Wire::initialized(Server::new("t", "1").tools(tools![report, report_slowly]), "2025-11-25").await;
    let (mut writing, mut reading) = wire.halves();
    let mut input = String::new();
    for id in 0..CALLS {
        let tool = if id % 2 == 0 { "report" } else { "report_slowly" };
        let params = json!({ "name": tool, "_meta": { "progressToken": id } });
        input += &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        input += "\n";
    }
    let writer = tokio::spawn(async move {
        for piece in input.as_bytes().chunks(251) {
            writing.send_bytes(piece).await;
        }
        writing
    });
    let (mut reports, mut answered) = (vec![0; CALLS], vec![false; CALLS]);
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    while answered.contains(&false) {
        let message = reading.receive().await;
        if let Some(id) = message.get("id") {
            assert!(message["result"].is_object(), "{message}");
            assert!(!std::mem::replace(&mut answered[index(id)], true), "{message} came twice");
        } else {
            let token = index(&message["params"]["progressToken"]);
            assert!(!answered[token], "{message} came after the response");
            reports[token] += 1;
        }
    }
    assert!(reports.iter().all(|reports| *reports == 3));
    writer.await.unwrap();
}

#[test]
fn loses_no_call_of_a_torn_stream_while_progress_goes_on() {
    for runtime in [current_thread(), two_workers()] {
        for _ in 0..5 {
            block_on(&runtime, answers_every_call_of_a_torn_stream());
        }
    }
}

static GATE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

fn wait_at_the_gate() {
    let open = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(GATE.1.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
}

/// Opens the gate when it is dropped, so that a runtime whose test has failed can end.
struct Opener;

impl Drop for Opener {
    fn drop(&mut self) {
        *GATE.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        GATE.1.notify_all();
    }
}

/// Block in a plain function.
#[tool]
fn block() {
    wait_at_the_gate();
}

/// Block, and say so.
#[tool(blocking)]
async fn block_honestly() {
    tokio::task::yield_now().await;
    wait_at_the_gate();
}

/// Block at the first poll.
#[tool]
async fn block_at_once() {
    wait_at_the_gate();
}

/// Block with something on its way to the client.
#[tool]
async fn block_after_a_report(ctx: &Context) {
    ctx.progress(1.0, None, None);
    wait_at_the_gate();
}

async fn answers_a_ping_while_it_blocks(tool: &str) {
    let opener = Opener;
    *GATE.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
    let tools = tools![block, block_honestly, block_at_once, block_after_a_report];
    let mut wire = Wire::initialized(Server::new("t", "1").tools(tools), "2025-11-25").await;
    let params = json!({ "name": tool, "_meta": { "progressToken": "p" } });
    wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
    if tool == "block_after_a_report" {
        assert_eq!(wire.receive().await["method"], "notifications/progress");
    }
    for _ in 0..3 {
        wire.assert_silent().await;
    }
    drop(opener);
    assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [] } }));
}

/// One test, since the gate is one.
#[test]
fn answers_pings_while_a_tool_blocks_its_thread() {
    for tool in ["block", "block_honestly"] {
        block_on(&current_thread(), answers_a_ping_while_it_blocks(tool));
    }
    for tool in ["block", "block_honestly", "block_at_once", "block_after_a_report"] {
        block_on(&two_workers(), answers_a_ping_while_it_blocks(tool));
    }
}
