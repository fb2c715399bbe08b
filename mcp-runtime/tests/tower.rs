//! Layers of tower around tool calls.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use mcp_runtime::{Server, tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{Mutex, Notify};
use tower::ServiceBuilder;
use tower::limit::ConcurrencyLimitLayer;
use tower::timeout::TimeoutLayer;

static ENTERED: Notify = Notify::const_new();
static GO_ON: Notify = Notify::const_new();
static RUNNING: Mutex<()> = Mutex::const_new(());

/// Fail if another call runs, and wait.
#[tool]
async fn alone() -> Result<&'static str, String> {
    let _running = RUNNING.try_lock().map_err(|_| "another call runs")?;
    ENTERED.notify_one();
    GO_ON.notified().await;
    Ok("alone")
}

/// Wait for ever.
#[tool]
async fn hang() {
    std::future::pending::<()>().await;
}

/// Double a number.
#[tool]
fn double(n: i32) -> i32 {
    n * 2
}

fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let test = async { tokio::time::timeout(Duration::from_secs(60), test).await.expect("the server answers in time") };
    runtime.block_on(test);
}

#[test]
fn limits_how_many_calls_run_at_a_time() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![alone]).layer(ConcurrencyLimitLayer::new(1));
        let (ours, theirs) = mcp_runtime::transport::memory::pair();
        let serving = tokio::spawn(server.serve(theirs));
        let (reader, mut writer) = mcp_runtime::transport::Transport::split(ours);
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        for id in 0..3 {
            let params = json!({ "name": "alone", "_meta": meta });
            let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
            writer.write_all(format!("{call}\n").as_bytes()).await.expect("the server reads");
        }
        let mut lines = BufReader::new(reader).lines();
        for _ in 0..3 {
            ENTERED.notified().await;
            GO_ON.notify_one();
            let line = lines.next_line().await.expect("the connection is open").expect("a call is answered");
            let response: Value = serde_json::from_str(&line).expect("every line is a message");
            assert_eq!(response["result"]["content"][0]["text"], "alone", "{response}");
        }
        drop((writer, lines));
        serving.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn ends_a_call_that_takes_too_long_as_a_failure() {
    block_on(async {
        let layer = ServiceBuilder::new().layer(TimeoutLayer::new(Duration::from_millis(1)));
        let server = Server::new("t", "1").tools(tools![hang, double]).layer(layer);
        let mut client = server.connect().await.expect("the server starts");
        let result = client.call_tool("hang", json!({})).await.expect("the call is answered");
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result["content"][0]["text"], "request timed out");
    });
}

#[test]
fn lets_calls_through_a_stack_of_layers() {
    block_on(async {
        let server = Server::new("t", "1")
            .tools(tools![double])
            .layer(TimeoutLayer::new(Duration::from_secs(3600)))
            .layer(ConcurrencyLimitLayer::new(4));
        let mut client = server.connect().await.expect("the server starts");
        let result = client.call_tool("double", json!({ "n": 4 })).await.expect("the call is answered");
        assert_eq!(result["structuredContent"], 8);
    });
}
