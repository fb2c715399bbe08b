//! What becomes of a call whose client goes, or that is cancelled.

use std::sync::Arc;

use mcp_runtime::{Context, Server, State, tool, tools};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, Semaphore};

use crate::support::{
    Connection, Event, Request, Served, block_on, both, modern_body, modern_call, modern_call_with_progress, said,
    serve,
};

/// How a call has ended.
#[derive(Debug, PartialEq)]
enum End {
    Finished,
    Dropped,
    /// It has seen that it shall end.
    Cancelled,
}

/// What a call tells the test, and waits for.
struct Signals {
    started: Arc<Notify>,
    go_on: Arc<Semaphore>,
    ends: UnboundedSender<End>,
}

/// Tells that a call was dropped, unless it has finished.
struct Guard<'a> {
    signals: &'a Signals,
    is_finished: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let _ = self.signals.ends.send(if self.is_finished { End::Finished } else { End::Dropped });
    }
}

/// Work until told to end.
#[tool]
async fn work(signals: &State<Signals>, ctx: &Context) -> &'static str {
    let mut guard = Guard { signals, is_finished: false };
    ctx.progress(1.0, None, None);
    signals.started.notify_one();
    signals.go_on.acquire().await.expect("it is open").forget();
    guard.is_finished = true;
    "done"
}

/// Compute until there is no need to.
#[tool]
fn compute(signals: &State<Signals>, ctx: &Context) {
    signals.started.notify_one();
    while !ctx.is_cancelled() {
        std::thread::yield_now();
    }
    let _ = signals.ends.send(End::Cancelled);
}

/// A server, and what its calls tell.
struct Watched {
    served: Served,
    started: Arc<Notify>,
    go_on: Arc<Semaphore>,
    ends: UnboundedReceiver<End>,
}

async fn watched() -> Watched {
    let (started, go_on) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(0)));
    let (sender, ends) = unbounded_channel();
    let signals = Signals { started: Arc::clone(&started), go_on: Arc::clone(&go_on), ends: sender };
    let served = serve(Server::new("t", "1").tools(tools![work, compute]).state(signals)).await;
    Watched { served, started, go_on, ends }
}

impl Watched {
    /// Sends a request, and waits until its call has started.
    async fn begin(&self, request: &Request) -> Connection {
        let mut connection = Connection::open(self.served.address()).await;
        connection.write(&request.bytes()).await;
        self.started.notified().await;
        connection
    }

    async fn end(&mut self) -> End {
        self.ends.recv().await.expect("the server runs")
    }
}

fn cancelled(id: impl Into<Value>) -> Value {
    json!({ "requestId": id.into() })
}

#[test]
fn goes_on_with_a_legacy_call_whose_stream_is_cut() {
    block_on(async {
        let mut watched = watched().await;
        let session = watched.served.session("2025-11-25").await;
        let call = session.call_with_progress(1, "work", json!({}), json!("t"));
        let mut response = watched.begin(&call).await.answer().await;
        assert_eq!(response.event().await, Some(Event::prime("1-0")));
        drop(response);
        session.assert_alive().await;
        watched.go_on.add_permits(1);
        assert_eq!(watched.end().await, End::Finished);
        let messages = session.send(&session.resume("1-1")).await.messages().await;
        assert_eq!(messages, [said(1, "done")]);
    });
}

#[test]
fn goes_on_with_a_legacy_call_whose_client_goes_before_the_answer() {
    block_on(async {
        let mut watched = watched().await;
        let session = watched.served.session("2025-06-18").await;
        for call in [session.call(1, "work", json!({})), session.call(1, "work", json!({})).json_only()] {
            drop(watched.begin(&call).await);
            session.assert_alive().await;
            watched.go_on.add_permits(1);
            assert_eq!(watched.end().await, End::Finished);
        }
    });
}

#[test]
fn cancels_a_legacy_call_that_the_client_cancels() {
    block_on(async {
        let mut watched = watched().await;
        let session = watched.served.session("2025-11-25").await;
        // Nothing is decided yet, so there is a stream without a response.
        let call = watched.begin(&session.call(1, "work", json!({}))).await;
        assert_eq!(session.send(&session.notify("notifications/cancelled", cancelled(1))).await.status, 202);
        assert_eq!(watched.end().await, End::Dropped);
        assert_eq!(call.answer().await.messages().await, Vec::<Value>::new());
        // What has begun ends without a response.
        let call = watched.begin(&session.call_with_progress("a", "work", json!({}), json!("t"))).await;
        session.send(&session.notify("notifications/cancelled", cancelled("a"))).await;
        assert_eq!(watched.end().await, End::Dropped);
        let messages = call.answer().await.messages().await;
        assert_eq!(messages.iter().map(|message| &message["method"]).collect::<Vec<_>>(), ["notifications/progress"]);
        // There is nothing for those who take JSON only.
        let call = watched.begin(&session.call(1, "work", json!({})).json_only()).await;
        session.send(&session.notify("notifications/cancelled", cancelled(1))).await;
        assert_eq!(watched.end().await, End::Dropped);
        assert_eq!(call.answer().await.status, 204);
    });
}

#[test]
fn cancels_only_the_call_of_that_id_and_of_that_session() {
    block_on(async {
        let mut watched = watched().await;
        let (one, other) = (watched.served.session("2025-06-18").await, watched.served.session("2025-06-18").await);
        let call = watched.begin(&one.call(1, "work", json!({}))).await;
        for (session, id) in [(&other, json!(1)), (&one, json!("1")), (&one, json!(2)), (&one, Value::Null)] {
            assert_eq!(session.send(&session.notify("notifications/cancelled", cancelled(id))).await.status, 202);
        }
        watched.go_on.add_permits(1);
        assert_eq!(call.answer().await.json().await, said(1, "done"));
        assert_eq!(watched.end().await, End::Finished);
    });
}

#[test]
fn tells_a_call_on_a_thread_of_its_own_that_it_is_cancelled() {
    block_on(async {
        let mut watched = watched().await;
        let session = watched.served.session("2025-06-18").await;
        let call = watched.begin(&session.call(1, "compute", json!({}))).await;
        session.send(&session.notify("notifications/cancelled", cancelled(1))).await;
        assert_eq!(watched.end().await, End::Cancelled);
        drop(call);
        drop(watched.begin(&modern_call(1, "compute", json!({}))).await);
        assert_eq!(watched.end().await, End::Cancelled);
    });
}

#[test]
fn cancels_a_modern_call_whose_stream_is_cut() {
    block_on(async {
        let mut watched = watched().await;
        let mut response = watched.begin(&modern_call_with_progress(1, "work", json!("t"))).await.answer().await;
        assert_eq!(response.message().await["method"], "notifications/progress");
        drop(response);
        assert_eq!(watched.end().await, End::Dropped);
    });
}

#[test]
fn cancels_a_modern_call_whose_client_goes_before_the_answer() {
    block_on(async {
        let mut watched = watched().await;
        for call in [modern_call(1, "work", json!({})), modern_call(1, "work", json!({})).json_only()] {
            drop(watched.begin(&call).await);
            assert_eq!(watched.end().await, End::Dropped);
        }
    });
}

#[test]
fn cancels_the_calls_of_a_session_that_its_client_ends() {
    block_on(async {
        let mut watched = watched().await;
        let session = watched.served.session("2025-11-25").await;
        let running = watched.begin(&session.call(1, "work", json!({}))).await;
        let streaming = watched.begin(&session.call_with_progress(2, "work", json!({}), json!("t"))).await;
        assert_eq!(session.send(&session.delete()).await.status, 204);
        assert_eq!([watched.end().await, watched.end().await], [End::Dropped, End::Dropped]);
        assert_eq!(running.answer().await.messages().await, Vec::<Value>::new());
        assert_eq!(streaming.answer().await.messages().await.len(), 1);
    });
}

#[test]
fn cancels_no_other_modern_call_of_that_id() {
    block_on(async {
        let mut watched = watched().await;
        let (one, other) = (modern_call(1, "work", json!({})), modern_call(1, "work", json!({})));
        let (kept, left) = (watched.begin(&one).await, watched.begin(&other).await);
        let mut cancel = modern_body(1, "notifications/cancelled", cancelled(1));
        cancel.as_object_mut().expect("it is an object").remove("id");
        let cancel = Request::post(cancel.to_string()).header("MCP-Protocol-Version", "2026-07-28");
        assert_eq!(watched.served.send(&cancel).await.status, 202);
        drop(left);
        assert_eq!(watched.end().await, End::Dropped);
        watched.go_on.add_permits(1);
        assert_eq!(kept.answer().await.json().await["result"]["content"][0]["text"], "done");
        assert_eq!(watched.end().await, End::Finished);
    });
}

#[test]
fn refuses_an_id_that_is_in_flight_and_takes_it_after() {
    block_on(async {
        let watched = watched().await;
        let session = watched.served.session("2025-06-18").await;
        let first = watched.begin(&session.call(7, "work", json!({}))).await;
        let second = session.send(&session.call(7, "work", json!({}))).await;
        assert_eq!(second.refused().await, (200, json!(-32600), json!(7)));
        // The id of another type is another one.
        let (other, ()) =
            both(async { session.send(&session.call("7", "work", json!({}))).await.json().await }, async {
                watched.started.notified().await;
                watched.go_on.add_permits(2);
            })
            .await;
        assert_eq!(other, said("7", "done"));
        assert_eq!(first.answer().await.json().await, said(7, "done"));
        watched.go_on.add_permits(1);
        assert_eq!(session.send(&session.call(7, "work", json!({}))).await.json().await, said(7, "done"));
    });
}

#[test]
fn answers_others_while_a_call_runs() {
    block_on(async {
        let watched = watched().await;
        let session = watched.served.session("2025-06-18").await;
        let call = watched.begin(&session.call(1, "work", json!({}))).await;
        session.assert_alive().await;
        watched.go_on.add_permits(1);
        assert_eq!(call.answer().await.json().await, said(1, "done"));
    });
}
