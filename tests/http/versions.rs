//! The header that names the protocol version, and what the two eras are told apart by.

use mcp_runtime::{Server, tool, tools};
use serde_json::{Value, json};

use crate::support::{Request, Served, block_on, initialize, meta, modern, modern_body, modern_call, request, serve};

/// Add two numbers.
#[tool]
async fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}

async fn served() -> Served {
    serve(Server::new("test", "1.2.3").tools(tools![add])).await
}

fn supported() -> Value {
    json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
}

#[test]
fn serves_a_session_with_any_version_that_there_is() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        let list = session.request(1, "tools/list", json!({}));
        let expected = served.send(&list).await.json().await;
        // What the tools return is told by since 2025-06-18, so the answer shows the revision.
        assert!(expected["result"]["tools"][0]["outputSchema"].is_object(), "{expected}");
        for version in ["2025-06-18", "2025-03-26", "2024-11-05", "2025-11-25"] {
            let answer = served.send(&list.clone().with("MCP-Protocol-Version", version)).await.json().await;
            assert_eq!(answer, expected, "{version}");
        }
        assert_eq!(served.send(&list.without("MCP-Protocol-Version")).await.json().await, expected);
    });
}

#[test]
fn refuses_versions_that_there_are_not_and_names_those_that_there_are() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        for version in ["1999-01-01", "banana", "", "2025-06-18, 2025-11-25", "2031-01-01"] {
            for (request, id) in [
                (session.request(1, "tools/list", json!({})), json!(1)),
                (initialize("2025-06-18"), json!("initialize")),
                (session.notify("notifications/initialized", json!({})), Value::Null),
                (session.post(json!({ "jsonrpc": "2.0", "id": 9, "result": {} }).to_string()), Value::Null),
                (session.get(), Value::Null),
                (session.delete(), Value::Null),
            ] {
                let refused = served.send(&request.with("MCP-Protocol-Version", version)).await;
                assert_eq!((refused.status, refused.header("mcp-session-id")), (400, None), "{version}");
                let body = refused.json().await;
                let data = json!({ "supported": supported(), "requested": version });
                assert_eq!((&body["id"], &body["error"]["code"], &body["error"]["data"]), (&id, &json!(-32022), &data));
            }
        }
        session.assert_alive().await;
    });
}

#[test]
fn refuses_the_version_twice() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-06-18").await;
        let twice = session.request(1, "tools/list", json!({})).header("MCP-Protocol-Version", "2025-06-18");
        assert_eq!(served.send(&twice).await.refused().await, (400, json!(-32600), json!(1)));
    });
}

#[test]
fn takes_the_version_of_a_new_session_from_the_body() {
    block_on(async {
        let served = served().await;
        for version in ["2024-11-05", "2025-03-26", "2025-11-25", "2026-07-28"] {
            let response = served.send(&initialize("2025-06-18").header("MCP-Protocol-Version", version)).await;
            assert_eq!(response.json().await["result"]["protocolVersion"], "2025-06-18", "{version}");
        }
    });
}

#[test]
fn agrees_on_the_version_that_is_asked_for_or_on_its_latest() {
    block_on(async {
        let served = served().await;
        for (asked, agreed) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("1999-01-01", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
        ] {
            let response = served.send(&initialize(asked)).await.json().await;
            assert_eq!(response["result"]["protocolVersion"], agreed);
        }
    });
}

#[test]
fn serves_both_eras_side_by_side() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        let call = modern_call(1, "add", json!({ "a": 1, "b": 2 }));
        let modern = served.send(&call).await.json().await["result"].take();
        assert_eq!((&modern["structuredContent"], &modern["resultType"]), (&json!(3), &json!("complete")));
        let legacy =
            served.send(&session.call(1, "add", json!({ "a": 1, "b": 2 }))).await.json().await["result"].take();
        assert_eq!((&legacy["structuredContent"], legacy.get("resultType")), (&json!({ "result": 3 }), None));
    });
}

#[test]
fn asks_for_all_of_the_metadata_of_a_modern_request() {
    block_on(async {
        let served = served().await;
        for key in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
            let mut meta = meta();
            meta.as_object_mut().expect("it is an object").remove(key);
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "c", "version": "1" });
            for method in ["server/discover", "tools/list", "tools/call"] {
                let body = request(1, method, json!({ "name": "add", "_meta": meta }));
                let post = Request::post(body.to_string()).header("MCP-Protocol-Version", "2026-07-28");
                let refused = served.send(&post.header("Mcp-Method", method).header("Mcp-Name", "add")).await;
                assert_eq!(refused.status, 400);
                let body = refused.json().await;
                assert_eq!((&body["id"], &body["error"]["code"]), (&json!(1), &json!(-32602)));
                assert!(body["error"]["message"].as_str().is_some_and(|text| text.contains(key)), "{body}");
            }
        }
        let without_info = served.send(&modern(1, "server/discover", json!({}))).await;
        assert_eq!(without_info.status, 200);
    });
}

#[test]
fn refuses_a_request_of_the_modern_era_without_any_metadata() {
    block_on(async {
        let served = served().await;
        for params in [json!({}), json!({ "_meta": {} }), json!({ "_meta": 7 }), json!([])] {
            for method in ["server/discover", "tools/list", "ping"] {
                let post = Request::post(request("m", method, params.clone()).to_string());
                let post = post.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
                assert_eq!(served.send(&post).await.refused().await, (400, json!(-32602), json!("m")), "{params}");
            }
        }
    });
}

#[test]
fn refuses_a_modern_version_that_there_is_not() {
    block_on(async {
        let served = served().await;
        for version in ["2031-01-01", "2025-11-25", "banana"] {
            let mut body = modern_body(1, "tools/list", json!({}));
            body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = version.into();
            let post = Request::post(body.to_string()).header("MCP-Protocol-Version", version);
            let refused = served.send(&post.header("Mcp-Method", "tools/list")).await;
            assert_eq!(refused.status, 400);
            let body = refused.json().await;
            let data = json!({ "supported": supported(), "requested": version });
            assert_eq!(
                (&body["id"], &body["error"]["code"], &body["error"]["data"]),
                (&json!(1), &json!(-32022), &data)
            );
        }
    });
}

#[test]
fn says_what_it_can_and_can_do_no_more() {
    block_on(async {
        let served = served().await;
        let discovered = served.send(&modern(1, "server/discover", json!({}))).await.json().await["result"].take();
        assert_eq!(discovered["supportedVersions"], supported());
        assert_eq!(discovered["capabilities"], json!({ "tools": {} }));
        for (method, status) in [
            ("tools/list", 200),
            ("resources/list", 404),
            ("resources/read", 404),
            ("prompts/list", 404),
            ("completion/complete", 404),
            ("no/such", 404),
        ] {
            let response = served.send(&modern(2, method, json!({}))).await;
            assert_eq!(response.status, status, "{method}");
            if status == 404 {
                assert_eq!(response.refused().await, (404, json!(-32601), json!(2)));
            }
        }
    });
}

#[test]
fn knows_no_removed_methods_in_the_modern_era() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
            let client = json!({ "name": "c", "version": "1" });
            let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
            let response = served.send(&modern(1, method, params)).await;
            assert_eq!(response.header("mcp-session-id"), None);
            assert_eq!(response.refused().await, (404, json!(-32601), json!(1)), "{method}");
        }
        session.assert_alive().await;
    });
}

#[test]
fn tells_of_an_unknown_method_in_a_session_with_status_200() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        for method in ["no/such", "server/discover", "subscriptions/listen"] {
            let refused = served.send(&session.request(1, method, json!({ "notifications": {} }))).await;
            assert_eq!(refused.refused().await, (200, json!(-32601), json!(1)), "{method}");
        }
        session.assert_alive().await;
    });
}

#[test]
fn tells_a_call_that_is_none_from_arguments_that_are_wrong() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        for (tool, arguments, code) in [
            ("nobody", json!({}), json!(-32602)),
            ("add", json!([]), json!(-32602)),
            ("add", json!({ "a": "x", "b": 1 }), Value::Null),
        ] {
            for call in [session.call(1, tool, arguments.clone()), modern_call(1, tool, arguments.clone())] {
                let response = served.send(&call).await;
                assert_eq!(response.status, 200);
                let body = response.json().await;
                assert_eq!(body["error"]["code"], code, "{body}");
                assert_eq!(body["result"]["isError"].as_bool(), code.is_null().then_some(true), "{body}");
            }
        }
    });
}

#[test]
fn says_the_type_of_every_modern_result_and_of_no_legacy_one() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        for (method, params, is_cached) in [
            ("server/discover", json!({}), true),
            ("tools/list", json!({}), true),
            ("tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 1 } }), false),
        ] {
            let result = served.send(&modern(1, method, params.clone())).await.json().await["result"].take();
            assert_eq!(result["resultType"], "complete", "{method}");
            assert_eq!(
                (result["ttlMs"].is_u64(), result["cacheScope"].is_string()),
                (is_cached, is_cached),
                "{result}"
            );
            if method != "server/discover" {
                let result = served.send(&session.request(1, method, params)).await.json().await["result"].take();
                let extras = ["resultType", "ttlMs", "cacheScope"].map(|member| result.get(member));
                assert_eq!((result.is_object(), extras), (true, [None; 3]));
            }
        }
    });
}

#[test]
fn lists_the_same_on_every_connection() {
    block_on(async {
        let served = served().await;
        let list = modern(1, "tools/list", json!({}));
        let (before, connection) = served.send(&list).await.whole().await;
        let (_, connection) = connection.send(&modern_call(2, "add", json!({ "a": 1, "b": 1 }))).await.whole().await;
        let (after, _) = connection.send(&list).await.whole().await;
        let (elsewhere, _) = served.send(&list).await.whole().await;
        assert_eq!((&after, &elsewhere), (&before, &before));
    });
}

#[test]
fn sends_no_code_that_is_reserved() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        let list = || modern(1, "tools/list", json!({}));
        for request in [
            Request::post("{oops"),
            Request::post("7"),
            Request::post("[]"),
            Request::post(request(1, "tools/list", json!({})).to_string()),
            list().header("Host", "localhost"),
            list().with("Host", "evil.example"),
            list().header("Origin", "https://evil.example"),
            list().with("Accept", "text/html"),
            list().with("Content-Type", "text/plain"),
            list().without("Mcp-Method"),
            list().without("MCP-Protocol-Version"),
            list().with("MCP-Protocol-Version", "2031-01-01"),
            list().path("/nowhere"),
            modern(1, "no/such", json!({})),
            modern_call(1, "nobody", json!({})),
            modern(1, "tools/list", json!({ "cursor": "garbage" })),
            modern(1, "subscriptions/listen", json!({})),
            session.request(1, "no/such", json!({})).with("Mcp-Session-Id", "nobody's"),
            session.get().with("Mcp-Session-Id", "nobody's"),
            session.resume("nonsense"),
            Request::get(),
            Request::new("PUT"),
        ] {
            let code = served.send(&request).await.error().await["code"].as_i64().expect("an error has a code");
            let is_reserved = (-32099..=-32000).contains(&code) && !(-32022..=-32020).contains(&code);
            assert!(!is_reserved, "{code}");
        }
    });
}
