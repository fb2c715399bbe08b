//! Each limit, and what happens when it is reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::middleware::map_request;
use http_body_util::Limited;
use mcp_runtime::http::Http;
use mcp_runtime::{Context, Server, State, tool, tools};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::support::{
    Connection, Request, Session, block_on, both, initialize, modern, modern_body, modern_call, request, said, send,
    serve_with, text_of,
};

/// What calls tell the test, and wait for.
#[derive(Clone)]
struct Signals {
    started: Arc<Notify>,
    runs: Arc<AtomicUsize>,
    go_on: Arc<Semaphore>,
}

/// Work until told to end; say how many have begun by then.
#[tool]
async fn work(signals: &State<Signals>) -> String {
    signals.runs.fetch_add(1, Ordering::Relaxed);
    signals.started.notify_one();
    signals.go_on.acquire().await.expect("it is open").forget();
    signals.runs.load(Ordering::Relaxed).to_string()
}

/// Say whose connection it is.
#[tool]
async fn mark(ctx: &Context, signals: &State<Signals>) -> String {
    signals.runs.fetch_add(1, Ordering::Relaxed);
    ctx.peer_addr().expect("the connection is the server's own").to_string()
}

fn server() -> (Server, Signals) {
    let signals = Signals { started: Arc::default(), runs: Arc::default(), go_on: Arc::new(Semaphore::new(0)) };
    (Server::new("t", "1").tools(tools![work, mark]).state(signals.clone()), signals)
}

/// A request of that many bytes.
fn padded(length: usize) -> Vec<u8> {
    let body = modern_body(1, "tools/list", json!({})).to_string();
    format!("{body:length$}").into_bytes()
}

/// The head of a request, whose body is yet to come.
fn head() -> Request {
    modern(1, "tools/list", json!({}))
}

/// A body in chunks of that many bytes, without its end.
fn chunks(body: &[u8], length: usize) -> Vec<u8> {
    let chunk = |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
    body.chunks(length).flat_map(chunk).collect()
}

const MAX: usize = 1000;

#[test]
fn reads_a_body_of_the_limit_and_refuses_one_more_byte() {
    block_on(async {
        let served = serve_with(server().0, Http::new().max_body_bytes(MAX)).await;
        for length in [MAX - 1, MAX] {
            assert_eq!(served.send(&head().body(padded(length))).await.status, 200);
        }
        let refused = served.send(&head().body(padded(MAX + 1))).await;
        assert_eq!((refused.status, refused.header("connection")), (413, Some("close")));
        let body = refused.json().await;
        assert_eq!((&body["error"]["code"], body.get("id")), (&json!(-32600), None));
        let text = body["error"]["message"].as_str().expect("it says why");
        assert!(text.contains("1000 bytes") && text.contains("`Http::max_body_bytes`"), "{text}");
    });
}

#[test]
fn reads_chunks_of_the_limit_and_refuses_one_more_byte() {
    block_on(async {
        let served = serve_with(server().0, Http::new().max_body_bytes(MAX)).await;
        for length in [1, 7, MAX] {
            let mut connection = Connection::open(served.address()).await;
            let head = head().header("Transfer-Encoding", "chunked").head();
            connection.write(&[&head, &*chunks(&padded(MAX), length), b"0\r\n\r\n"].concat()).await;
            assert_eq!(connection.answer().await.status, 200, "{length}");
            let mut connection = Connection::open(served.address()).await;
            connection.write(&[&*head, &*chunks(&padded(MAX + 1), length)].concat()).await;
            // The end of the body is not waited for.
            let refused = connection.answer().await;
            assert_eq!((refused.status, refused.header("connection")), (413, Some("close")), "{length}");
        }
    });
}

#[test]
fn passes_over_the_trailers_of_a_body() {
    block_on(async {
        let served = serve_with(server().0, Http::new()).await;
        let head = head().header("Transfer-Encoding", "chunked").header("Trailer", "X-Sum").head();
        let mut connection = Connection::open(served.address()).await;
        connection.write(&[&head, &*chunks(&padded(200), 70), b"0\r\nX-Sum: 1\r\n\r\n"].concat()).await;
        let (body, _) = connection.answer().await.whole().await;
        assert!(String::from_utf8_lossy(&body).contains("\"result\""));
    });
}

#[test]
fn refuses_an_announced_body_before_it_comes() {
    block_on(async {
        let served = serve_with(server().0, Http::new()).await;
        let mut connection = Connection::open(served.address()).await;
        connection.write(&head().header("Content-Length", "99999999999").head()).await;
        let (body, connection) = connection.answer().await.whole().await;
        assert!(String::from_utf8_lossy(&body).contains("16777216 bytes"));
        assert_eq!(connection.rest().await, b"");
    });
}

#[test]
fn refuses_a_body_that_does_not_arrive_in_time() {
    block_on(async {
        let served = serve_with(server().0, Http::new().body_timeout(Duration::from_millis(30))).await;
        for slow in [
            head().header("Content-Length", "100").head(),
            [head().header("Transfer-Encoding", "chunked").head(), chunks(b"{", 1)].concat(),
        ] {
            let mut connection = Connection::open(served.address()).await;
            connection.write(&slow).await;
            let refused = connection.answer().await;
            assert_eq!((refused.status, refused.header("connection")), (408, Some("close")));
            let (body, connection) = refused.whole().await;
            assert!(String::from_utf8_lossy(&body).contains("0.03 s"));
            assert_eq!(connection.rest().await, b"");
        }
    });
}

#[test]
fn closes_a_connection_whose_head_does_not_arrive_in_time() {
    block_on(async {
        let served = serve_with(server().0, Http::new().head_timeout(Duration::from_millis(30))).await;
        let silent = Connection::open(served.address()).await;
        let mut slow = Connection::open(served.address()).await;
        slow.write(b"POST /mcp HTTP/1.1\r\nHost: local").await;
        let (_, idle) = served.send(&head().body(padded(200))).await.whole().await;
        for connection in [silent, slow, idle] {
            connection.rest().await;
        }
    });
}

#[test]
fn keeps_a_connection_whose_call_takes_longer_than_a_head() {
    block_on(async {
        let (server, signals) = server();
        let served = serve_with(server, Http::new().head_timeout(Duration::from_millis(30))).await;
        let mut busy = Connection::open(served.address()).await;
        busy.write(&modern_call(1, "work", json!({})).bytes()).await;
        signals.started.notified().await;
        // Another one is closed meanwhile.
        Connection::open(served.address()).await.rest().await;
        signals.go_on.add_permits(1);
        assert_eq!(busy.answer().await.status, 200);
    });
}

/// Say a long text.
#[tool]
async fn long_text(length: usize) -> String {
    "x".repeat(length)
}

/// More than the system holds for a client that does not read.
const LONG: usize = 16_000_000;

/// A client that asks and reads nothing. There is one place for a connection, which another gets once this one is closed.
fn closes_where_nobody_reads(call: &Request) {
    block_on(async {
        let http = Http::new().head_timeout(Duration::from_millis(50)).max_connections(1);
        let served = serve_with(Server::new("t", "1").tools(tools![long_text]), http).await;
        let mut deaf = Connection::open(served.address()).await;
        deaf.write(&call.bytes()).await;
        let next = served.send(&modern_call(1, "long_text", json!({ "length": 1 }))).await;
        assert_eq!(next.status, 200);
        assert!(deaf.rest().await.len() < LONG);
    });
}

#[test]
fn closes_a_connection_whose_client_reads_nothing() {
    closes_where_nobody_reads(&modern_call(1, "long_text", json!({ "length": LONG })));
}

#[test]
fn cuts_an_event_stream_that_nobody_reads() {
    let call = modern_call(1, "long_text", json!({ "length": LONG }));
    closes_where_nobody_reads(&call.with("Accept", "text/event-stream"));
}

#[test]
fn says_that_a_body_is_too_large_for_a_layer_in_front() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let service = server().0.into_service().await.expect("the server starts");
        let limit = map_request(async |request: axum::extract::Request| {
            request.map(|body| axum::body::Body::new(Limited::new(body, 1000)))
        });
        let application = axum::Router::new().route_service("/mcp", service).layer(limit);
        tokio::spawn(async { axum::serve(listener, application).await });
        assert_eq!(send(address, &head().body(padded(1000))).await.status, 200);
        assert_eq!(send(address, &head().body(padded(1001))).await.status, 413);
    });
}

#[test]
fn refuses_a_head_that_is_too_large() {
    block_on(async {
        let served = serve_with(server().0, Http::new().max_head_bytes(16 * 1024)).await;
        let with = |length: usize| head().header("X-Long", &"x".repeat(length)).body(padded(200));
        assert_eq!(served.send(&with(12 * 1024)).await.status, 200);
        assert_eq!(served.send(&with(17 * 1024)).await.status, 431);
        assert_eq!(served.send(&with(200)).await.status, 200);
    });
}

#[test]
fn has_so_many_sessions_and_no_more() {
    block_on(async {
        let served = serve_with(server().0, Http::new().max_sessions(2)).await;
        let (one, other) = (served.session("2025-11-25").await, served.session("2025-06-18").await);
        let refused = served.send(&initialize("2025-11-25")).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
        assert_eq!(refused.header("mcp-session-id"), None);
        assert_eq!(refused.refused().await, (503, json!(-32600), json!("initialize")));
        one.assert_alive().await;
        // Those who need no session are served.
        assert_eq!(served.send(&modern(1, "tools/list", json!({}))).await.status, 200);
        assert_eq!(one.send(&one.delete()).await.status, 204);
        served.session("2025-11-25").await.assert_alive().await;
        other.assert_alive().await;
    });
}

#[test]
fn ends_the_oldest_session_that_was_never_used_where_another_needs_its_place() {
    block_on(async {
        let served = serve_with(server().0, Http::new().max_sessions(2)).await;
        let used = served.session("2025-11-25").await;
        used.assert_alive().await;
        let mut ids = Vec::new();
        for _ in 0..5 {
            let response = served.send(&initialize("2025-11-25")).await;
            ids.extend(response.header("mcp-session-id").map(str::to_owned));
        }
        assert_eq!(ids.len(), 5);
        used.assert_alive().await;
        let first = Session::named(served.address(), &ids[0], "2025-11-25");
        assert_eq!(first.send(&first.request(1, "ping", json!({}))).await.status, 404);
        Session::named(served.address(), &ids[4], "2025-11-25").assert_alive().await;
    });
}

#[test]
fn ends_an_idle_session_where_another_needs_its_place() {
    block_on(async {
        let http = Http::new().max_sessions(1).session_idle(Duration::from_nanos(1));
        let served = serve_with(server().0, http).await;
        for _ in 0..3 {
            assert_eq!(served.send(&initialize("2025-11-25")).await.status, 200);
        }
    });
}

#[test]
fn runs_so_many_calls_and_lets_others_wait() {
    block_on(async {
        let (server, signals) = server();
        let served = serve_with(server, Http::new().max_calls(1)).await;
        let session = served.session("2025-06-18").await;
        let (one, other) = (modern_call(1, "work", json!({})), session.call(1, "work", json!({})));
        let mut first = Connection::open(served.address()).await;
        first.write(&one.bytes()).await;
        signals.started.notified().await;
        let mut second = Connection::open(served.address()).await;
        second.write(&other.bytes()).await;
        // What is no call does not wait.
        session.assert_alive().await;
        assert_eq!(served.send(&modern(1, "tools/list", json!({}))).await.status, 200);
        signals.go_on.add_permits(1);
        // The other had not begun when this one ended.
        assert_eq!(text_of(&first.answer().await.json().await), "1");
        signals.started.notified().await;
        signals.go_on.add_permits(1);
        assert_eq!(second.answer().await.json().await, said(1, "2"));
    });
}

#[test]
fn runs_so_many_calls_of_a_session_and_lets_others_wait() {
    block_on(async {
        let (server, signals) = server();
        let served = serve_with(server.max_calls_in_flight(1), Http::new()).await;
        let session = served.session("2025-06-18").await;
        let mut first = Connection::open(served.address()).await;
        first.write(&session.call(1, "work", json!({})).bytes()).await;
        signals.started.notified().await;
        let mut second = Connection::open(served.address()).await;
        second.write(&session.call(2, "work", json!({})).bytes()).await;
        session.assert_alive().await;
        // Another session is not kept waiting.
        let other = served.session("2025-06-18").await;
        assert_eq!(other.send(&other.call(1, "mark", json!({}))).await.status, 200);
        signals.go_on.add_permits(1);
        assert_eq!(first.answer().await.json().await, said(1, "2"));
        signals.go_on.add_permits(1);
        assert_eq!(second.answer().await.json().await, said(2, "3"));
    });
}

#[test]
fn cancels_a_call_that_waits() {
    block_on(async {
        let (server, signals) = server();
        let served = serve_with(server.max_calls_in_flight(1), Http::new()).await;
        let session = served.session("2025-06-18").await;
        let mut first = Connection::open(served.address()).await;
        first.write(&session.call(1, "work", json!({})).bytes()).await;
        signals.started.notified().await;
        let waiting = async { served.send(&session.call(2, "work", json!({}))).await.messages().await };
        let cancelling = async {
            // It is cancelled once it is there; then its id is in use for everything.
            while session.send(&session.request(2, "ping", json!({}))).await.json().await.get("error").is_none() {}
            session.send(&session.notify("notifications/cancelled", json!({ "requestId": 2 }))).await;
        };
        let (messages, ()) = both(waiting, cancelling).await;
        assert_eq!(messages, Vec::<Value>::new());
        signals.go_on.add_permits(1);
        assert_eq!(first.answer().await.json().await, said(1, "1"));
    });
}

#[test]
fn has_so_many_connections_and_lets_others_wait() {
    block_on(async {
        let (server, signals) = server();
        let served = serve_with(server, Http::new().max_connections(1)).await;
        let mark = modern_call(1, "mark", json!({}));
        let mut first = Connection::open(served.address()).await;
        let own = first.local_address().to_string();
        let mut second = Connection::open(served.address()).await;
        let others = second.local_address().to_string();
        second.write(&mark.bytes()).await;
        for runs in 1..=3 {
            let (body, connection) = first.send(&mark).await.whole().await;
            assert!(String::from_utf8_lossy(&body).contains(&own));
            assert_eq!(signals.runs.load(Ordering::Relaxed), runs);
            first = connection;
        }
        drop(first);
        assert_eq!(text_of(&second.answer().await.json().await), others);
    });
}

#[test]
fn reads_a_request_that_comes_byte_by_byte() {
    block_on(async {
        let served = serve_with(server().0, Http::new()).await;
        let mut connection = Connection::open(served.address()).await;
        for byte in head().body(padded(200)).bytes() {
            connection.write(&[byte]).await;
        }
        assert_eq!(connection.answer().await.status, 200);
    });
}

#[test]
fn answers_requests_that_come_at_once_in_their_order() {
    block_on(async {
        let served = serve_with(server().0, Http::new()).await;
        let session = served.session("2025-06-18").await;
        let mut connection = Connection::open(served.address()).await;
        let ping = |id: u8| session.post(request(id, "ping", json!({})).to_string()).bytes();
        connection.write(&[ping(1), ping(2), ping(3)].concat()).await;
        for id in 1..=3 {
            let (body, rest) = connection.answer().await.whole().await;
            let expected = json!({ "jsonrpc": "2.0", "id": id, "result": {} });
            assert_eq!(serde_json::from_slice::<Value>(&body).expect("it is JSON"), expected);
            connection = rest;
        }
    });
}
