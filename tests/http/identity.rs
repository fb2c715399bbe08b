//! What tools and the server know of whoever is in front of them.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::middleware::map_request;
use mcp_runtime::http::Http;
use mcp_runtime::{Context, Extension, Server, tool, tools};
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::{
    Connection, Request, Session, block_on, initialize, modern_call, said, send, serve, session, text_of,
};

/// Whom a layer has found a request to come from.
#[derive(Clone)]
struct User(String);

/// Believes what a header says.
async fn authenticate(mut request: axum::extract::Request) -> axum::extract::Request {
    if let Some(user) = request.headers().get("x-user").and_then(|user| user.to_str().ok()) {
        let user = User(user.to_owned());
        request.extensions_mut().insert(user);
    }
    request
}

/// Say who is asking.
#[tool]
async fn who_am_i(user: Extension<User>) -> String {
    user.0.0
}

/// Greet.
#[tool]
async fn greet(greeting: String, user: &Extension<User>) -> String {
    format!("{greeting}, {}!", user.0.0)
}

/// Say what the request came with.
#[tool]
async fn head(ctx: &Context) -> String {
    let Some(parts) = ctx.http() else { return "no HTTP".to_owned() };
    let user = parts.extensions.get::<User>().map(|user| user.0.as_str());
    format!("{} {} {:?} {user:?}", parts.method, parts.uri.path(), parts.headers.get("x-user"))
}

/// Say where the client is.
#[tool]
async fn address(ctx: &Context) -> String {
    ctx.peer_addr().expect("the connection is the server's own").to_string()
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// Count.
#[tool]
async fn count(_user: Extension<User>) -> usize {
    RUNS.fetch_add(1, Ordering::Relaxed)
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![who_am_i, greet, head, address, count])
}

/// Serves as a part of an application with a layer that authenticates.
async fn application(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a listener has an address");
    let service = server.into_service().await.expect("the server starts");
    let application = Router::new().route_service("/mcp", service).layer(map_request(authenticate));
    tokio::spawn(async { axum::serve(listener, application).await });
    address
}

fn by(user: &str, request: Request) -> Request {
    request.with("X-User", user)
}

#[test]
fn hands_tools_what_a_layer_has_put_into_the_request() {
    block_on(async {
        let address = application(server()).await;
        for user in ["ann", "bob"] {
            let response = send(address, &by(user, modern_call(1, "who_am_i", json!({})))).await.json().await;
            assert_eq!(text_of(&response), user);
        }
        let session = session(address, "2025-11-25").await;
        let call = session.call(1, "greet", json!({ "greeting": "Hi" }));
        assert_eq!(send(address, &by("cho", call)).await.json().await, said(1, "Hi, cho!"));
    });
}

#[test]
fn runs_no_tool_without_what_it_needs() {
    block_on(async {
        let address = application(server()).await;
        let refused = send(address, &modern_call(1, "count", json!({}))).await;
        assert_eq!(refused.refused().await, (200, json!(-32603), json!(1)));
        assert_eq!(RUNS.load(Ordering::Relaxed), 0);
        assert_eq!(send(address, &by("ann", modern_call(1, "count", json!({})))).await.status, 200);
        assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn keeps_what_a_layer_knows_out_of_the_schema() {
    block_on(async {
        let address = application(server()).await;
        let session = session(address, "2025-11-25").await;
        let list = send(address, &session.request(1, "tools/list", json!({}))).await.json().await;
        let properties: Vec<_> = list["result"]["tools"].as_array().expect("tools are listed").iter().take(2).collect();
        assert_eq!(properties[0]["inputSchema"].get("properties").unwrap_or(&json!({})), &json!({}));
        assert_eq!(properties[1]["inputSchema"]["required"], json!(["greeting"]));
    });
}

#[test]
fn shows_tools_the_head_of_the_request() {
    block_on(async {
        let address = application(server()).await;
        let response = send(address, &by("ann", modern_call(1, "head", json!({})))).await.json().await;
        assert_eq!(text_of(&response), r#"POST /mcp Some("ann") Some("ann")"#);
        // Each request of a session has its own.
        let session = session(address, "2025-11-25").await;
        let call = session.call(1, "head", json!({}));
        assert_eq!(send(address, &call).await.json().await, said(1, "POST /mcp None None"));
        assert_eq!(send(address, &by("bob", call)).await.json().await, said(1, r#"POST /mcp Some("bob") Some("bob")"#));
    });
}

#[test]
fn has_no_head_on_other_transports() {
    block_on(async {
        let mut client = server().connect().await.expect("the server starts");
        let result = client.call_tool("head", json!({})).await.expect("the tool answers");
        assert_eq!(result["content"][0]["text"], "no HTTP");
    });
}

#[test]
fn tells_tools_the_address_of_the_client() {
    block_on(async {
        let served = serve(server()).await;
        let connection = Connection::open(served.address()).await;
        let own = connection.local_address().to_string();
        let response = connection.send(&modern_call(1, "address", json!({}))).await.json().await;
        assert_eq!(text_of(&response), own);
    });
}

/// A server whose sessions belong to those who have opened them.
async fn bound() -> SocketAddr {
    let principal = |request: &axum::http::request::Parts| request.extensions.get::<User>().map(|user| user.0.clone());
    application(server().http(Http::new().principal(principal))).await
}

#[test]
fn opens_sessions_for_their_own_principals() {
    block_on(async {
        let address = bound().await;
        let opened = send(address, &by("ann", initialize("2025-11-25"))).await;
        let id = opened.header("mcp-session-id").expect("there is a session").to_owned();
        let session = Session::named(address, &id, "2025-11-25");
        let uses = [
            session.call(1, "who_am_i", json!({})),
            session.notify("notifications/initialized", json!({})),
            session.get(),
            session.delete(),
        ];
        for request in &uses {
            let never = send(address, &request.clone().with("Mcp-Session-Id", "never")).await.json().await;
            for other in [by("bob", request.clone()), by("", request.clone()), request.clone()] {
                let refused = send(address, &other).await;
                assert_eq!(refused.status, 404);
                // Nobody learns that there is such a session.
                assert_eq!(refused.json().await, never);
            }
        }
        let statuses = [200, 202, 200, 204];
        for (request, status) in uses.into_iter().zip(statuses) {
            assert_eq!(send(address, &by("ann", request)).await.status, status);
        }
    });
}

#[test]
fn binds_the_sessions_of_nobody_to_nobody() {
    block_on(async {
        let address = bound().await;
        let session = session(address, "2025-11-25").await;
        session.assert_alive().await;
        let stolen = send(address, &by("ann", session.request(1, "ping", json!({})))).await;
        assert_eq!(stolen.refused().await.0, 404);
    });
}

#[test]
fn is_served_where_an_application_has_put_it() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let service = server().into_service().await.expect("the server starts");
        let application = Router::new().nest_service("/tools/v1", service);
        tokio::spawn(async { axum::serve(listener, application).await });
        let call = modern_call(1, "head", json!({}));
        assert_eq!(send(address, &call).await.status, 404);
        let response = send(address, &call.path("/tools/v1")).await.json().await;
        assert!(text_of(&response).starts_with("POST "), "{response}");
    });
}
