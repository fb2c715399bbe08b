//! Event streams: what goes where, what keeps them alive, and how a client goes on with one that broke off.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::http::{Http, MemoryEventStore};
use mcp_runtime::{Context, Server, State, Tool, ToolSet, tool, tools};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

use crate::support::{
    Event, Response, Session, block_on, both, initialize, listen, modern_call, modern_call_with_progress, said, serve,
    serve_with,
};

/// A notification of progress.
fn progress(token: impl Into<Value>, progress: f64) -> Value {
    let params = json!({ "progressToken": token.into(), "progress": progress });
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

/// What tells a session that its tools have changed.
fn changed() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })
}

/// Answers at once.
#[tool]
async fn quick() -> &'static str {
    "done"
}

/// Report progress on the way.
#[tool]
async fn steps(values: Vec<f64>, ctx: &Context) -> &'static str {
    for value in values {
        ctx.progress(value, None, None);
    }
    "done"
}

/// Change the list of tools.
#[tool]
async fn change(set: &State<ToolSet>, ctx: &Context) -> &'static str {
    ctx.progress(1.0, None, None);
    set.add(
        Tool::builder("passing")
            .input_schema(json!({ "type": "object" }))
            .handler(|_: Value, _| async { Ok::<_, String>("") }),
    )
    .expect("there is no such tool yet");
    set.remove("passing");
    ctx.progress(2.0, None, None);
    "changed"
}

fn server() -> Server {
    let mut server = Server::new("t", "1");
    let set = server.tool_set();
    server.tools(tools![quick, steps, change]).state(set)
}

/// The messages of events, by their ids.
fn numbered(events: Vec<Event>) -> Vec<(String, Value)> {
    let parsed = |event: Event| {
        let data = event.data.expect("the event has data");
        let message = if data.is_empty() { Value::Null } else { serde_json::from_str(&data).expect("it is JSON") };
        (event.id.expect("the event has an id"), message)
    };
    events.into_iter().map(parsed).collect()
}

fn event(id: &str, message: Value) -> (String, Value) {
    (id.to_owned(), message)
}

#[test]
fn sends_events_with_headers_that_keep_proxies_from_holding_them_back() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        for request in [
            session.get(),
            session.call_with_progress(1, "steps", json!({ "values": [1] }), json!("t")),
            session.call(2, "quick", json!({})).with("Accept", "text/event-stream"),
            modern_call(3, "quick", json!({})).with("Accept", "text/event-stream"),
            listen(4),
        ] {
            let response = served.send(&request).await;
            assert_eq!((response.status, response.header("content-type")), (200, Some("text/event-stream")));
            assert_eq!(response.header("cache-control"), Some("no-cache"));
            assert_eq!(response.header("x-accel-buffering"), Some("no"));
            assert_eq!((response.header("content-length"), response.header("content-encoding")), (None, None));
        }
    });
}

static STEP: Semaphore = Semaphore::const_new(0);

/// Report one step after the other, each when it is told to.
#[tool]
async fn stepwise(ctx: &Context) -> &'static str {
    for step in 1..=5 {
        STEP.acquire().await.expect("it is open").forget();
        ctx.progress(f64::from(step), None, None);
    }
    STEP.acquire().await.expect("it is open").forget();
    "done"
}

#[test]
fn sends_each_event_when_it_happens() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![stepwise])).await;
        STEP.add_permits(1);
        let mut response = served.send(&modern_call_with_progress(1, "stepwise", json!("t"))).await;
        for step in 1..=5 {
            // The next step is not made before this one has arrived.
            assert_eq!(response.message().await, progress("t", f64::from(step)));
            STEP.add_permits(1);
        }
        assert_eq!(response.message().await["result"]["content"][0]["text"], "done");
        assert_eq!(response.block().await, None);
    });
}

#[test]
fn sends_the_head_of_a_stream_before_its_first_event() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        let mut stream = served.send(&session.get()).await;
        assert_eq!(stream.status, 200);
        assert_eq!(session.send(&session.call(1, "change", json!({}))).await.json().await, said(1, "changed"));
        assert_eq!(stream.message().await, changed());
    });
}

static ALIVE: Notify = Notify::const_new();

/// Ends when it is told to.
#[tool]
async fn long() -> &'static str {
    ALIVE.notified().await;
    "done"
}

#[test]
fn keeps_streams_alive_with_comments() {
    block_on(async {
        let http = Http::new().keep_alive(Duration::from_millis(20));
        let mut server = Server::new("t", "1");
        let _ = server.tool_set();
        let served = serve_with(server.tools(tools![long]), http).await;
        let session = served.session("2025-06-18").await;
        let mut changes = served.send(&session.get()).await;
        let mut subscription = served.send(&listen(1)).await;
        assert!(subscription.block().await.is_some_and(|block| block.starts_with("data: {")));
        let mut modern = served.send(&modern_call(1, "long", json!({}))).await;
        let mut legacy = served.send(&session.call(1, "long", json!({}))).await;
        for stream in [&mut changes, &mut subscription, &mut modern, &mut legacy] {
            for _ in 0..3 {
                assert_eq!(stream.block().await.as_deref(), Some(":"));
            }
        }
        ALIVE.notify_waiters();
        assert_eq!(legacy.messages().await, [said(1, "done")]);
        assert_eq!(modern.messages().await.len(), 1);
    });
}

static PATIENT: Notify = Notify::const_new();
static WAITS: Notify = Notify::const_new();

/// Says when it waits.
#[tool]
async fn patient() -> &'static str {
    WAITS.notify_one();
    PATIENT.notified().await;
    "done"
}

#[test]
fn sends_no_comments_to_those_who_accept_json_only() {
    block_on(async {
        let http = Http::new().keep_alive(Duration::from_millis(1));
        let served = serve_with(Server::new("t", "1").tools(tools![patient]), http).await;
        let session = served.session("2025-06-18").await;
        let call = session.call(1, "patient", json!({})).json_only();
        let answer = async { served.send(&call).await.json().await };
        let release = async {
            WAITS.notified().await;
            // Others get comments meanwhile.
            let mut changes = served.send(&session.get()).await;
            for _ in 0..5 {
                assert_eq!(changes.block().await.as_deref(), Some(":"));
            }
            PATIENT.notify_one();
        };
        let (answer, ()) = both(answer, release).await;
        assert_eq!(answer, said(1, "done"));
    });
}

#[test]
fn tells_of_progress_on_the_stream_of_the_call_and_before_its_response() {
    block_on(async {
        let served = serve(server()).await;
        let (one, other) = (served.session("2025-06-18").await, served.session("2025-06-18").await);
        let changes = [served.send(&one.get()).await, served.send(&other.get()).await];
        // The same id and the same token everywhere.
        let call = |session: &Session, value: f64| {
            session.call_with_progress(1, "steps", json!({ "values": [value] }), json!("t"))
        };
        let (first, second) = (served.send(&call(&one, 1.0)).await, served.send(&call(&other, 2.0)).await);
        let json_only = served.send(&call(&one, 3.0).json_only()).await;
        let without_token = served.send(&one.call(1, "steps", json!({ "values": [4] }))).await;
        let modern = served.send(&modern_call_with_progress(1, "change", json!("t"))).await;
        assert_eq!(first.messages().await, [progress("t", 1.0), said(1, "done")]);
        assert_eq!(second.messages().await, [progress("t", 2.0), said(1, "done")]);
        assert_eq!(json_only.json().await, said(1, "done"));
        assert_eq!(without_token.json().await, said(1, "done"));
        let modern = modern.messages().await;
        assert_eq!(modern[..2], [progress("t", 1.0), progress("t", 2.0)]);
        assert_eq!((modern.len(), &modern[2]["id"]), (3, &json!(1)));
        // Nothing but the change has come here.
        for (session, mut stream) in [one, other].iter().zip(changes) {
            assert_eq!(stream.message().await, changed());
            assert_eq!(session.send(&session.delete()).await.status, 204);
            assert_eq!(stream.messages().await, Vec::<Value>::new());
        }
    });
}

#[test]
fn reports_only_progress_that_grows() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        let call = session.call_with_progress(1, "steps", json!({ "values": [1, 1, 2, 0] }), json!(0));
        let messages = served.send(&call).await.messages().await;
        assert_eq!(messages, [progress(0, 1.0), progress(0, 2.0), said(1, "done")]);
    });
}

#[test]
fn tells_of_a_change_on_one_stream_only() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-11-25").await;
        let mut changes = served.send(&session.get()).await;
        let call = session.call_with_progress(1, "change", json!({}), json!("t"));
        let answer = served.send(&call).await.messages().await;
        assert_eq!(answer, [progress("t", 1.0), progress("t", 2.0), said(1, "changed")]);
        assert_eq!(changes.message().await, changed());
        session.send(&session.delete()).await;
        assert_eq!(changes.messages().await, Vec::<Value>::new());
    });
}

#[test]
fn tells_a_client_of_changes_that_came_before_it_listened() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        session.send(&session.call(1, "change", json!({}))).await;
        session.send(&session.call(2, "change", json!({}))).await;
        let mut changes = served.send(&session.get()).await;
        assert_eq!(changes.message().await, changed());
        session.send(&session.delete()).await;
        assert_eq!(changes.messages().await, Vec::<Value>::new());
    });
}

#[test]
fn tells_of_no_change_before_the_client_is_ready() {
    block_on(async {
        let served = serve(server()).await;
        let opened = served.send(&initialize("2025-06-18")).await;
        let id = opened.header("mcp-session-id").expect("there is a session").to_owned();
        let ready = served.session("2025-06-18").await;
        let in_it = |request: crate::support::Request| request.with("Mcp-Session-Id", &id);
        let mut early = served.send(&in_it(ready.get())).await;
        let mut late = served.send(&ready.get()).await;
        ready.send(&ready.call(1, "change", json!({}))).await;
        assert_eq!(late.message().await, changed());
        // The one that was told first was sent before; so nothing is on its way here.
        served.send(&in_it(ready.notify("notifications/initialized", json!({})))).await;
        assert_eq!(early.message().await, changed());
        served.send(&in_it(ready.delete())).await;
        assert_eq!(early.messages().await, Vec::<Value>::new());
    });
}

#[test]
fn ends_the_stream_of_changes_that_another_takes_the_place_of() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-06-18").await;
        let first = served.send(&session.get()).await;
        let mut second = served.send(&session.get()).await;
        assert_eq!(first.messages().await, Vec::<Value>::new());
        session.send(&session.call(1, "change", json!({}))).await;
        assert_eq!(second.message().await, changed());
    });
}

#[test]
fn begins_a_stream_with_where_to_go_on_only_since_2025_11_25() {
    block_on(async {
        let served = serve(server()).await;
        for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
            let session = served.session(revision).await;
            let call = session.call_with_progress(7, "steps", json!({ "values": [1] }), json!("t"));
            let mut expected = vec![event("1-1", progress("t", 1.0)), event("1-2", said(7, "done"))];
            if revision == "2025-11-25" {
                expected.insert(0, event("1-0", Value::Null));
            }
            assert_eq!(numbered(served.send(&call).await.events().await), expected, "{revision}");
        }
    });
}

#[test]
fn begins_the_stream_of_changes_with_where_to_go_on_only_since_2025_11_25() {
    block_on(async {
        let served = serve(server()).await;
        for (revision, begins) in [("2025-06-18", false), ("2025-11-25", true)] {
            let session = served.session(revision).await;
            for (prime, number) in [("0-0", "0-1"), ("0-1", "0-2")] {
                let mut changes = served.send(&session.get()).await;
                if begins {
                    assert_eq!(changes.event().await, Some(Event::prime(prime)));
                }
                session.send(&session.call(1, "change", json!({}))).await;
                let told = changes.event().await.expect("the stream goes on");
                assert_eq!(numbered(vec![told]), [event(number, changed())], "{revision}");
            }
        }
    });
}

#[test]
fn numbers_no_events_of_the_modern_era() {
    block_on(async {
        let served = serve(server()).await;
        let call = modern_call_with_progress(1, "change", json!("t")).header("Last-Event-ID", "1-1");
        let events = served.send(&call).await.events().await;
        assert!(events.iter().all(|event| event.id.is_none() && event.retry.is_none()), "{events:?}");
        assert_eq!(events.len(), 3);
    });
}

static BROKEN: Semaphore = Semaphore::const_new(0);

/// Report two steps, each when it is told to.
#[tool]
async fn breaking(ctx: &Context) -> String {
    ctx.progress(1.0, None, None);
    BROKEN.acquire().await.expect("it is open").forget();
    ctx.progress(2.0, None, None);
    ctx.request_id().to_string()
}

#[test]
fn goes_on_with_the_stream_of_an_event_and_with_no_other() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![breaking])).await;
        let session = served.session("2025-11-25").await;
        let call = |id: u8| session.call_with_progress(id, "breaking", json!({}), json!(id));
        let (mut one, mut two) = (served.send(&call(1)).await, served.send(&call(2)).await);
        for (stream, prime) in [(&mut one, "1-0"), (&mut two, "2-0")] {
            assert_eq!(stream.event().await, Some(Event::prime(prime)));
            stream.message().await;
        }
        drop((one, two));
        let resumed = served.send(&session.resume("1-1")).await;
        BROKEN.add_permits(2);
        let expected = [event("1-2", progress(1, 2.0)), event("1-3", said(1, "1"))];
        assert_eq!(numbered(resumed.events().await), expected);
        // Of what is over, all that was kept, as often as it is asked for.
        for _ in 0..2 {
            let resumed = served.send(&session.resume("2-0")).await;
            let expected = [event("2-1", progress(2, 1.0)), event("2-2", progress(2, 2.0)), event("2-3", said(2, "2"))];
            assert_eq!(numbered(resumed.events().await), expected);
        }
        let resumed = served.send(&session.resume("2-3")).await;
        assert_eq!(resumed.events().await, []);
    });
}

#[test]
fn goes_on_with_the_stream_of_changes() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-11-25").await;
        let mut changes = served.send(&session.get()).await;
        for number in ["0-1", "0-2"] {
            session.send(&session.call(1, "change", json!({}))).await;
            assert_eq!(numbered(vec![next_message(&mut changes).await]), [event(number, changed())]);
        }
        drop(changes);
        let mut resumed = served.send(&session.resume("0-1")).await;
        assert_eq!(numbered(vec![next_message(&mut resumed).await]), [event("0-2", changed())]);
        session.send(&session.call(1, "change", json!({}))).await;
        assert_eq!(next_message(&mut resumed).await.id.as_deref(), Some("0-3"));
    });
}

/// The next event that is not just a place to go on from.
async fn next_message(stream: &mut Response) -> Event {
    loop {
        let event = stream.event().await.expect("the stream goes on");
        if event.data.as_deref() != Some("") {
            return event;
        }
    }
}

#[test]
fn refuses_to_go_on_after_what_is_no_event() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-11-25").await;
        for id in ["9-1", "nonsense", "", "1", "-1", "1-", "1-1-1", "99999999999999999999-1"] {
            let refused = served.send(&session.resume(id)).await;
            assert_eq!(refused.status, 400, "{id}");
            assert!(refused.text().await.contains("`Last-Event-ID`"));
        }
        session.assert_alive().await;
    });
}

#[test]
fn goes_on_with_streams_of_the_same_session_only() {
    block_on(async {
        let served = serve(server()).await;
        let (one, other) = (served.session("2025-11-25").await, served.session("2025-11-25").await);
        let call = one.call_with_progress(1, "steps", json!({ "values": [1] }), json!("t"));
        assert_eq!(served.send(&call).await.events().await.len(), 3);
        assert_eq!(served.send(&other.resume("1-0")).await.status, 400);
        assert_eq!(served.send(&one.resume("1-0")).await.events().await.len(), 2);
    });
}

#[test]
fn goes_on_with_nothing_where_the_events_are_gone() {
    block_on(async {
        let http = Http::new().event_store(MemoryEventStore::new(1, 1));
        let served = serve_with(server(), http).await;
        let session = served.session("2025-11-25").await;
        for token in ["a", "b"] {
            let call = session.call_with_progress(1, "steps", json!({ "values": [1] }), json!(token));
            assert_eq!(served.send(&call).await.events().await.len(), 3);
        }
        let resumed = served.send(&session.resume("1-0")).await;
        assert_eq!(resumed.status, 200);
        assert_eq!(resumed.events().await, []);
    });
}

static HANG_UP: Notify = Notify::const_new();
static HUNG_UP: AtomicUsize = AtomicUsize::new(0);

/// Hang up, and go on.
#[tool]
async fn hang_up(first: bool, ctx: &Context) -> String {
    if !first {
        ctx.progress(1.0, None, None);
    }
    let is_closed = ctx.close_stream(Duration::from_millis(1500));
    HUNG_UP.fetch_add(usize::from(is_closed), Ordering::Relaxed);
    if is_closed {
        HANG_UP.notified().await;
    }
    ctx.progress(2.0, None, None);
    is_closed.to_string()
}

#[test]
fn hangs_up_and_goes_on_when_the_client_comes_back() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![hang_up])).await;
        let session = served.session("2025-11-25").await;
        let prime = Event { retry: Some("1500".to_owned()), ..Event::prime("1-0") };
        let call = session.call_with_progress(1, "hang_up", json!({ "first": true }), json!("t"));
        assert_eq!(served.send(&call).await.events().await, [prime]);
        let resumed = served.send(&session.resume("1-0")).await;
        HANG_UP.notify_one();
        let expected = [event("1-1", progress("t", 2.0)), event("1-2", said(1, "true"))];
        assert_eq!(numbered(resumed.events().await), expected);

        // The response is kept for a client that comes late.
        let call = session.call_with_progress(2, "hang_up", json!({ "first": false }), json!("t"));
        let events = served.send(&call).await.events().await;
        let ids: Vec<_> = events.iter().map(|event| event.id.as_deref()).collect();
        assert_eq!(ids, [Some("2-0"), Some("2-1"), None]);
        assert_eq!(events[2], Event { retry: Some("1500".to_owned()), ..Event::default() });
        HANG_UP.notify_one();
        let resumed = served.send(&session.resume("2-1")).await;
        let expected = [event("2-2", progress("t", 2.0)), event("2-3", said(2, "true"))];
        assert_eq!(numbered(resumed.events().await), expected);
    });
}

/// Try to hang up.
#[tool]
async fn try_to_hang_up(ctx: &Context) -> String {
    ctx.close_stream(Duration::from_millis(1)).to_string()
}

#[test]
fn hangs_up_on_nobody_who_could_not_come_back() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![try_to_hang_up])).await;
        let (old, new) = (served.session("2025-06-18").await, served.session("2025-11-25").await);
        for call in [
            old.call(1, "try_to_hang_up", json!({})),
            new.call(1, "try_to_hang_up", json!({})).json_only(),
            modern_call(1, "try_to_hang_up", json!({})),
        ] {
            let response = served.send(&call).await.json().await;
            assert_eq!(response["result"]["content"][0]["text"], "false");
        }
    });
}

#[test]
fn forgets_the_streams_of_a_session_that_has_ended() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-11-25").await;
        let call = session.call_with_progress(1, "steps", json!({ "values": [1] }), json!("t"));
        assert_eq!(served.send(&call).await.events().await.len(), 3);
        session.send(&session.delete()).await;
        assert_eq!(served.send(&session.resume("1-0")).await.status, 404);
    });
}
