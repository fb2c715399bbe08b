//! The layer that sends the events of a call to its client.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use mcp_runtime::{Client, ClientLogLayer, Revision, Server, tool, tools};
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt as _;

/// Log something of every level.
#[tool]
async fn talk() {
    tracing::trace!("a trace");
    tracing::error!(target: "database", "select * from users");
    tracing::error!(target: "client_log_layers", "another crate");
    tracing::debug!(target: "orders", "a debug");
    tracing::info!(order = 7, paid = true, by = "card", "an info");
    tokio::task::yield_now().await;
    tracing::warn!(ratio = 0.5, "a warning");
    tracing::error!(list = ?[1, 2]);
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![talk])
}

/// The log messages that a client gets, with a log of the program's own.
fn logged(server: Server, revision: Revision, level: Option<&str>) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    // All tasks of this runtime are on this thread.
    let _log = tracing::subscriber::set_default(
        tracing_subscriber::registry().with(ClientLogLayer::new(["client_log_layer", "orders"])),
    );
    runtime.block_on(async {
        let mut client: Client = server.connect_as(revision).await.expect("the server starts");
        let mut params = json!({ "name": "talk" });
        match level {
            Some(level) if revision.is_modern() => {
                params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
            }
            Some(level) => {
                client.request("logging/setLevel", json!({ "level": level })).await.expect("the level is set");
            }
            None => {}
        }
        client.request("tools/call", params).await.expect("the call is answered");
        tracing::error!("of no call");
        client.take_notifications().into_iter().map(|mut message| message["params"].take()).collect()
    })
}

#[test]
fn sends_the_events_of_a_call_to_its_client() {
    let expected = json!([
        { "level": "info", "logger": "client_log_layer", "data": { "message": "an info", "order": 7, "paid": true, "by": "card" } },
        { "level": "warning", "logger": "client_log_layer", "data": { "message": "a warning", "ratio": 0.5 } },
        { "level": "error", "logger": "client_log_layer", "data": { "list": "[1, 2]" } },
    ]);
    assert_eq!(json!(logged(server().client_logging(), Revision::V2025_11_25, None)), expected);
}

#[test]
fn sends_what_the_client_wants_to_have() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let of = |level| logged(server().client_logging(), revision, Some(level));
        assert_eq!(of("error").len(), 1, "{revision}");
        assert_eq!(of("emergency").len(), 0, "{revision}");
        let all = of("debug");
        assert_eq!(all.len(), 4, "{revision}");
        assert_eq!(all[0], json!({ "level": "debug", "logger": "orders", "data": "a debug" }), "{revision}");
    }
}

#[test]
fn sends_nothing_to_those_who_have_not_asked() {
    assert_eq!(logged(server().client_logging(), Revision::V2026_07_28, None), Vec::<Value>::new());
}

#[test]
fn sends_nothing_unless_the_server_logs_to_its_clients() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        assert_eq!(logged(server(), revision, None), Vec::<Value>::new(), "{revision}");
    }
}
