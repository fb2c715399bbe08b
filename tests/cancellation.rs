//! Cancelling calls, and the progress that they report meanwhile.

mod common;

use std::convert::Infallible;
use std::time::Duration;

use common::memory::{Wire, block_on, modern};
use mcp_runtime::{Context, Server, Tool, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Tells when the tool of one test has come somewhere.
struct Signals {
    started: Notify,
    ended: Notify,
}

impl Signals {
    const fn new() -> Self {
        Self { started: Notify::const_new(), ended: Notify::const_new() }
    }
}

/// Tells when it is dropped.
struct Guard(&'static Signals);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.ended.notify_one();
    }
}

static ENDLESS: Signals = Signals::new();

/// Never ends by itself.
#[tool]
async fn endless(ctx: &Context) {
    let _guard = Guard(&ENDLESS);
    ctx.progress(1.0, None, None);
    ENDLESS.started.notify_one();
    std::future::pending::<()>().await;
}

#[test]
fn drops_a_cancelled_call_and_sends_nothing_after() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![endless]), "2025-11-25").await;
        for token in [None, Some("p")] {
            let mut params = json!({ "name": "endless" });
            if let Some(token) = token {
                params["_meta"]["progressToken"] = token.into();
            }
            wire.send(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })).await;
            ENDLESS.started.notified().await;
            if token.is_some() {
                assert_eq!(wire.receive().await["method"], "notifications/progress");
            }
            wire.cancel(7).await;
            ENDLESS.ended.notified().await;
            wire.assert_silent().await;
        }
    });
}

static LEFT: Signals = Signals::new();

#[tool]
async fn endless_beyond() {
    let _guard = Guard(&LEFT);
    LEFT.started.notify_one();
    std::future::pending::<()>().await;
}

#[test]
fn drops_the_calls_of_a_client_that_has_gone() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![endless_beyond]).shutdown_grace(Duration::from_millis(1));
        let mut wire = Wire::initialized(server, "2025-11-25").await;
        wire.send_call(1, "endless_beyond", json!({})).await;
        LEFT.started.notified().await;
        assert_eq!(wire.finish().await, Vec::<Value>::new());
        LEFT.ended.notified().await;
    });
}

static MODERN: Signals = Signals::new();

#[tool]
async fn endless_modern() {
    let _guard = Guard(&MODERN);
    MODERN.started.notify_one();
    std::future::pending::<()>().await;
}

#[test]
fn cancels_modern_requests_too() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![endless_modern]));
        let params = modern(json!({ "name": "endless_modern" }));
        wire.send(json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": params })).await;
        MODERN.started.notified().await;
        wire.cancel("a").await;
        MODERN.ended.notified().await;
        wire.assert_silent().await;
    });
}

static KEPT: Signals = Signals::new();

#[tool]
async fn until_told() -> u8 {
    KEPT.started.notify_one();
    KEPT.ended.notified().await;
    1
}

#[test]
fn ignores_cancellations_of_other_requests() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![until_told]), "2025-11-25").await;
        wire.send_call(1, "until_told", json!({})).await;
        KEPT.started.notified().await;
        for id in [json!("1"), json!(2), json!(1.5), json!(null)] {
            wire.cancel(id).await;
        }
        wire.assert_silent().await;
        KEPT.ended.notify_one();
        assert_eq!(wire.receive().await["id"], 1);
        // A late one is ignored, and the id may be used again.
        wire.cancel(1).await;
        wire.send_call(1, "until_told", json!({})).await;
        KEPT.ended.notify_one();
        assert_eq!(wire.receive().await["id"], 1);
    });
}

#[tool]
fn fast() -> u8 {
    1
}

#[test]
fn answers_a_call_whose_id_was_cancelled_before_it_came() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![fast]), "2025-11-25").await;
        wire.cancel(99).await;
        wire.send_line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#).await;
        wire.send_line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#).await;
        for _ in 0..2 {
            wire.send_call(99, "fast", json!({})).await;
            let response = wire.receive().await;
            assert_eq!((&response["id"], &response["result"]["structuredContent"]["result"]), (&json!(99), &json!(1)));
            wire.cancel(99).await;
            wire.assert_silent().await;
        }
    });
}

static TWICE: Signals = Signals::new();

#[tool]
async fn told_twice() -> u8 {
    TWICE.started.notify_one();
    TWICE.ended.notified().await;
    1
}

#[test]
fn refuses_an_id_that_is_in_flight_and_keeps_the_first_call() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![told_twice]), "2025-11-25").await;
        wire.send_call("a", "told_twice", json!({})).await;
        TWICE.started.notified().await;
        // The same string, spelt with an escape.
        let params = r#"{"name":"told_twice"}"#;
        wire.send_line(&format!(r#"{{"jsonrpc":"2.0","id":"\u0061","method":"tools/call","params":{params}}}"#)).await;
        let refused = wire.receive().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("a"), &json!(-32600)));
        // Whatever is asked for: a client would take the answer for that of the call.
        for (method, params) in [
            ("ping", json!({})),
            ("tools/list", json!({})),
            ("tools/call", json!({ "name": "told_twice", "arguments": { "x": 1 } })),
            ("tools/call", json!({ "name": "unknown" })),
            ("initialize", json!({})),
            ("no/such", json!({})),
        ] {
            wire.send(json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params })).await;
            assert_eq!(wire.receive().await["error"]["code"], -32600, "{method}");
        }
        TWICE.ended.notify_one();
        let answered = wire.receive().await;
        assert_eq!((&answered["id"], answered["result"].is_object()), (&json!("a"), true));
    });
}

static SEEN: Signals = Signals::new();

/// Blocks its thread until it sees that it is cancelled.
#[tool]
fn looks(ctx: &Context) {
    SEEN.started.notify_one();
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
    SEEN.ended.notify_one();
}

#[test]
fn lets_blocking_tools_see_that_they_are_cancelled() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![looks]), "2025-11-25").await;
        wire.send_call(1, "looks", json!({})).await;
        SEEN.started.notified().await;
        wire.assert_silent().await;
        wire.cancel(1).await;
        // It ends only when it has seen it.
        SEEN.ended.notified().await;
        wire.assert_silent().await;
    });
}

static WAITS: Signals = Signals::new();

#[tool]
async fn waits(ctx: &Context) {
    let waiting = ctx.cancelled();
    WAITS.started.notify_one();
    waiting.await;
}

#[test]
fn cancels_a_call_that_waits_to_be_cancelled() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![waits]), "2025-11-25").await;
        wire.send_call(1, "waits", json!({})).await;
        WAITS.started.notified().await;
        wire.cancel(1).await;
        wire.assert_silent().await;
        assert_eq!(wire.finish().await, Vec::<Value>::new());
    });
}

/// Reports more than may be sent.
#[tool]
async fn reports(ctx: &Context) -> &'static str {
    for progress in [1.0, 1.0, 2.5, 0.0, f64::NAN, f64::INFINITY] {
        ctx.progress(progress, Some(4.0), Some("at work"));
        tokio::task::yield_now().await;
    }
    ctx.progress(3.0, Some(f64::NAN), None);
    "done"
}

#[test]
fn reports_progress_that_grows_under_the_token_of_the_request() {
    block_on(async {
        for (revision, has_message) in [("2024-11-05", false), ("2025-03-26", true), ("2025-11-25", true)] {
            let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![reports]), revision).await;
            for token in [json!(0), json!(""), json!("a"), json!(12_345_678_901_i64)] {
                let params = json!({ "name": "reports", "_meta": { "progressToken": token } });
                wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
                for (progress, total, message) in [(1.0, true, true), (2.5, true, true), (3.0, false, false)] {
                    let mut expected = json!({ "progressToken": token, "progress": progress });
                    if total {
                        expected["total"] = 4.0.into();
                    }
                    if message && has_message {
                        expected["message"] = "at work".into();
                    }
                    let expected = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": expected });
                    assert_eq!(wire.receive().await, expected);
                }
                assert_eq!(wire.receive().await["id"], 1);
            }
            wire.assert_silent().await;
        }
    });
}

static LATE: Signals = Signals::new();

#[test]
fn reports_nothing_after_the_response() {
    block_on(async {
        let reports = Tool::builder("reports").input_schema(json!({ "type": "object" }));
        let reports = reports.handler(|_: Value, ctx: Context| async move {
            for progress in [1.0, 2.0, 2.0, 1.0, 3.0] {
                ctx.progress(progress, None, None);
            }
            tokio::spawn(async move {
                LATE.started.notified().await;
                ctx.progress(4.0, None, None);
                LATE.ended.notify_one();
            });
            Ok::<_, Infallible>("done")
        });
        let mut wire = Wire::initialized(Server::new("t", "1").tools([reports]), "2025-11-25").await;
        let params = json!({ "name": "reports", "_meta": { "progressToken": 0 } });
        wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
        for progress in [1.0, 2.0, 3.0] {
            let params = json!({ "progressToken": 0, "progress": progress });
            let expected = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
            assert_eq!(wire.receive().await, expected);
        }
        assert_eq!(wire.receive().await["result"]["content"][0]["text"], "done");
        LATE.started.notify_one();
        LATE.ended.notified().await;
        wire.assert_silent().await;
    });
}

#[test]
fn reports_no_progress_to_who_has_not_asked() {
    block_on(async {
        let mut wire = Wire::initialized(Server::new("t", "1").tools(tools![reports]), "2025-11-25").await;
        for meta in [
            json!(null),
            json!({}),
            json!({ "progressToken": null }),
            json!({ "progressToken": 1.5 }),
            json!({ "progressToken": {} }),
        ] {
            let response = wire.request("tools/call", json!({ "name": "reports", "_meta": meta })).await;
            assert_eq!(response["result"]["content"][0]["text"], "done", "{meta}");
        }
    });
}
