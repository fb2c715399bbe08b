//! JSON-RPC as it stands on the wire: ids, shapes, and lines that are no messages.

#![allow(clippy::needless_pass_by_value, reason = "the helpers take what is written in place")]

mod common;

use std::convert::Infallible;

use common::memory::{Wire, block_on, modern};
use mcp_runtime::{Context, Server, Tool, tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Return the text unchanged.
#[tool]
fn say(text: String) -> String {
    text
}

fn server() -> Server {
    Server::new("test", "1.0.0").tools(tools![say])
}

/// A session in the revision that most tests use.
async fn session() -> Wire {
    Wire::initialized(server(), "2025-11-25").await
}

/// The code of an error response that must have the given id, or none.
fn code(response: &Value, id: Option<Value>) -> i64 {
    assert_eq!(response["jsonrpc"], "2.0");
    assert_eq!(response.get("id"), id.as_ref(), "{response}");
    assert_eq!(response.get("result"), None, "{response}");
    assert!(response["error"]["message"].is_string(), "{response}");
    response["error"]["code"].as_i64().expect("an error has a code")
}

#[test]
fn echoes_ids_exactly() {
    block_on(async {
        let mut wire = session().await;
        for id in [
            r#""req-1""#,
            r#""7""#,
            "7",
            "0",
            "-5",
            r#""""#,
            "9007199254740993",
            "18446744073709551615",
            "123456789012345678901234567890",
            r#""\u00fc\"\\""#,
        ] {
            wire.send_line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
            assert_eq!(wire.receive_line().await, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        }
        for (length, is_echoed) in [(600, true), (1022, true), (1023, false)] {
            let long = "x".repeat(length);
            let response = wire.exchange(&json!({ "jsonrpc": "2.0", "id": long, "method": "ping" }).to_string()).await;
            assert_eq!(response.get("id").is_some_and(|id| *id == long), is_echoed, "{length}");
            assert_eq!(response.get("error").is_some(), !is_echoed);
        }
    });
}

#[test]
fn refuses_ids_that_are_neither_strings_nor_integers() {
    block_on(async {
        let mut wire = session().await;
        for id in ["null", "true", "1.5", "1.0", "1e3", "[1]", "{}"] {
            let response = wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
            assert_eq!(code(&response, None), -32600, "{id}");
        }
        for method in ["tools/list", "notifications/initialized"] {
            let response = wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{method}"}}"#)).await;
            assert_eq!(code(&response, None), -32600, "{method}");
        }
        wire.assert_silent().await;
    });
}

#[test]
fn tells_a_number_from_the_string_that_looks_like_it() {
    static GATE: Notify = Notify::const_new();
    block_on(async {
        let wait = Tool::builder("wait").input_schema(json!({ "type": "object" }));
        let wait = wait.handler(|_: Value, ctx: Context| async move {
            GATE.notified().await;
            Ok::<_, Infallible>(ctx.request_id().to_string())
        });
        let mut wire = Wire::initialized(Server::new("t", "1").tools([wait]), "2025-11-25").await;
        for id in [json!(1), json!("1")] {
            wire.send_call(id, "wait", json!({})).await;
        }
        wire.assert_silent().await;
        let mut answers = Vec::new();
        for _ in 0..2 {
            GATE.notify_one();
            let answer = wire.receive().await;
            assert_eq!(answer["result"]["content"][0]["text"], answer["id"].to_string());
            answers.push(answer["id"].to_string());
        }
        answers.sort_unstable();
        assert_eq!(answers, ["\"1\"", "1"]);
    });
}

#[test]
fn answers_malformed_lines_and_continues() {
    block_on(async {
        let mut wire = session().await;
        for line in [
            r#"{"jsonrpc":"2.0","id":2,"method":"#,
            "hello",
            "{{{{",
            "[",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"ping"} x"#,
            r#"{"jsonrpc":"2.0","#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"#,
            r#""id":4,"method":"ping"}"#,
            "5 x",
            "null,",
        ] {
            let response = wire.exchange(line).await;
            assert_eq!(code(&response, None), -32700, "{line}");
        }
        wire.assert_silent().await;
    });
}

#[test]
fn refuses_a_member_that_is_there_twice_under_the_id_of_the_request() {
    block_on(async {
        let mut wire = session().await;
        for (id, member, line) in [
            (Some(5), "params", r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{},"params":{}}"#),
            (Some(5), "params", r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":null,"p\u0061rams":{}}"#),
            (Some(5), "method", r#"{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}"#),
            (Some(5), "jsonrpc", r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":5,"method":"ping"}"#),
            (None, "id", r#"{"jsonrpc":"2.0","id":5,"method":"ping","id":5}"#),
            (None, "method", r#"{"jsonrpc":"2.0","method":"ping","method":"ping"}"#),
        ] {
            let response = wire.exchange(line).await;
            assert_eq!(code(&response, id.map(Value::from)), -32600, "{line}");
            assert_eq!(response["error"]["message"], format!("`{member}` must not be there twice"));
        }
        // An answer is never answered, whatever is wrong with it.
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"},"error":1}"#,
            r#"{"id":1,"id":2,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"\ud800":1}"#,
        ] {
            wire.send_line(line).await;
        }
        wire.assert_silent().await;
    });
}

#[test]
fn passes_over_a_key_that_is_no_string_of_characters() {
    block_on(async {
        let mut wire = session().await;
        let response = wire.exchange(r#"{"jsonrpc":"2.0","id":6,"method":"ping","\ud800":{}}"#).await;
        assert_eq!((&response["id"], &response["result"]), (&json!(6), &json!({})));
    });
}

#[test]
fn answers_invalid_utf_8_and_continues() {
    block_on(async {
        let mut wire = session().await;
        let start = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":""#;
        for bad in [&b"\xFF"[..], b"\xC0\x80", b"\xED\xA0\x80", b"\xE2\x82"] {
            // With the rest of the call behind it, and at the end of the line.
            for rest in [&br#""}}}"#[..], b""] {
                wire.send_bytes(&[start, bad, rest, b"\n"].concat()).await;
                assert_eq!(code(&wire.receive().await, None), -32700);
            }
        }
        wire.assert_silent().await;
    });
}

#[test]
fn answers_json_that_is_no_request_with_its_id_if_there_is_one() {
    block_on(async {
        let mut wire = session().await;
        for (line, id) in [
            (r#"{"id":5}"#, Some(json!(5))),
            (r#"{"jsonrpc":"2.0","id":5}"#, Some(json!(5))),
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, Some(json!(5))),
            (r#"{"id":"a","method":"ping"}"#, Some(json!("a"))),
            (r#"{"jsonrpc":"2.0","id":5,"method":7}"#, Some(json!(5))),
            (r#"{"jsonrpc":"2.0","method":7}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, None),
            ("7", None),
            ("null", None),
            (r#""ping""#, None),
            ("[]", None),
            (r#"["2.0",7,"ping",null]"#, None),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, None),
        ] {
            let response = wire.exchange(line).await;
            assert_eq!(code(&response, id), -32600, "{line}");
        }
        wire.assert_silent().await;
    });
}

#[test]
fn never_answers_notifications() {
    block_on(async {
        let mut wire = session().await;
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/from/the/future","params":{"x":1}}"#,
            r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":"oops"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        ] {
            wire.send_line(line).await;
            wire.assert_silent().await;
        }
    });
}

#[test]
fn drops_responses_to_no_request() {
    block_on(async {
        let mut wire = session().await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#).await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":99,"error":{"code":-32601,"message":"no"}}"#).await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":99,"error":7}"#).await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":99,"result":{},"error":{"code":1,"message":"x"}}"#).await;
        // As a peer sends it that could not read what we sent.
        wire.send_line(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}"#).await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#).await;
        wire.assert_silent().await;
    });
}

#[test]
fn skips_blank_lines_and_takes_every_line_end() {
    block_on(async {
        let mut wire = session().await;
        wire.send_bytes(b"\n\n  \n\r\n\t\n").await;
        wire.send_bytes(b"\xEF\xBB\xBF \t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\t \r\r\n").await;
        assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
        let text = "raw \u{85}\u{2028}\u{2029} and escaped \r\n";
        assert_eq!(wire.call("say", json!({ "text": text })).await["content"][0]["text"], text);
        wire.assert_silent().await;
    });
}

#[test]
fn passes_over_a_byte_order_mark_at_the_start_of_any_line() {
    let ping = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let input = format!("{ping}{ping}\u{feff}\n{}", &ping["\u{feff}".len()..]);
    for piece_bytes in [1, 2, input.len()] {
        block_on(async {
            let mut wire = Wire::open(server());
            for piece in input.as_bytes().chunks(piece_bytes) {
                wire.send_bytes(piece).await;
            }
            for _ in 0..3 {
                assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
            }
            wire.assert_silent().await;
        });
    }
}

#[test]
fn tells_a_client_that_writes_utf_16_to_write_utf_8() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    block_on(async {
        for mark in ["\u{feff}", ""] {
            let text = format!("{mark}{ping}\n{ping}\n");
            for bytes in [little(&text), big(&text)] {
                let mut wire = Wire::open(server());
                wire.send_bytes(&bytes).await;
                // A line each, and what stands behind the newline of the last one.
                for error in [wire.receive().await, wire.receive().await] {
                    assert_eq!(code(&error, None), -32700);
                    let message = error["error"]["message"].as_str().unwrap();
                    assert!(message.ends_with("; it seems to be UTF-16, and has to be UTF-8"), "{message}");
                }
                assert!(wire.finish().await.len() <= 1);
            }
        }
    });
}

#[test]
fn answers_with_either_a_result_or_an_error() {
    block_on(async {
        for session in [Some("2024-11-05"), Some("2025-03-26"), Some("2025-06-18"), Some("2025-11-25"), None] {
            let mut wire = match session {
                Some(revision) => Wire::initialized(server(), revision).await,
                None => Wire::open(server()),
            };
            for (method, params) in [
                ("ping", json!({})),
                ("tools/list", json!({})),
                ("tools/list", json!({ "cursor": "none" })),
                ("tools/call", json!({ "name": "say", "arguments": { "text": "a" } })),
                ("tools/call", json!({ "name": "say" })),
                ("tools/call", json!({ "name": "none" })),
                ("tools/call", json!({})),
                ("initialize", json!({})),
                ("server/discover", json!({})),
                ("subscriptions/listen", json!({})),
                ("logging/setLevel", json!({ "level": "warning" })),
                ("resources/list", json!({})),
                ("no/such", json!({})),
            ] {
                let params = if session.is_none() { modern(params) } else { params };
                let response = wire.request(method, params).await;
                let members: Vec<_> = response.as_object().unwrap().keys().map(String::as_str).collect();
                if let Some(error) = response.get("error") {
                    assert_eq!(members, ["jsonrpc", "id", "error"], "{response}");
                    let known = [-32600, -32601, -32602].map(Value::from);
                    assert!(known.contains(&error["code"]) && error["message"].is_string(), "{response}");
                    assert!(error.get("data").is_none_or(|data| !data.is_null()), "{response}");
                } else {
                    assert_eq!(members, ["jsonrpc", "id", "result"], "{response}");
                    let result = response["result"].as_object().unwrap_or_else(|| panic!("{response}"));
                    assert_eq!(result.get("resultType").is_some(), session.is_none(), "{response}");
                    let is_cacheable = session.is_none() && method != "tools/call";
                    assert_eq!(result.contains_key("ttlMs"), is_cacheable, "{response}");
                    assert_eq!(result.contains_key("cacheScope"), is_cacheable, "{response}");
                }
            }
        }
    });
}

#[test]
fn answers_unknown_methods_whatever_their_params() {
    block_on(async {
        let mut wire = session().await;
        for method in ["tools/lists", "TOOLS/LIST", "rpc.discover", "", "resources/list", "prompts/get"] {
            let response = wire.request(method, json!({ "a": [1] })).await;
            assert_eq!(code(&response, Some(json!(method))), -32601, "{method}");
            let response = wire.request(method, modern(json!({ "a": [1] }))).await;
            assert_eq!(code(&response, Some(json!(method))), -32601, "{method}");
        }
        wire.assert_silent().await;
    });
}

#[test]
fn has_no_tool_methods_without_tools() {
    block_on(async {
        let mut wire = Wire::open(Server::new("empty", "1.0.0"));
        let response = wire.initialize("2025-11-25".into()).await;
        assert_eq!(response["result"]["capabilities"], json!({}));
        for method in ["tools/list", "tools/call"] {
            assert_eq!(code(&wire.request(method, json!({})).await, Some(json!(method))), -32601);
            assert_eq!(code(&wire.request(method, modern(json!({}))).await, Some(json!(method))), -32601);
        }
    });
}

#[test]
fn takes_missing_and_null_params_where_none_are_needed() {
    block_on(async {
        let mut wire = session().await;
        for params in ["", r#","params":null"#, r#","params":{}"#, r#","params":{"cursor":null}"#] {
            let response = wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"{params}}}"#)).await;
            assert_eq!(response["result"]["tools"][0]["name"], "say", "{params}");
        }
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":7}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        ] {
            assert_eq!(code(&wire.exchange(line).await, Some(json!(1))), -32602, "{line}");
        }
    });
}

#[test]
fn tolerates_members_it_does_not_know() {
    block_on(async {
        let mut wire = session().await;
        let response = wire
            .exchange(r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{}},"traceparent":"00-1-1-00"}"#)
            .await;
        assert_eq!(response["result"], json!({}));
        let params = json!({ "_meta": { "progressToken": 5, "example.org/x": { "y": [1] } }, "more": true });
        assert!(wire.request("tools/list", params).await["result"]["tools"].is_array());
        let params = json!({ "name": "say", "arguments": { "text": "a" }, "task": { "ttl": 1 } });
        assert_eq!(wire.request("tools/call", params).await["result"]["content"][0]["text"], "a");
    });
}

#[test]
fn answers_a_last_line_without_a_newline() {
    block_on(async {
        let mut wire = session().await;
        wire.send_bytes(br#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#).await;
        assert_eq!(wire.finish().await, [json!({ "jsonrpc": "2.0", "id": "last", "result": {} })]);
    });
}
