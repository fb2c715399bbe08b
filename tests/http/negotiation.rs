//! What the client accepts, and what it says its body is.

use mcp_runtime::{Server, tool, tools};
use serde_json::{Value, json};

use crate::support::{Request, Served, block_on, modern_call, said, serve};

/// Say how long a text is.
#[tool]
async fn length(text: String) -> String {
    text.len().to_string()
}

/// Say a long text.
#[tool]
async fn long_text(length: usize) -> String {
    "x".repeat(length)
}

async fn served() -> Served {
    serve(Server::new("t", "1").tools(tools![length, long_text])).await
}

fn call() -> Request {
    modern_call(1, "length", json!({ "text": "abc" }))
}

fn answer() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": { "content": [{ "type": "text", "text": "3" }], "resultType": "complete" },
    })
}

/// An answer without what the server says about itself.
fn plain(mut answer: Value) -> Value {
    answer["result"].as_object_mut().expect("it has a result").remove("_meta");
    answer
}

#[test]
fn answers_in_json_who_accepts_it() {
    block_on(async {
        let served = served().await;
        for accept in [
            "*/*",
            "application/*",
            "application/json",
            "application/json, text/event-stream",
            "text/event-stream, application/json",
            "application/json;q=0.9, text/event-stream;q=1.0",
            "APPLICATION/JSON, Text/Event-Stream",
            "application/json, text/event-stream;q=0",
            "text/html, application/json;q=0.1",
        ] {
            let response = served.send(&call().with("Accept", accept)).await;
            assert_eq!(response.status, 200, "{accept}");
            assert_eq!(plain(response.json().await), answer(), "{accept}");
        }
        let split = call().with("Accept", "application/json").header("Accept", "text/event-stream");
        assert_eq!(plain(served.send(&split).await.json().await), answer());
        assert_eq!(plain(served.send(&call().without("Accept")).await.json().await), answer());
    });
}

#[test]
fn answers_in_events_who_accepts_nothing_else() {
    block_on(async {
        let served = served().await;
        for accept in ["text/event-stream", "text/*", "application/json;q=0, */*"] {
            let messages = served.send(&call().with("Accept", accept)).await.messages().await;
            assert_eq!(messages.into_iter().map(plain).collect::<Vec<_>>(), [answer()], "{accept}");
        }
        let session = served.session("2025-06-18").await;
        let list = session.request(1, "ping", json!({})).with("Accept", "text/event-stream");
        let messages = served.send(&list).await.messages().await;
        assert_eq!(messages, [json!({ "jsonrpc": "2.0", "id": 1, "result": {} })]);
        // An error is an answer like any other.
        let unknown = session.call(2, "nothing", json!({})).with("Accept", "text/event-stream");
        let messages = served.send(&unknown).await.messages().await;
        assert_eq!((&messages[0]["id"], &messages[0]["error"]["code"]), (&json!(2), &json!(-32602)));
    });
}

#[test]
fn tells_who_accepts_neither_what_there_is() {
    block_on(async {
        let served = served().await;
        let refused = served.send(&call().with("Accept", "text/html")).await;
        assert_eq!(refused.status, 406);
        let error = refused.error().await;
        assert!(error["message"].as_str().is_some_and(|text| text.contains("`Accept`")), "{error}");
    });
}

#[test]
fn gives_its_stream_of_changes_to_those_who_accept_events() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        for (accept, status) in
            [("*/*", 200), ("text/event-stream", 200), ("application/json", 406), ("text/html", 406)]
        {
            assert_eq!(served.send(&session.get().with("Accept", accept)).await.status, status, "{accept}");
        }
        assert_eq!(served.send(&session.get().without("Accept")).await.status, 200);
    });
}

#[test]
fn takes_json_in_utf_8_only() {
    block_on(async {
        let served = served().await;
        for (ty, status) in [
            ("application/json", 200),
            ("Application/JSON; charset=UTF-8", 200),
            ("application/json;charset=\"utf-8\"", 200),
            ("application/json; charset=latin1", 415),
            ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("", 415),
        ] {
            assert_eq!(served.send(&call().with("Content-Type", ty)).await.status, status, "{ty}");
        }
        let refused = served.send(&call().without("Content-Type")).await;
        assert_eq!(refused.status, 415);
        assert!(refused.text().await.contains("application/json"));
    });
}

#[test]
fn reads_no_encoded_bodies() {
    block_on(async {
        let served = served().await;
        for (encoding, status) in [("gzip", 415), ("br", 415), ("identity", 200), ("Identity", 200)] {
            assert_eq!(served.send(&call().header("Content-Encoding", encoding)).await.status, status, "{encoding}");
        }
    });
}

#[test]
fn takes_arguments_of_megabytes() {
    block_on(async {
        let served = served().await;
        let text = "x".repeat(3 * 1024 * 1024);
        let response = served.send(&modern_call(1, "length", json!({ "text": text }))).await.json().await;
        assert_eq!(response["result"]["content"][0]["text"], "3145728");
    });
}

#[test]
fn answers_with_more_than_it_would_read() {
    block_on(async {
        let http = mcp_runtime::http::Http::new().max_body_bytes(1000);
        let served = crate::support::serve_with(Server::new("t", "1").tools(tools![long_text]), http).await;
        let session = served.session("2025-06-18").await;
        let response = served.send(&session.call(1, "long_text", json!({ "length": 100_000 }))).await.json().await;
        assert_eq!(response, said(1, &"x".repeat(100_000)));
    });
}

#[test]
fn takes_what_surrounds_a_message() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        for body in [format!("\u{feff}{ping}"), format!("\r\n {ping}\r\n\n"), ping.replace(',', ",\n")] {
            let response = served.send(&session.post(body.as_str())).await.json().await;
            assert_eq!(response, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }), "{body:?}");
        }
    });
}

#[test]
fn tells_what_is_no_message_from_what_is_none_of_ours() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        for (body, code, id) in [
            (&b"{oops"[..], -32700, Value::Null),
            (b"", -32700, Value::Null),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xFF\"}", -32700, Value::Null),
            (b"7", -32600, Value::Null),
            (b"[]", -32600, Value::Null),
            (br#"{"id":1,"method":"ping"}"#, -32600, json!(1)),
            (br#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, json!(1)),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
            (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, Value::Null),
        ] {
            for request in [session.post(body), Request::post(body).header("MCP-Protocol-Version", "2026-07-28")] {
                let refused = served.send(&request).await.refused().await;
                assert_eq!(refused, (400, code.into(), id.clone()), "{}", String::from_utf8_lossy(body));
            }
        }
        session.assert_alive().await;
    });
}

#[test]
fn has_one_path() {
    block_on(async {
        let served = served().await;
        for path in ["/", "/mcp/", "/MCP", "/mcp/x", "/.well-known/oauth-authorization-server"] {
            let refused = served.send(&call().path(path)).await;
            assert_eq!(refused.status, 404, "{path}");
            assert!(refused.text().await.contains("`/mcp`"));
        }
        assert_eq!(served.send(&call().path("/mcp?x=1")).await.status, 200);
    });
}
