//! Sessions over HTTP, where a question comes on the stream of its call and its answer in a POST of its own.

use std::time::Duration;

use mcp_runtime::http::Http;
use mcp_runtime::{AskError, Context, Form, Server, ToolError, tool, tools};
use serde_json::{Value, json};

use crate::support::{all_capabilities, initialize_params, named, text_of};
use crate::web::{Request, Response, Served, Session, block_on, request, send, serve, serve_with};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Say why there is no answer.
#[tool]
async fn why(ctx: &Context) -> String {
    match ctx.elicit::<Name>("name", "Your name?").await {
        Ok(Name { name }) => name,
        Err(error) => format!("{error:?} {:?}", ctx.client_capabilities()),
    }
}

/// Tell the roots.
#[tool]
async fn folders(ctx: &Context) -> Result<String, AskError> {
    Ok(ctx.roots("roots").await?.len().to_string())
}

/// Fail with a code of the modern era.
#[tool]
async fn odd_code() -> Result<String, ToolError> {
    Err(ToolError::protocol(-32021, "not now"))
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![greet, why, folders, odd_code])
}

/// Opens a session of a client that can be asked everything.
async fn session(served: &Served, revision: &str) -> Session {
    let params = initialize_params(revision, all_capabilities());
    let post = Request::post(request("initialize", "initialize", params).to_string());
    let response = served.send(&post).await;
    let id = response.header("mcp-session-id").expect("the session has an id").to_owned();
    let session = Session::named(served.address(), &id, revision);
    session.send(&session.notify("notifications/initialized", json!({}))).await;
    session
}

fn answer(session: &Session, question: &Value, result: Value) -> Request {
    session.post(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }).to_string())
}

/// The one message that a stream still has.
async fn rest(stream: Response) -> String {
    let messages = stream.messages().await;
    assert_eq!(messages.len(), 1, "{messages:?}");
    text_of(&messages[0]["result"]).to_owned()
}

#[test]
fn asks_on_the_stream_of_the_call() {
    block_on(async {
        let served = serve(server()).await;
        for revision in ["2025-06-18", "2025-11-25"] {
            let session = session(&served, revision).await;
            let changes = served.send(&session.get()).await;
            let mut stream = served.send(&session.call(1, "greet", json!({}))).await;
            let question = stream.message().await;
            assert_eq!((&question["id"], &question["method"]), (&json!(1), &json!("elicitation/create")));
            let taken = served.send(&answer(&session, &question, named("Ada"))).await;
            assert_eq!((taken.status, taken.text().await.as_str()), (202, ""));
            assert_eq!(rest(stream).await, "Hello, Ada!");
            // A second answer is taken and dropped.
            assert_eq!(served.send(&answer(&session, &question, named("Eve"))).await.status, 202);
            // Nothing has come on another stream.
            served.send(&session.delete()).await;
            assert_eq!(changes.messages().await, Vec::<Value>::new());
        }
    });
}

#[test]
fn takes_no_answer_from_another_session() {
    block_on(async {
        let served = serve(server()).await;
        let (one, other) = (session(&served, "2025-06-18").await, session(&served, "2025-06-18").await);
        let (mut first, mut second) = (
            served.send(&one.call(1, "greet", json!({}))).await,
            served.send(&other.call(1, "greet", json!({}))).await,
        );
        let (question, same) = (first.message().await, second.message().await);
        // They have the same id.
        assert_eq!(question, same);
        assert_eq!(served.send(&answer(&other, &question, named("Eve"))).await.status, 202);
        assert_eq!(rest(second).await, "Hello, Eve!");
        let no_session = Session::named(served.address(), "nonsense", "2025-06-18");
        assert_eq!(served.send(&answer(&no_session, &question, named("Eve"))).await.status, 404);
        served.send(&answer(&one, &question, named("Ada"))).await;
        assert_eq!(rest(first).await, "Hello, Ada!");
    });
}

#[test]
fn takes_no_answer_of_another_principal() {
    block_on(async {
        let http = Http::new()
            .principal(|head| head.headers.get("X-User").map(|user| user.to_str().unwrap_or_default().to_owned()));
        let served = serve_with(server(), http).await;
        // The helper says who it is nowhere, so nobody is the principal.
        let session = session(&served, "2025-06-18").await;
        let mut stream = served.send(&session.call(1, "greet", json!({}))).await;
        let question = stream.message().await;
        let stolen = answer(&session, &question, named("Eve")).header("X-User", "eve");
        assert_eq!(served.send(&stolen).await.status, 404);
        served.send(&answer(&session, &question, named("Ada"))).await;
        assert_eq!(rest(stream).await, "Hello, Ada!");
    });
}

#[test]
fn asks_nothing_of_a_client_that_takes_no_events() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-11-25").await;
        let response = served.send(&session.call(1, "why", json!({})).json_only()).await.json().await;
        assert_eq!(text_of(&response["result"]), "Unsupported(ElicitationForm) {}");
    });
}

#[test]
fn asks_nothing_without_sessions() {
    block_on(async {
        let served = serve_with(server(), Http::new().without_sessions()).await;
        for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
            let call = request(1, "tools/call", json!({ "name": "why", "arguments": {} }));
            let call = Request::post(call.to_string()).header("MCP-Protocol-Version", revision);
            let response = served.send(&call).await.json().await;
            assert_eq!(text_of(&response["result"]), "Unsupported(ElicitationForm) {}");
            // An answer to nothing.
            let stray = json!({ "jsonrpc": "2.0", "id": 1, "result": named("Ada") }).to_string();
            let stray = Request::post(stray).header("MCP-Protocol-Version", revision);
            assert_eq!(served.send(&stray).await.status, 202);
        }
    });
}

#[test]
fn withdraws_the_question_of_a_call_that_is_cancelled() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-11-25").await;
        let mut stream = served.send(&session.call(7, "greet", json!({}))).await;
        let question = stream.message().await;
        served.send(&session.notify("notifications/cancelled", json!({ "requestId": 7 }))).await;
        let messages = stream.messages().await;
        let params = json!({ "requestId": question["id"] });
        let expected = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        assert_eq!(messages, [expected]);
        session.assert_alive().await;
    });
}

#[test]
fn ends_a_call_that_asks_with_its_session() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-06-18").await;
        let mut stream = served.send(&session.call(7, "greet", json!({}))).await;
        let question = stream.message().await;
        assert_eq!(served.send(&session.delete()).await.status, 204);
        let rest = stream.messages().await;
        assert!(rest.iter().all(|message| message["method"] == "notifications/cancelled"), "{rest:?}");
        assert_eq!(served.send(&answer(&session, &question, named("Ada"))).await.status, 404);
    });
}

#[test]
fn goes_on_with_a_call_whose_stream_was_lost() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-11-25").await;
        let mut stream = served.send(&session.call(7, "greet", json!({}))).await;
        let question = stream.message().await;
        drop(stream);
        let mut resumed = served.send(&session.resume("1-0")).await;
        assert_eq!(resumed.message().await, question);
        served.send(&answer(&session, &question, named("Ada"))).await;
        assert_eq!(rest(resumed).await, "Hello, Ada!");
    });
}

#[test]
fn asks_within_a_batch_on_its_stream() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-03-26").await;
        let call = |id: u8, tool: &str| request(id, "tools/call", json!({ "name": tool, "arguments": {} }));
        let batch = json!([call(1, "folders"), request(2, "ping", json!({}))]);
        let mut stream = served.send(&session.post(batch.to_string())).await;
        let question = stream.message().await;
        assert_eq!(question["method"], "roots/list");
        let answers = json!([{ "jsonrpc": "2.0", "id": question["id"], "result": { "roots": [] } }]);
        assert_eq!(served.send(&session.post(answers.to_string())).await.status, 202);
        let responses = stream.messages().await;
        assert_eq!(responses.len(), 1, "{responses:?}");
        assert_eq!(responses[0].as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn refuses_answers_that_come_as_if_in_the_modern_era() {
    block_on(async {
        let served = serve(server()).await;
        let stray = json!({ "jsonrpc": "2.0", "id": 1, "result": {} }).to_string();
        let stray = Request::post(stray).header("MCP-Protocol-Version", "2026-07-28");
        assert_eq!(send(served.address(), &stray).await.status, 400);
    });
}

#[test]
fn ends_in_time_while_it_asks() {
    block_on(async {
        let served = serve(server().shutdown_grace(Duration::from_millis(50))).await;
        let session = session(&served, "2025-11-25").await;
        let mut stream = served.send(&session.call(7, "greet", json!({}))).await;
        stream.message().await;
        let serving = served.stop();
        assert!(stream.messages().await.iter().all(|message| message["method"] == "notifications/cancelled"));
        serving.await.expect("no panic").expect("it ends well");
    });
}

#[test]
fn answers_a_call_that_fails_with_a_code_of_the_modern_era_like_any_other() {
    block_on(async {
        let served = serve(server()).await;
        let session = session(&served, "2025-11-25").await;
        let response = served.send(&session.call(7, "odd_code", json!({}))).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.error().await["code"], -32021);
    });
}
