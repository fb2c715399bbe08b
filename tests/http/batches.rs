//! Several messages in one body, which only revision 2025-03-26 has.

use mcp_runtime::http::Http;
use mcp_runtime::{Context, Server, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{
    Connection, Request, Served, Session, block_on, meta, modern_body, request, said, serve, serve_with,
};

/// Answers at once.
#[tool]
async fn quick() -> &'static str {
    "done"
}

/// Report progress on the way.
#[tool]
async fn steps(ctx: &Context) -> &'static str {
    ctx.progress(1.0, None, None);
    "stepped"
}

async fn served() -> Served {
    serve(Server::new("t", "1").tools(tools![quick, steps])).await
}

fn ping(id: impl Into<Value>) -> Value {
    request(id, "ping", json!({}))
}

fn pong(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "result": {} })
}

fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", json!({ "name": tool, "_meta": { "progressToken": "t" } }))
}

fn notification(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

fn batch(session: &Session, messages: &[Value]) -> Request {
    session.post(Value::from(messages).to_string())
}

/// The responses of a batch, in the order of their ids.
fn sorted(responses: Value) -> Vec<Value> {
    let Value::Array(mut responses) = responses else { panic!("{responses} is no batch") };
    responses.sort_by_key(|response| response["id"].to_string());
    responses
}

#[test]
fn answers_a_batch_in_json() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        let messages = [ping(1), notification("notifications/initialized"), call(2, "quick"), ping("3")];
        let response = served.send(&batch(&session, &messages)).await;
        assert_eq!(response.status, 200);
        assert_eq!(sorted(response.json().await), [pong("3"), pong(1), said(2, "done")]);
    });
}

#[test]
fn answers_a_batch_of_one_with_a_batch_of_one() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        assert_eq!(served.send(&batch(&session, &[ping(1)])).await.json().await, json!([pong(1)]));
    });
}

#[test]
fn answers_a_batch_in_events_where_there_is_more_to_tell() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        let messages = served.send(&batch(&session, &[ping(1), call(2, "steps")])).await.messages().await;
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0]["method"], "notifications/progress");
        assert_eq!(sorted(messages[1].clone()), [pong(1), said(2, "stepped")]);
        let only_events = batch(&session, &[ping(1)]).with("Accept", "text/event-stream");
        assert_eq!(served.send(&only_events).await.messages().await, [json!([pong(1)])]);
    });
}

#[test]
fn accepts_a_batch_without_requests_with_an_empty_answer() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        let response = json!({ "jsonrpc": "2.0", "id": 9, "result": {} });
        for messages in [vec![notification("no/such"), notification("notifications/initialized")], vec![response]] {
            let response = served.send(&batch(&session, &messages)).await;
            assert_eq!((response.status, response.header("content-length")), (202, Some("0")));
        }
    });
}

#[test]
fn answers_what_is_wrong_in_a_batch_in_its_place() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        let messages = [ping(1), json!(7), json!({ "jsonrpc": "2.0", "id": 2 }), request(3, "no/such", json!({}))];
        let responses = sorted(served.send(&batch(&session, &messages)).await.json().await);
        let codes: Vec<_> = responses.iter().map(|response| (&response["id"], &response["error"]["code"])).collect();
        let none = Value::Null;
        assert_eq!(
            codes,
            [(&json!(1), &none), (&json!(2), &json!(-32600)), (&json!(3), &json!(-32601)), (&none, &json!(-32600)),]
        );
        assert!(responses.iter().all(|response| response.get("id") != Some(&none)));
    });
}

#[test]
fn refuses_what_is_no_batch() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        for (body, code) in [("[]", -32600), ("[{]", -32700), ("[", -32700)] {
            let refused = served.send(&session.post(body)).await;
            assert_eq!(refused.refused().await, (400, json!(code), Value::Null), "{body}");
        }
    });
}

#[test]
fn takes_as_many_messages_as_it_is_told_to() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![quick]).max_batch_messages(3)).await;
        let session = served.session("2025-03-26").await;
        assert_eq!(served.send(&batch(&session, &[ping(1), ping(2), ping(3)])).await.status, 200);
        let refused = served.send(&batch(&session, &[ping(1), ping(2), ping(3), ping(4)])).await;
        assert_eq!(refused.refused().await, (400, json!(-32600), Value::Null));
    });
}

#[test]
fn refuses_batches_in_all_other_revisions() {
    block_on(async {
        let served = served().await;
        for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let session = served.session(revision).await;
            // What the session has agreed on counts.
            for request in
                [batch(&session, &[ping(1)]), batch(&session, &[ping(1)]).with("MCP-Protocol-Version", "2025-03-26")]
            {
                assert_eq!(
                    served.send(&request).await.refused().await,
                    (400, json!(-32600), Value::Null),
                    "{revision}"
                );
            }
        }
        let modern = Request::post(json!([modern_body(1, "tools/list", json!({}))]).to_string());
        let refused = served.send(&modern.clone().header("MCP-Protocol-Version", "2026-07-28")).await;
        assert_eq!(refused.refused().await, (400, json!(-32600), Value::Null));
        assert_eq!(served.send(&modern).await.refused().await, (400, json!(-32600), Value::Null));
    });
}

#[test]
fn opens_no_session_in_a_batch() {
    block_on(async {
        let served = served().await;
        let client = json!({ "name": "c", "version": "1" });
        let params = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client });
        let initialize = request(1, "initialize", params);
        let refused = served.send(&Request::post(json!([initialize]).to_string())).await;
        assert_eq!((refused.status, refused.header("mcp-session-id")), (400, None));
        assert_eq!(refused.error().await["code"], -32600);
        // In a session that is open it is as wrong, and the others are served.
        let session = served.session("2025-03-26").await;
        let answered = served.send(&batch(&session, &[initialize, ping(2)])).await;
        assert_eq!((answered.status, answered.header("mcp-session-id")), (200, None));
        let responses = sorted(answered.json().await);
        assert_eq!((&responses[0]["error"]["code"], &responses[1]), (&json!(-32600), &pong(2)));
    });
}

static WAITING: Notify = Notify::const_new();
static GO_ON: Notify = Notify::const_new();

/// Waits until told to go on.
#[tool]
async fn wait() -> &'static str {
    WAITING.notify_one();
    GO_ON.notified().await;
    "waited"
}

#[test]
fn leaves_a_cancelled_call_out_of_the_answer() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![quick, wait])).await;
        let session = served.session("2025-03-26").await;
        let cancel = |id: &str| session.notify("notifications/cancelled", json!({ "requestId": id }));
        for (messages, expected) in
            [(vec![ping(1), call("w", "wait")], Some(json!([pong(1)]))), (vec![call("w", "wait")], None)]
        {
            let mut connection = Connection::open(served.address()).await;
            connection.write(&batch(&session, &messages).bytes()).await;
            WAITING.notified().await;
            assert_eq!(session.send(&cancel("w")).await.status, 202);
            let response = connection.answer().await;
            match expected {
                Some(expected) => assert_eq!(response.json().await, expected),
                None => assert_eq!(response.messages().await, Vec::<Value>::new()),
            }
        }
    });
}

#[test]
fn refuses_an_id_that_the_batch_has_twice() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-03-26").await;
        let responses = sorted(served.send(&batch(&session, &[call(1, "quick"), call(1, "quick")])).await.json().await);
        let codes: Vec<_> = responses.iter().map(|response| response["error"]["code"].as_i64()).collect();
        assert_eq!(codes.len(), 2);
        assert!(codes.contains(&None) && codes.contains(&Some(-32600)), "{responses:?}");
    });
}

#[test]
fn serves_a_batch_without_a_session_where_there_are_none() {
    block_on(async {
        let server = Server::new("t", "1").tools(tools![quick]);
        let served = serve_with(server, Http::new().without_sessions()).await;
        let post = Request::post(json!([ping(1), call(2, "quick"), notification("no/such")]).to_string());
        // Without a header it is that revision which counts.
        for request in [post.clone(), post.clone().header("MCP-Protocol-Version", "2025-03-26")] {
            assert_eq!(sorted(served.send(&request).await.json().await), [pong(1), said(2, "done")]);
        }
        for version in ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"] {
            let refused = served.send(&post.clone().header("MCP-Protocol-Version", version)).await;
            assert_eq!(refused.refused().await, (400, json!(-32600), Value::Null), "{version}");
        }
        let initialize = Request::post(json!([request(1, "initialize", json!({ "_meta": meta() }))]).to_string());
        let responses = served.send(&initialize).await.json().await;
        assert_eq!(responses[0]["error"]["code"], -32600);
    });
}
