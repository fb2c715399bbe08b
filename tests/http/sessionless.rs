//! A server that remembers nothing of its clients.

use std::sync::Arc;

use mcp_runtime::http::Http;
use mcp_runtime::{Context, Server, State, tool, tools};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

use crate::support::{
    Connection, Event, Request, Served, block_on, both, initialize, modern, modern_call, request, said, serve_with,
};

/// What calls tell the test, and wait for.
#[derive(Clone)]
struct Signals {
    started: Arc<Semaphore>,
    ended: Arc<Notify>,
}

impl Signals {
    /// Waits until so many calls run.
    async fn started(&self, calls: u32) {
        self.started.acquire_many(calls).await.expect("it is open").forget();
    }
}

/// When calls may go on.
struct GoOn(Arc<Semaphore>);

/// Add two numbers.
#[tool]
async fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}

/// Say back what was said, when told to.
#[tool]
async fn echo(text: String, signals: &State<Signals>, go_on: &State<GoOn>, ctx: &Context) -> String {
    ctx.progress(1.0, None, None);
    signals.started.add_permits(1);
    go_on.0.acquire().await.expect("it is open").forget();
    signals.ended.notify_one();
    text
}

/// Say who the client is.
#[tool]
async fn who(ctx: &Context) -> String {
    format!(
        "{:?} {} {}",
        ctx.client().map(|client| client.name),
        ctx.revision(),
        ctx.close_stream(std::time::Duration::ZERO)
    )
}

struct Watched {
    served: Served,
    signals: Signals,
    go_on: Arc<Semaphore>,
}

async fn watched() -> Watched {
    let signals = Signals { started: Arc::new(Semaphore::new(0)), ended: Arc::default() };
    let go_on = Arc::new(Semaphore::new(0));
    let server =
        Server::new("t", "1").tools(tools![add, echo, who]).state(signals.clone()).state(GoOn(Arc::clone(&go_on)));
    Watched { served: serve_with(server, Http::new().without_sessions()).await, signals, go_on }
}

fn post(id: impl Into<Value>, method: &str, params: Value) -> Request {
    Request::post(request(id, method, params).to_string())
}

fn echo_call(id: impl Into<Value>, text: &str) -> Request {
    post(id, "tools/call", json!({ "name": "echo", "arguments": { "text": text }, "_meta": { "progressToken": "t" } }))
}

#[test]
fn answers_initialize_without_a_session() {
    block_on(async {
        let served = watched().await.served;
        for revision in ["2025-03-26", "2025-11-25"] {
            let response = served.send(&initialize(revision)).await;
            assert_eq!((response.status, response.header("mcp-session-id")), (200, None));
            assert_eq!(response.json().await["result"]["protocolVersion"], revision);
        }
    });
}

#[test]
fn promises_to_tell_of_changes_only_in_the_modern_era() {
    block_on(async {
        let mut server = Server::new("t", "1").tools(tools![add]);
        let set = server.tool_set();
        let served = serve_with(server.state(set), Http::new().without_sessions()).await;
        let handshake = served.send(&initialize("2025-11-25")).await.json().await;
        assert_eq!(handshake["result"]["capabilities"], json!({ "tools": {} }));
        let discovered = served.send(&modern(1, "server/discover", json!({}))).await.json().await;
        assert_eq!(discovered["result"]["capabilities"], json!({ "tools": { "listChanged": true } }));
    });
}

#[test]
fn serves_requests_by_the_version_that_they_name() {
    block_on(async {
        let served = watched().await.served;
        let list = post(1, "tools/list", json!({}));
        for (version, has_output_schema) in
            [(None, false), (Some("2025-03-26"), false), (Some("2024-11-05"), false), (Some("2025-06-18"), true)]
        {
            let request = version.map_or(list.clone(), |version| list.clone().header("MCP-Protocol-Version", version));
            let response = served.send(&request).await.json().await;
            let tool = &response["result"]["tools"][0];
            assert_eq!(
                (&tool["name"], tool.get("outputSchema").is_some()),
                (&json!("add"), has_output_schema),
                "{version:?}"
            );
        }
        let unknown = served.send(&list.header("MCP-Protocol-Version", "2031-01-01")).await;
        assert_eq!(unknown.refused().await, (400, json!(-32022), json!(1)));
    });
}

#[test]
fn takes_no_notice_of_the_id_of_a_session() {
    block_on(async {
        let served = watched().await.served;
        let response = served.send(&post(1, "ping", json!({})).header("Mcp-Session-Id", "stale")).await;
        assert_eq!(response.json().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    });
}

#[test]
fn has_no_streams_to_open_and_no_sessions_to_end() {
    block_on(async {
        let served = watched().await.served;
        for request in
            [Request::get(), Request::get().header("Mcp-Session-Id", "x"), Request::new("DELETE"), Request::new("PUT")]
        {
            let refused = served.send(&request).await;
            assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")));
        }
    });
}

#[test]
fn accepts_notifications_and_responses() {
    block_on(async {
        let served = watched().await.served;
        for message in [
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
            json!({ "jsonrpc": "2.0", "id": 9, "result": {} }),
        ] {
            let response = served.send(&Request::post(message.to_string())).await;
            assert_eq!((response.status, response.header("content-length")), (202, Some("0")));
        }
    });
}

#[test]
fn tells_calls_of_one_id_apart() {
    block_on(async {
        let Watched { served, signals, go_on } = watched().await;
        let call = |text: &'static str, name| {
            let request =
                if name { modern_call(1, "echo", json!({ "text": text })) } else { echo_call(1, text).json_only() };
            let served = &served;
            Box::pin(async move { served.send(&request).await.json().await["result"]["content"][0]["text"].take() })
        };
        let calls = both(both(call("a", false), call("b", false)), both(call("c", true), call("d", true)));
        let release = async {
            signals.started(4).await;
            go_on.add_permits(4);
        };
        let (((a, b), (c, d)), ()) = both(calls, release).await;
        assert_eq!([a, b, c, d], ["a", "b", "c", "d"]);
    });
}

#[test]
fn tells_of_progress_without_numbers_to_go_on_from() {
    block_on(async {
        let Watched { served, go_on, .. } = watched().await;
        go_on.add_permits(1);
        let call = echo_call(1, "x").header("MCP-Protocol-Version", "2025-11-25");
        let events = served.send(&call).await.events().await;
        let params = json!({ "progressToken": "t", "progress": 1.0 });
        let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
        let read = |event: &Event| serde_json::from_str::<Value>(event.data.as_deref().expect("there is data"));
        let messages: Vec<_> = events.iter().map(|event| read(event).expect("it is JSON")).collect();
        assert_eq!(messages.len(), 2);
        assert_eq!((&messages[0], &messages[1]["id"]), (&progress, &json!(1)));
        assert!(events.iter().all(|event| event.id.is_none()), "{events:?}");
    });
}

#[test]
fn goes_on_with_a_legacy_call_whatever_its_client_does() {
    block_on(async {
        let Watched { served, signals, go_on } = watched().await;
        let mut connection = Connection::open(served.address()).await;
        connection.write(&echo_call(1, "x").bytes()).await;
        signals.started(1).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        served.send(&Request::post(cancel.to_string())).await;
        drop(connection);
        served.send(&post(2, "ping", json!({}))).await;
        go_on.add_permits(1);
        signals.ended.notified().await;
    });
}

#[test]
fn knows_nothing_of_a_client_but_what_a_request_says() {
    block_on(async {
        let served = watched().await.served;
        served.send(&initialize("2025-11-25")).await;
        let call = post(1, "tools/call", json!({ "name": "who" })).with("MCP-Protocol-Version", "2025-06-18");
        assert_eq!(served.send(&call).await.json().await, said(1, "None 2025-06-18 false"));
    });
}
