//! The modern era over HTTP, where rounds are requests that have nothing to do with each other.

use mcp_runtime::http::Http;
use mcp_runtime::{AskError, Context, Form, Server, StateKey, tool, tools};
use serde_json::{Value, json};

use crate::support::{accept, all_capabilities, modern_of, text_of};
use crate::web::{Request, Served, block_on, modern, request, serve, serve_with};

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

/// Report progress, wait a little, and ask.
#[tool]
async fn slow(ctx: &Context) -> Result<String, AskError> {
    ctx.progress(1.0, None, None);
    tokio::task::yield_now().await;
    Ok(ctx.elicit::<Name>("name", "Your name?").await?.name)
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![greet, slow])
}

/// A POST with a call of a client that has declared these capabilities.
fn call_of(tool: &str, mut params: Value, capabilities: Value) -> Request {
    params["name"] = tool.into();
    params["arguments"] = json!({});
    let body = request(1, "tools/call", modern_of(params, capabilities)).to_string();
    modern(1, "tools/call", json!({ "name": tool })).body(body)
}

fn call(tool: &str, params: Value) -> Request {
    call_of(tool, params, all_capabilities())
}

fn next(asked: &Value, name: &str) -> Value {
    json!({ "inputResponses": { "name": accept(json!({ "name": name })) }, "requestState": asked["requestState"] })
}

async fn asked(served: &Served, request: &Request) -> Value {
    let response = served.send(request).await;
    assert_eq!(response.status, 200);
    let result = response.json().await["result"].take();
    assert_eq!(result["resultType"], "input_required");
    result
}

#[test]
fn asks_in_the_body_of_the_answer() {
    block_on(async {
        let served = serve(server()).await;
        for request in [call("greet", json!({})), call("greet", json!({})).json_only()] {
            let asked = asked(&served, &request).await;
            let response = served.send(&call("greet", next(&asked, "Ada"))).await.json().await;
            assert_eq!(text_of(&response["result"]), "Hello, Ada!");
        }
    });
}

#[test]
fn asks_with_the_last_event_of_a_stream() {
    block_on(async {
        let served = serve(server()).await;
        let params = json!({ "_meta": { "progressToken": "t" } });
        let messages = served.send(&call("slow", params)).await.messages().await;
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0]["method"], "notifications/progress");
        assert_eq!(messages[1]["result"]["resultType"], "input_required");
        let only_events = call("greet", json!({})).with("Accept", "text/event-stream");
        let messages = served.send(&only_events).await.messages().await;
        assert_eq!(messages[0]["result"]["resultType"], "input_required");
    });
}

#[test]
fn answers_with_status_400_if_a_capability_is_missing() {
    block_on(async {
        let served = serve(server()).await;
        for request in [
            call_of("greet", json!({}), json!({})),
            call_of("greet", json!({}), json!({ "sampling": {} })).json_only(),
            call_of("slow", json!({}), json!({})),
        ] {
            let response = served.send(&request).await;
            assert_eq!(response.status, 400);
            let error = response.error().await;
            let required = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
            assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &required));
        }
        // Once there are events it is too late for a status.
        let params = json!({ "_meta": { "progressToken": "t" } });
        let response = served.send(&call_of("slow", params, json!({}))).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.messages().await[1]["error"]["code"], -32021);
    });
}

#[test]
fn refuses_the_state_of_another_principal() {
    block_on(async {
        let http = Http::new()
            .principal(|head| head.headers.get("X-User").map(|user| user.to_str().unwrap_or_default().to_owned()));
        let served = serve_with(server(), http).await;
        let of = |request: Request, user: Option<&str>| match user {
            Some(user) => request.header("X-User", user),
            None => request,
        };
        for (user, others) in [
            (Some("ada"), [Some("eve"), Some(""), None]),
            (None, [Some("ada"), Some(""), Some("-")]),
            (Some(""), [None, Some("-"), Some("a")]),
        ] {
            let asked = asked(&served, &of(call("greet", json!({})), user)).await;
            for other in others {
                let response = served.send(&of(call("greet", next(&asked, "Eve")), other)).await;
                assert_eq!(response.error().await["code"], -32602, "{user:?} {other:?}");
            }
            let response = served.send(&of(call("greet", next(&asked, "Ada")), user)).await.json().await;
            assert_eq!(text_of(&response["result"]), "Hello, Ada!");
        }
    });
}

#[test]
fn goes_on_at_another_server_with_the_same_key() {
    block_on(async {
        let key = || StateKey::new([3; 32]);
        let (one, other) = (serve(server().state_key(key())).await, serve(server().state_key(key())).await);
        let stranger = serve(server()).await;
        let asked = asked(&one, &call("greet", json!({}))).await;
        let response = stranger.send(&call("greet", next(&asked, "Ada"))).await;
        assert_eq!((response.status, response.error().await["code"].clone()), (200, json!(-32602)));
        let response = other.send(&call("greet", next(&asked, "Ada"))).await.json().await;
        assert_eq!(text_of(&response["result"]), "Hello, Ada!");
    });
}

#[test]
fn asks_a_client_that_has_no_session_where_there_are_none() {
    block_on(async {
        let served = serve_with(server(), Http::new().without_sessions()).await;
        let asked = asked(&served, &call("greet", json!({}))).await;
        let response = served.send(&call("greet", next(&asked, "Ada"))).await.json().await;
        assert_eq!(text_of(&response["result"]), "Hello, Ada!");
    });
}
