//! Many calls at once, on several threads.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::http::{EventId, EventStore, Http};
use mcp_runtime::{Context, Server, State, tool, tools};
use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore};

use crate::support::{Connection, both, modern_call, serve_with};

/// How long a test may take before it gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// Runs a test on several threads.
fn on_threads<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let runtime = runtime.expect("a runtime starts");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await.expect("the server answers in time") })
}

/// What only one call at a time may have.
#[derive(Default)]
struct Desk(Mutex<u32>);

/// Wait for the desk, and use it for a while.
#[tool]
async fn queue_up(desk: &State<Desk>) -> u32 {
    let mut served = desk.0.lock().await;
    tokio::task::yield_now().await;
    *served += 1;
    *served
}

/// Wait for the test.
#[tool]
async fn hold(going: &State<Going>) {
    going.begun.add_permits(1);
    going.go_on.acquire().await.expect("it is open").forget();
}

/// What the test and the calls tell each other.
#[derive(Clone)]
struct Going {
    begun: Arc<Semaphore>,
    go_on: Arc<Semaphore>,
}

impl Going {
    fn new() -> Self {
        Self { begun: Arc::new(Semaphore::new(0)), go_on: Arc::new(Semaphore::new(0)) }
    }
}

#[test]
fn goes_on_where_calls_wait_for_what_others_hold() {
    on_threads(async {
        let server = Server::new("t", "1").tools(tools![queue_up]).state(Desk::default());
        let served = serve_with(server, Http::new().max_calls(2)).await;
        let address = served.address();
        let clients = (0..16).map(|_| {
            tokio::spawn(async move {
                let mut connection = Connection::open(address).await;
                for id in 0..50 {
                    let response = connection.send(&modern_call(id, "queue_up", json!({}))).await;
                    assert_eq!(response.status, 200);
                    connection = response.whole().await.1;
                }
            })
        });
        for client in clients.collect::<Vec<_>>() {
            client.await.expect("every call is answered");
        }
    });
}

#[test]
fn answers_both_of_two_requests_with_one_id() {
    on_threads(async {
        let server = Server::new("t", "1").tools(tools![queue_up]).state(Desk::default());
        let served = serve_with(server, Http::new()).await;
        let session = served.session("2025-11-25").await;
        for id in 0..200 {
            let request = session.call(id, "queue_up", json!({}));
            let (one, other) = both(served.send(&request), served.send(&request)).await;
            for response in [one.json().await, other.json().await] {
                let is_duplicate = response["error"]["code"] == -32600;
                assert!(is_duplicate || response["result"]["isError"] != true && response["id"] == id, "{response}");
            }
        }
    });
}

#[test]
fn lets_calls_wait_within_a_bound() {
    on_threads(async {
        let going = Going::new();
        let server = Server::new("t", "1").tools(tools![hold]).state(going.clone()).max_waiting_bytes(1);
        let served = serve_with(server, Http::new().max_calls(1)).await;
        let call = |id: u32| modern_call(id, "hold", json!({}));
        let mut running = Connection::open(served.address()).await;
        running.write(&call(0).bytes()).await;
        going.begun.acquire().await.expect("it is open").forget();
        // One of them waits, and the others are refused.
        let (address, (told, mut heard)) = (served.address(), tokio::sync::mpsc::channel(3));
        for id in 1..=3 {
            let (told, request) = (told.clone(), call(id));
            tokio::spawn(async move {
                let response = Connection::open(address).await.send(&request).await;
                told.send((response.status, response.header("retry-after").is_some())).await.expect("it is heard");
            });
        }
        for _ in 0..2 {
            assert_eq!(heard.recv().await, Some((503, true)));
        }
        going.go_on.add_permits(2);
        assert_eq!(running.answer().await.status, 200);
        assert_eq!(heard.recv().await, Some((200, false)));
    });
}

/// Keeps nothing, and says so in the worst way.
struct Broken;

impl EventStore for Broken {
    fn append(&self, _: &str, _: EventId, _: &str) {
        panic!("the disk is full");
    }

    fn after(&self, _: &str, _: EventId) -> Vec<(EventId, String)> {
        panic!("the disk is gone");
    }

    fn forget(&self, _: &str) {
        panic!("there is no disk");
    }
}

/// Report progress.
#[tool]
async fn report(ctx: &Context) -> &'static str {
    ctx.progress(1.0, None, None);
    "done"
}

#[test]
fn answers_whatever_becomes_of_the_store() {
    on_threads(async {
        let server = Server::new("t", "1").tools(tools![report]);
        let served = serve_with(server, Http::new().event_store(Broken)).await;
        let session = served.session("2025-11-25").await;
        for id in 0..3 {
            let request = session.call_with_progress(id, "report", json!({}), json!("t"));
            let messages = served.send(&request).await.messages().await;
            let last = messages.last().map(|message: &Value| &message["result"]["content"][0]["text"]);
            assert_eq!(last, Some(&json!("done")), "{messages:?}");
        }
        let resumed = served.send(&session.resume("1-0")).await;
        assert_eq!(resumed.status, 200);
        assert_eq!(served.send(&session.delete()).await.status, 204);
    });
}
