//! The two eras: the handshake of the legacy one, the self-contained requests of the modern one, and both side by side.

mod common;

use std::convert::Infallible;

use common::memory::{LEGACY, Wire, block_on, modern};
use mcp_runtime::{Server, Tool, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Add two numbers.
#[tool]
fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}

fn server() -> Server {
    Server::new("test", "1.2.3").title("A test").instructions("Be brief.").tools(tools![add])
}

#[test]
fn agrees_on_the_revision_that_is_asked_for() {
    block_on(async {
        for revision in LEGACY {
            let mut wire = Wire::open(server());
            let response = wire.initialize(revision.into()).await;
            let mut info = json!({ "name": "test", "version": "1.2.3" });
            if revision >= "2025-06-18" {
                info["title"] = "A test".into();
            }
            let expected = json!({
                "protocolVersion": revision,
                "capabilities": { "tools": {} },
                "serverInfo": info,
                "instructions": "Be brief.",
            });
            assert_eq!(response["result"], expected);
        }
    });
}

#[test]
fn offers_the_latest_handshake_revision_for_any_other() {
    block_on(async {
        for revision in ["1999-01-01", "2099-01-01", "", "latest", "2026-07-28"] {
            let response = Wire::open(server()).initialize(revision.into()).await;
            assert_eq!(response["result"]["protocolVersion"], "2025-11-25", "{revision}");
        }
    });
}

#[test]
fn refuses_an_initialize_that_lacks_what_is_required() {
    block_on(async {
        let complete = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        for (member, bad) in [
            ("protocolVersion", json!(7)),
            ("protocolVersion", Value::Null),
            ("capabilities", json!([])),
            ("capabilities", Value::Null),
            ("clientInfo", json!("me")),
            ("clientInfo", json!({ "name": "me" })),
        ] {
            let mut wire = Wire::open(server());
            let mut params = complete.clone();
            params[member] = bad;
            let error = wire.request("initialize", params).await["error"].take();
            assert_eq!(error["code"], -32602);
            assert!(error["message"].as_str().is_some_and(|text| text.contains(member)), "{error}");
            // Nothing was begun, so it can be done right.
            assert!(wire.request("initialize", complete.clone()).await["result"].is_object());
        }
        for member in ["protocolVersion", "capabilities", "clientInfo"] {
            let mut params = complete.clone();
            params.as_object_mut().unwrap().remove(member);
            assert_eq!(Wire::open(server()).request("initialize", params).await["error"]["code"], -32602, "{member}");
        }
    });
}

#[test]
fn takes_an_initialize_with_members_that_it_does_not_know() {
    block_on(async {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "newThing": { "a": true }, "experimental": { "z": null } },
            "clientInfo": { "name": "c", "version": "0", "icons": [], "extra": 1 },
            "more": 1,
            "_meta": { "progressToken": 5, "example.org/x": { "y": [1] } },
        });
        let response = Wire::open(server()).request("initialize", params).await;
        assert_eq!(response["result"]["protocolVersion"], "2025-06-18");
    });
}

#[test]
fn refuses_to_log_and_goes_on_before_the_handshake_ends() {
    block_on(async {
        let mut wire = Wire::open(server());
        wire.initialize("2025-06-18".into()).await;
        for level in ["debug", "loud"] {
            let refused = wire.request("logging/setLevel", json!({ "level": level })).await;
            assert_eq!(refused["error"]["code"], -32601, "{refused}");
        }
        wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert!(wire.request("tools/list", json!({})).await["result"]["tools"].is_array());
    });
}

#[test]
fn opens_a_session_while_a_modern_call_runs() {
    static GO_ON: Notify = Notify::const_new();
    block_on(async {
        let wait = Tool::builder("wait").input_schema(json!({ "type": "object" })).handler(|_: Value, _| async {
            GO_ON.notified().await;
            Ok::<_, Infallible>(7)
        });
        let mut wire = Wire::open(Server::new("t", "1").tools([wait]));
        let params = modern(json!({ "name": "wait" }));
        wire.send(json!({ "jsonrpc": "2.0", "id": "w", "method": "tools/call", "params": params })).await;
        assert_eq!(wire.initialize("2025-11-25".into()).await["result"]["protocolVersion"], "2025-11-25");
        assert!(wire.request("tools/list", json!({})).await["result"].is_object());
        GO_ON.notify_one();
        // By the revision that it came in.
        let response = wire.receive().await;
        let (id, result) = (&response["id"], &response["result"]);
        assert_eq!(
            (id, &result["resultType"], &result["structuredContent"]),
            (&json!("w"), &json!("complete"), &json!(7))
        );
    });
}

#[test]
fn asks_for_metadata_where_a_request_has_no_params() {
    block_on(async {
        let mut wire = Wire::open(server());
        for method in ["tools/list", "tools/call", "server/discover"] {
            for params in ["", r#","params":null"#] {
                let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"{params}}}"#);
                let error = wire.exchange(&line).await["error"].take();
                assert_eq!(error["code"], -32602);
                let message = error["message"].as_str().unwrap();
                assert!(message.contains("io.modelcontextprotocol/protocolVersion"), "{message}");
            }
        }
    });
}

#[test]
fn serves_only_ping_before_initialize() {
    block_on(async {
        let mut wire = Wire::open(server());
        wire.assert_silent().await;
        for method in ["tools/list", "tools/call", "no/such"] {
            let error = wire.request(method, json!({})).await["error"].take();
            assert_eq!(error["code"], -32602);
            let message = error["message"].as_str().unwrap();
            for word in ["initialize", "io.modelcontextprotocol/protocolVersion", "clientCapabilities", method] {
                assert!(message.contains(word), "{message}");
            }
        }
        assert_eq!(wire.initialize("2025-11-25".into()).await["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(wire.call("add", json!({ "a": 1, "b": 2 })).await["structuredContent"], json!({ "result": 3 }));
    });
}

#[test]
fn serves_requests_that_do_not_wait_for_the_handshake_to_end() {
    block_on(async {
        let mut wire = Wire::open(server());
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        let lines = [
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }),
            json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "add" } }),
        ];
        wire.send_line(&lines.each_ref().map(ToString::to_string).join("\n")).await;
        // The session is open before anything else is answered; what follows may be answered in any order.
        let mut answers = vec![wire.receive().await];
        assert_eq!(answers[0]["id"], 0);
        for _ in 1..lines.len() {
            answers.push(wire.receive().await);
        }
        answers.sort_by_key(|answer| answer["id"].as_u64());
        let results: Vec<_> = answers.iter().map(|answer| &answer["result"]).collect();
        assert_eq!(results[0]["protocolVersion"], "2025-11-25");
        assert!(results[1]["tools"].is_array() && results[2] == &json!({}), "{answers:?}");
        assert_eq!(results[3]["isError"], true);
    });
}

#[test]
fn reads_the_metadata_of_a_message_however_it_is_spelled() {
    block_on(async {
        let mut wire = Wire::open(server());
        let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let call = r#""method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}"#;
        let served = [
            format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":{meta}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_m\u0065ta":{meta}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"\u0078":1,{call},"_meta":{meta}}}}}"#),
        ];
        for line in &served {
            let result = wire.exchange(line).await["result"].take();
            assert_eq!((&result["resultType"], &result["structuredContent"]), (&json!("complete"), &json!(3)));
        }
        let refused = [
            (-32602, format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":7}}}}"#)),
            (-32602, format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":{meta},"_meta":{meta}}}}}"#)),
            (-32602, format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":{meta},"_m\u0065ta":{{}}}}}}"#)),
            (-32600, format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":{meta}}},"params":{{}}}}"#)),
            (-32600, format!(r#"{{"jsonrpc":"2.0","id":1,{call},"_meta":{meta}}},"p\u0061rams":{{}}}}"#)),
        ];
        for (code, line) in &refused {
            assert_eq!(wire.exchange(line).await["error"]["code"], *code, "{line}");
        }
    });
}

#[test]
fn refuses_a_second_initialize_and_keeps_the_session() {
    block_on(async {
        let mut wire = Wire::initialized(server(), "2025-06-18").await;
        assert_eq!(wire.initialize("2025-11-25".into()).await["error"]["code"], -32600);
        assert!(wire.request("tools/list", json!({})).await["result"]["tools"].is_array());
    });
}

#[test]
fn ignores_the_cancellation_of_initialize() {
    block_on(async {
        let mut wire = Wire::initialized(server(), "2025-11-25").await;
        wire.cancel("initialize").await;
        wire.assert_silent().await;
        // Nor does one help that comes in one piece with it.
        let mut wire = Wire::open(server());
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        let opening = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let cancelling = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 0 } });
        assert!(wire.exchange(&format!("{opening}\n{cancelling}")).await["result"].is_object());
        wire.assert_silent().await;
    });
}

#[test]
fn tells_what_it_is_without_a_handshake() {
    block_on(async {
        let response = Wire::open(server()).request("server/discover", modern(json!({}))).await;
        let expected = json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
            "capabilities": { "tools": {} },
            "instructions": "Be brief.",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {
                "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1.2.3", "title": "A test" },
            },
        });
        assert_eq!(response["result"], expected);
    });
}

#[test]
fn serves_each_modern_request_by_itself() {
    block_on(async {
        let mut wire = Wire::open(server());
        let list = wire.request("tools/list", modern(json!({}))).await["result"].take();
        assert_eq!(list["resultType"], "complete");
        assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(0), &json!("private")));
        assert_eq!(list["tools"][0]["name"], "add");
        let params = modern(json!({ "name": "add", "arguments": { "a": 2, "b": 3 } }));
        let result = wire.request("tools/call", params).await["result"].take();
        let expected = json!({
            "resultType": "complete",
            "content": [{ "type": "text", "text": "5" }],
            "structuredContent": 5,
            "_meta": {
                "io.modelcontextprotocol/serverInfo": { "name": "test", "version": "1.2.3", "title": "A test" },
            },
        });
        assert_eq!(result, expected);
    });
}

#[test]
fn refuses_modern_requests_that_lack_what_is_required() {
    block_on(async {
        let mut wire = Wire::open(server());
        for method in ["server/discover", "tools/list", "tools/call", "initialize"] {
            for (key, bad) in [
                ("io.modelcontextprotocol/protocolVersion", None),
                ("io.modelcontextprotocol/protocolVersion", Some(json!(7))),
                ("io.modelcontextprotocol/protocolVersion", Some(Value::Null)),
                ("io.modelcontextprotocol/clientCapabilities", None),
                ("io.modelcontextprotocol/clientCapabilities", Some(json!([]))),
            ] {
                let mut params = modern(json!({}));
                match bad {
                    Some(bad) => params["_meta"][key] = bad,
                    None => drop(params["_meta"].as_object_mut().unwrap().remove(key)),
                }
                let error = wire.request(method, params).await["error"].take();
                assert_eq!(error["code"], -32602);
                assert!(error["message"].as_str().is_some_and(|text| text.contains(key)), "{error}");
            }
        }
        for method in ["server/discover", "subscriptions/listen", "tasks/update"] {
            assert_eq!(wire.request(method, json!({})).await["error"]["code"], -32602);
        }
    });
}

#[test]
fn names_its_revisions_to_a_modern_request_in_another() {
    block_on(async {
        let mut wire = Wire::open(server());
        let supported = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
        for requested in ["2031-01-01", "", "2025-11-25"] {
            let mut params = modern(json!({}));
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = requested.into();
            for method in ["server/discover", "tools/list"] {
                let error = wire.request(method, params.clone()).await["error"].take();
                assert_eq!(error["code"], -32022);
                assert_eq!(error["data"], json!({ "supported": supported, "requested": requested }));
                let message = error["message"].as_str().expect("it says why");
                assert_eq!(message.contains("send `initialize`"), requested == "2025-11-25", "{message}");
            }
        }
        // No session was opened by the way.
        assert_eq!(wire.request("tools/list", json!({})).await["error"]["code"], -32602);
    });
}

#[test]
fn has_none_of_the_removed_methods_in_the_modern_era() {
    block_on(async {
        let mut wire = Wire::initialized(server(), "2025-11-25").await;
        for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
            assert_eq!(wire.request(method, modern(json!({}))).await["error"]["code"], -32601, "{method}");
        }
        wire.assert_silent().await;
    });
}

#[test]
fn serves_both_eras_on_one_connection() {
    block_on(async {
        let mut wire = Wire::open(server());
        let supported = wire.request("server/discover", modern(json!({}))).await["result"]["supportedVersions"].take();
        assert_eq!(supported[0], "2026-07-28");
        assert_eq!(wire.initialize("2025-03-26".into()).await["result"]["protocolVersion"], "2025-03-26");
        for _ in 0..2 {
            let params = json!({ "name": "add", "arguments": { "a": 2, "b": 3 } });
            let legacy = wire.request("tools/call", params.clone()).await["result"].take();
            assert_eq!(legacy, json!({ "content": [{ "type": "text", "text": "5" }] }));
            let modern = wire.request("tools/call", modern(params)).await["result"].take();
            assert_eq!(modern["structuredContent"], 5);
        }
    });
}
