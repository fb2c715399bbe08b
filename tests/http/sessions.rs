//! Sessions: how they are opened, named, used and ended, and what a notification is answered with.

use std::collections::HashSet;

use mcp_runtime::http::{EventId, EventStore, Http};
use mcp_runtime::{Server, tool, tools};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use crate::support::{
    Connection, Request, Served, Session, block_on, initialize, modern_call, request, serve, serve_with,
};

#[tool]
async fn nothing() {}

async fn served() -> Served {
    serve(Server::new("t", "1").tools(tools![nothing])).await
}

/// Keeps nothing, and tells which sessions have ended.
struct Ends(mpsc::UnboundedSender<String>);

impl EventStore for Ends {
    fn append(&self, _: &str, _: EventId, _: &str) {}

    fn after(&self, _: &str, _: EventId) -> Vec<(EventId, String)> {
        Vec::new()
    }

    fn forget(&self, session: &str) {
        let _ = self.0.send(session.to_owned());
    }
}

/// Every method with the session, with nothing else that could be wrong.
fn uses(session: &Session) -> [Request; 4] {
    let ping = session.request(5, "ping", json!({}));
    [ping, session.notify("notifications/initialized", json!({})), session.get(), session.delete()]
}

#[test]
fn knows_only_sessions_that_it_has_opened() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        for id in ["7b1d0c4e-not-known", "", "\u{fc}nknown", &session.id[1..]] {
            for request in uses(&session) {
                assert_eq!(served.send(&request.with("Mcp-Session-Id", id)).await.status, 404, "{id:?}");
            }
        }
        session.assert_alive().await;
    });
}

#[test]
fn answers_for_an_ended_session_as_for_one_that_never_was() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        assert_eq!(served.send(&session.delete()).await.status, 204);
        for request in uses(&session) {
            let ended = served.send(&request).await;
            let never = served.send(&request.with("Mcp-Session-Id", "never")).await;
            assert_eq!((ended.status, never.status), (404, 404));
            assert_eq!(ended.json().await, never.json().await);
        }
    });
}

#[test]
fn refuses_a_request_that_names_no_session() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        for request in uses(&session) {
            let refused = served.send(&request.without("Mcp-Session-Id")).await;
            assert_eq!(refused.status, 400);
            assert!(refused.text().await.contains("session"));
        }
    });
}

#[test]
fn says_which_request_it_is_that_has_no_session() {
    block_on(async {
        let served = served().await;
        let ping = Request::post(request("p", "ping", json!({})).to_string());
        assert_eq!(served.send(&ping).await.refused().await, (400, json!(-32600), json!("p")));
        let stale = ping.header("Mcp-Session-Id", "stale");
        assert_eq!(served.send(&stale).await.refused().await, (404, json!(-32600), json!("p")));
    });
}

#[test]
fn serves_modern_requests_whatever_session_they_name() {
    block_on(async {
        let served = served().await;
        let response = served.send(&modern_call(1, "nothing", json!({})).header("Mcp-Session-Id", "stale")).await;
        assert_eq!((response.status, response.header("mcp-session-id")), (200, None));
    });
}

#[test]
fn opens_a_new_session_for_a_client_that_names_an_old_one() {
    block_on(async {
        let served = served().await;
        let live = served.session("2025-06-18").await;
        for id in ["old-and-gone", &live.id] {
            let response = served.send(&initialize("2025-06-18").header("Mcp-Session-Id", id)).await;
            assert_eq!(response.status, 200);
            let new = response.header("mcp-session-id").expect("there is a session").to_owned();
            assert_ne!(new, id);
        }
        live.assert_alive().await;
    });
}

#[test]
fn names_a_session_only_where_it_is_opened() {
    block_on(async {
        let served = served().await;
        let refused = served.send(&Request::post(request(1, "initialize", json!({})).to_string())).await;
        assert_eq!((refused.status, refused.header("mcp-session-id")), (200, None));
        assert_eq!(refused.error().await["code"], -32602);
        let session = served.session("2025-06-18").await;
        let response = served.send(&session.request(1, "ping", json!({}))).await;
        assert_eq!(response.header("mcp-session-id"), None);
    });
}

#[test]
fn gives_sessions_ids_that_differ_and_can_stand_in_a_header() {
    block_on(async {
        let served = served().await;
        let mut connection = Connection::open(served.address()).await;
        let mut ids = HashSet::new();
        for _ in 0..1000 {
            let response = connection.send(&initialize("2025-11-25")).await;
            let id = response.header("mcp-session-id").expect("there is a session").to_owned();
            assert!(id.len() >= 32 && id.bytes().all(|byte| (0x21..=0x7E).contains(&byte)), "{id}");
            ids.insert(id);
            connection = response.whole().await.1;
        }
        assert_eq!(ids.len(), 1000);
        // One that counts up, or has the time in it, would begin alike.
        assert!(ids.iter().map(|id| &id[..8]).collect::<HashSet<_>>().len() > 990);
    });
}

#[test]
fn has_a_stream_of_changes_for_each_session() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        let response = served.send(&session.get()).await;
        assert_eq!((response.status, response.is_events()), (200, true));
    });
}

#[test]
fn tells_clients_of_the_older_transport_what_to_use() {
    block_on(async {
        let served = served().await;
        let refused = served.send(&Request::get()).await;
        assert_eq!(refused.status, 400);
        let text = refused.text().await;
        assert!(text.contains("HTTP+SSE") && text.contains("POST"), "{text}");
    });
}

#[test]
fn ends_a_session_once() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        let other = served.session("2025-11-25").await;
        let changes = served.send(&session.get()).await;
        let ended = served.send(&session.delete()).await;
        assert_eq!(ended.status, 204);
        assert_eq!(ended.text().await, "");
        assert_eq!(served.send(&session.delete()).await.status, 404);
        assert_eq!(changes.messages().await, Vec::<Value>::new());
        other.assert_alive().await;
    });
}

#[test]
fn refuses_methods_that_the_transport_does_not_have() {
    block_on(async {
        let served = served().await;
        for method in ["PUT", "PATCH", "OPTIONS", "TRACE", "BREW"] {
            let refused = served.send(&Request::new(method)).await;
            assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, POST, DELETE")), "{method}");
            assert!(refused.json().await["error"].is_object());
        }
        let mut connection = Connection::open(served.address()).await;
        connection.write(&Request::new("HEAD").header("Connection", "close").head()).await;
        let head = String::from_utf8(connection.rest().await).expect("a head is text");
        assert!(head.starts_with("HTTP/1.1 405 ") && head.ends_with("\r\n\r\n"), "{head}");
    });
}

#[test]
fn accepts_notifications_and_responses_with_an_empty_answer() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        let mut connection = Connection::open(served.address()).await;
        for message in [
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 99 } }),
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {} }),
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
            json!({ "jsonrpc": "2.0", "method": "no/such" }),
            json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "nothing" } }),
            json!({ "jsonrpc": "2.0", "id": 9, "result": {} }),
            json!({ "jsonrpc": "2.0", "id": 9, "error": { "code": 1, "message": "x" } }),
        ] {
            let response = connection.send(&session.post(message.to_string())).await;
            assert_eq!((response.status, response.header("content-length")), (202, Some("0")), "{message}");
            assert_eq!((response.header("content-type"), response.header("transfer-encoding")), (None, None));
            // Nothing of it is left on the connection.
            connection = response.whole().await.1;
        }
    });
}

#[test]
fn accepts_notifications_of_the_modern_era_and_refuses_responses() {
    block_on(async {
        let served = served().await;
        let post = |message: Value| Request::post(message.to_string()).header("MCP-Protocol-Version", "2026-07-28");
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        assert_eq!(served.send(&post(cancelled)).await.status, 202);
        assert_eq!(served.send(&post(json!({ "jsonrpc": "2.0", "method": "no/such" }))).await.status, 202);
        let refused = served.send(&post(json!({ "jsonrpc": "2.0", "id": 9, "result": {} }))).await;
        assert_eq!(refused.refused().await, (400, json!(-32600), Value::Null));
    });
}

#[test]
fn ends_sessions_that_nobody_uses() {
    block_on(async {
        let (ends, mut ended) = mpsc::unbounded_channel();
        let http = Http::new().session_idle(std::time::Duration::from_millis(20)).event_store(Ends(ends));
        let served = serve_with(Server::new("t", "1").tools(tools![nothing]), http).await;
        let open = async || {
            let response = served.send(&initialize("2025-11-25")).await;
            response.header("mcp-session-id").expect("there is a session").to_owned()
        };
        // One that a slow machine lets end before its stream is open is not meant.
        let (kept, stream) = loop {
            let session = Session::named(served.address(), &open().await, "2025-11-25");
            let stream = served.send(&session.get()).await;
            if stream.status == 200 {
                break (session, stream);
            }
        };
        for _ in 0..3 {
            // A client that opens a session and goes away.
            let id = open().await;
            loop {
                let ended = ended.recv().await;
                assert_ne!(ended.as_ref(), Some(&kept.id));
                if ended.as_ref() == Some(&id) {
                    break;
                }
            }
            let stale = Request::post(request(1, "ping", json!({})).to_string()).header("Mcp-Session-Id", &id);
            assert_eq!(served.send(&stale).await.status, 404);
        }
        // The one with a stream was in use all the time, until its client went.
        drop(stream);
        assert_eq!(ended.recv().await, Some(kept.id));
    });
}

static HOLD: Notify = Notify::const_new();
static HELD: Notify = Notify::const_new();

#[tool]
async fn hold() {
    HELD.notify_one();
    HOLD.notified().await;
}

#[test]
fn keeps_a_session_whose_call_runs() {
    block_on(async {
        let (ends, mut ended) = mpsc::unbounded_channel();
        let http = Http::new().session_idle(std::time::Duration::from_millis(20)).event_store(Ends(ends));
        let served = serve_with(Server::new("t", "1").tools(tools![hold]), http).await;
        let kept = served.session("2025-11-25").await;
        let mut connection = Connection::open(served.address()).await;
        connection.write(&kept.call(1, "hold", json!({})).bytes()).await;
        HELD.notified().await;
        // Its client has gone, and may come back.
        drop(connection);
        for _ in 0..3 {
            let response = served.send(&initialize("2025-11-25")).await;
            let id = response.header("mcp-session-id").expect("there is a session").to_owned();
            assert_eq!(ended.recv().await, Some(id));
        }
        HOLD.notify_one();
        assert_eq!(ended.recv().await, Some(kept.id));
    });
}

#[test]
fn opens_no_session_for_a_handshake_that_breaks_off() {
    block_on(async {
        let served = serve_with(Server::new("t", "1").tools(tools![nothing]), Http::new().max_sessions(1)).await;
        for _ in 0..3 {
            let mut connection = Connection::open(served.address()).await;
            let bytes = initialize("2025-11-25").bytes();
            connection.write(&bytes[..bytes.len() - 10]).await;
            drop(connection);
        }
        // None of them has left a session behind, so there is room for this one.
        served.session("2025-11-25").await.assert_alive().await;
    });
}
