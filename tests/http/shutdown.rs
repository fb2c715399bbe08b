//! How a server ends, by itself and as a part of an application.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use mcp_runtime::http::HttpService;
use mcp_runtime::{Context, Server, State, tool, tools};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use crate::support::{
    Connection, Event, Request, block_on, initialize, listen, modern_call, modern_call_with_progress, said, send,
    serve, session, text_of,
};

/// What calls tell the test, and wait for.
#[derive(Clone)]
struct Signals {
    started: Arc<Semaphore>,
    go_on: Arc<Semaphore>,
    runs: Arc<AtomicUsize>,
}

impl Signals {
    /// Waits until so many calls run.
    async fn started(&self, calls: u32) {
        self.started.acquire_many(calls).await.expect("it is open").forget();
    }
}

/// Work until told to end.
#[tool]
async fn work(signals: &State<Signals>, ctx: &Context) -> &'static str {
    signals.runs.fetch_add(1, Ordering::Relaxed);
    ctx.progress(1.0, None, None);
    signals.started.add_permits(1);
    signals.go_on.acquire().await.expect("it is open").forget();
    "done"
}

/// A server with all the time that it needs.
fn watched() -> (Server, Signals) {
    let (started, go_on) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let signals = Signals { started, go_on, runs: Arc::default() };
    let mut server = Server::new("t", "1");
    let _ = server.tool_set();
    let server = server.tools(tools![work]).state(signals.clone()).shutdown_grace(Duration::from_mins(1));
    (server, signals)
}

/// Sends a request, without waiting for the answer.
async fn begin(address: SocketAddr, request: &Request) -> Connection {
    let mut connection = Connection::open(address).await;
    connection.write(&request.bytes()).await;
    connection
}

#[test]
fn closes_streams_at_once_and_lets_calls_end() {
    block_on(async {
        let (server, signals) = watched();
        let served = serve(server).await;
        let address = served.address();
        let mut streams = Vec::new();
        let mut sessions = Vec::new();
        for _ in 0..3 {
            let session = served.session("2025-11-25").await;
            streams.push(served.send(&session.get()).await);
            sessions.push(session);
        }
        streams.push(served.send(&listen("L")).await);
        let json = begin(address, &sessions[0].call(1, "work", json!({}))).await;
        let events = begin(address, &sessions[1].call_with_progress(2, "work", json!({}), json!("t"))).await;
        let modern = begin(address, &modern_call(3, "work", json!({}))).await;
        signals.started(3).await;
        let (_, idle) = served.send(&sessions[2].request(1, "ping", json!({}))).await.whole().await;

        let stopped = served.stop();
        // All this while the calls still run.
        let mut last = Vec::new();
        for stream in streams {
            last.push(stream.messages().await);
        }
        assert!(last[..3].iter().all(Vec::is_empty), "{last:?}");
        assert_eq!(last[3].last().map(|message| &message["id"]), Some(&json!("L")));
        assert_eq!(idle.rest().await, b"");
        assert!(TcpStream::connect(address).await.is_err());

        assert!(!stopped.is_finished());
        signals.go_on.add_permits(3);
        assert_eq!(json.answer().await.json().await, said(1, "done"));
        let messages = events.answer().await.messages().await;
        assert_eq!((messages.len(), messages.last()), (2, Some(&said(2, "done"))));
        assert_eq!(text_of(&modern.answer().await.json().await), "done");
        stopped.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn gives_calls_up_after_the_grace_time() {
    block_on(async {
        let (server, signals) = watched();
        let served = serve(server.shutdown_grace(Duration::from_millis(20))).await;
        let address = served.address();
        let session = served.session("2025-11-25").await;
        let undecided = begin(address, &session.call(1, "work", json!({}))).await;
        let events = begin(address, &session.call_with_progress(2, "work", json!({}), json!("t"))).await;
        let modern = begin(address, &modern_call(3, "work", json!({}))).await;
        let modern_events = begin(address, &modern_call_with_progress(4, "work", json!("t"))).await;
        signals.started(4).await;
        let stopped = served.stop();
        for (connection, id) in [(undecided, 1), (modern, 3)] {
            let response = connection.answer().await;
            assert_eq!((response.status, response.header("retry-after")), (503, Some("5")));
            assert_eq!(response.refused().await.2, id);
        }
        for connection in [events, modern_events] {
            let messages = connection.answer().await.messages().await;
            assert_eq!(
                messages.iter().map(|message| &message["method"]).collect::<Vec<_>>(),
                ["notifications/progress"]
            );
        }
        stopped.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn runs_what_was_left_for_the_end_after_the_calls() {
    block_on(async {
        let (server, signals) = watched();
        let has_ended = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&has_ended);
        let served = serve(server.on_shutdown(move || async move { ended.store(true, Ordering::Relaxed) })).await;
        let call = begin(served.address(), &modern_call(1, "work", json!({}))).await;
        signals.started(1).await;
        let stopped = served.stop();
        assert!(!has_ended.load(Ordering::Relaxed));
        signals.go_on.add_permits(1);
        assert_eq!(call.answer().await.status, 200);
        stopped.await.expect("serving does not panic").expect("serving ends well");
        assert!(has_ended.load(Ordering::Relaxed));
    });
}

#[test]
fn ends_without_clients_at_once() {
    block_on(async {
        let served = serve(watched().0).await;
        // One that has said nothing yet.
        let silent = Connection::open(served.address()).await;
        served.session("2025-11-25").await;
        served.stop().await.expect("serving does not panic").expect("serving ends well");
        assert_eq!(silent.rest().await, b"");
    });
}

#[test]
fn waits_for_a_call_that_its_client_has_come_back_to() {
    block_on(async {
        let (server, signals) = watched();
        let served = serve(server).await;
        let session = served.session("2025-11-25").await;
        let mut stream = served.send(&session.call_with_progress(1, "work", json!({}), json!("t"))).await;
        assert_eq!(stream.event().await, Some(Event::prime("1-0")));
        drop(stream);
        let mut resumed = served.send(&session.resume("1-0")).await;
        assert_eq!(resumed.message().await["method"], "notifications/progress");
        let changes = served.send(&session.get()).await;
        let stopped = served.stop();
        assert_eq!(changes.messages().await, Vec::<Value>::new());
        signals.go_on.add_permits(1);
        assert_eq!(resumed.messages().await, [said(1, "done")]);
        stopped.await.expect("serving does not panic").expect("serving ends well");
    });
}

/// An application with the server as a part of it.
struct Application {
    address: SocketAddr,
    service: HttpService,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

async fn application(server: Server) -> Application {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a listener has an address");
    let service = server.into_service().await.expect("the server starts");
    let other = axum::routing::get(|| async { "hello" });
    let router = Router::new().route_service("/mcp", service.clone()).route("/other", other);
    let (stop, stopped) = oneshot::channel();
    let ending = async {
        let _ = stopped.await;
    };
    let serving = tokio::spawn(async { axum::serve(listener, router).with_graceful_shutdown(ending).await });
    Application { address, service, stop, serving }
}

#[test]
fn ends_as_a_part_of_an_application_that_goes_on() {
    block_on(async {
        let (server, signals) = watched();
        let Application { address, service, stop, serving } = application(server).await;
        let session = session(address, "2025-11-25").await;
        let streams = [send(address, &session.get()).await, send(address, &listen("L")).await];
        let call = begin(address, &session.call(1, "work", json!({}))).await;
        signals.started(1).await;
        let ending = tokio::spawn(async move { service.shut_down().await });
        let [changes, subscription] = streams;
        assert_eq!(changes.messages().await, Vec::<Value>::new());
        assert_eq!(subscription.messages().await.last().map(|message| &message["id"]), Some(&json!("L")));
        // Nothing new begins, and what runs goes on.
        for request in [
            session.request(2, "ping", json!({})),
            modern_call(2, "work", json!({})),
            initialize("2025-11-25"),
            listen(2),
            session.get(),
            session.delete(),
        ] {
            let refused = send(address, &request).await;
            assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
        }
        assert_eq!(send(address, &Request::new("GET").path("/other")).await.text().await, "hello");
        assert!(!ending.is_finished());
        signals.go_on.add_permits(1);
        assert_eq!(call.answer().await.json().await, said(1, "done"));
        ending.await.expect("shutting down does not panic");
        assert_eq!(signals.runs.load(Ordering::Relaxed), 1);
        stop.send(()).expect("the application runs");
        serving.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn lets_an_application_end_while_clients_listen() {
    block_on(async {
        let Application { address, service, stop, serving } = application(watched().0).await;
        let session = session(address, "2025-11-25").await;
        let streams = [send(address, &session.get()).await, send(address, &listen("L")).await];
        stop.send(()).expect("the application runs");
        service.shut_down().await;
        for stream in streams {
            stream.messages().await;
        }
        serving.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn runs_nothing_that_arrives_after_the_end() {
    block_on(async {
        let (server, signals) = watched();
        let Application { address, service, stop: _stop, .. } = application(server).await;
        let bytes = modern_call(1, "work", json!({})).bytes();
        let (first, second) = bytes.split_at(bytes.len() - 10);
        let mut connection = Connection::open(address).await;
        connection.write(first).await;
        // Another request is served after that, so the head is read.
        session(address, "2025-11-25").await;
        service.shut_down().await;
        connection.write(second).await;
        assert_eq!(connection.answer().await.status, 503);
        assert_eq!(signals.runs.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn ends_once() {
    block_on(async {
        let ends = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&ends);
        let server = watched().0.on_shutdown(move || async move {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let service = server.into_service().await.expect("the server starts");
        service.shut_down().await;
        service.clone().shut_down().await;
        assert_eq!(ends.load(Ordering::Relaxed), 1);
    });
}
