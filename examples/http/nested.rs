//! A server inside of an application of one's own: a layer in front finds out who is asking, and tools take it as a
//! parameter; another lets web pages in.
//!
//! ```sh
//! cargo run --package mcp-http-examples --example nested -- 127.0.0.1:8080
//! curl http://127.0.0.1:8080/mcp -H 'Authorization: Bearer open-sesame' -H 'Content-Type: application/json' \
//!   -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: who_am_i' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who_am_i","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
//! ```

use std::error::Error;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use mcp_runtime::http::Http;
use mcp_runtime::{Extension, Server, tool, tools};
use tower_http::cors::CorsLayer;

/// Who is asking.
#[derive(Clone)]
struct User {
    name: String,
}

/// Say who is asking.
#[tool(read_only)]
fn who_am_i(user: &Extension<User>) -> String {
    user.name.clone()
}

/// Lets in who has a token, and lets the tools know whose it is. A real one asks the issuer of the token.
async fn authenticate(mut request: Request, next: Next) -> Response {
    let token = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok()?.strip_prefix("Bearer "));
    if token != Some("open-sesame") {
        return (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")]).into_response();
    }
    request.extensions_mut().insert(User { name: "Ali Baba".to_owned() });
    next.run(request).await
}

/// What a web page of another origin may send and read.
fn cors() -> CorsLayer {
    let own = HeaderName::from_static;
    let sent = [AUTHORIZATION, CONTENT_TYPE, own("mcp-protocol-version"), own("mcp-session-id"), own("last-event-id")];
    // One more for each argument that a tool mirrors in a header.
    let mirrored = [own("mcp-method"), own("mcp-name")];
    CorsLayer::new()
        .allow_origin(["https://app.example.com".parse().expect("it is a header")])
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([&sent[..], &mirrored[..]].concat())
        .expose_headers([own("mcp-session-id"), WWW_AUTHENTICATE])
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let http = Http::new()
        .allow_origins(["https://app.example.com"])
        .principal(|request| request.extensions.get::<User>().map(|user| user.name.clone()));
    let service =
        Server::new("nested", env!("CARGO_PKG_VERSION")).tools(tools![who_am_i]).http(http).into_service().await?;
    let endpoint = Router::new().route_service("/mcp", service.clone());
    let application = Router::new()
        .merge(endpoint.layer(middleware::from_fn(authenticate)).layer(cors()))
        .route("/health", get(|| async { "well" }));
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("listening at http://{}", listener.local_addr()?);
    let stop = async move {
        // Without signals it goes on until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        service.shut_down().await;
    };
    Ok(axum::serve(listener, application).with_graceful_shutdown(stop).await?)
}
