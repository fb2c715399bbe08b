//! The headers that mirror the body of a modern request.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::{Server, Tool, tool, tools};
use serde_json::{Value, json};

use crate::support::{Request, Served, block_on, modern, modern_body, modern_call, serve};

/// Read something.
#[tool]
async fn read() -> &'static str {
    "read"
}

/// Route something.
#[tool]
async fn route(
    #[arg(header = "Region")] region: Option<String>,
    #[arg(header = "Shard")] shard: Option<u16>,
    #[arg(header = "Dry-Run")] dry_run: Option<bool>,
) -> String {
    format!("{region:?} {shard:?} {dry_run:?}")
}

async fn served() -> Served {
    serve(Server::new("t", "1").tools(tools![read, route])).await
}

fn call() -> Request {
    modern_call(1, "read", json!({}))
}

/// The status of the answer, and the code of its error.
async fn outcome(served: &Served, request: &Request) -> (u16, Value) {
    let response = served.send(request).await;
    let status = response.status;
    let body = response.json().await;
    assert_eq!(body["id"], 1, "{body}");
    (status, body["error"]["code"].clone())
}

fn mismatch() -> (u16, Value) {
    (400, json!(-32020))
}

fn ok() -> (u16, Value) {
    (200, Value::Null)
}

#[test]
fn asks_for_each_header_of_a_call() {
    block_on(async {
        let served = served().await;
        assert_eq!(outcome(&served, &call()).await, ok());
        for name in ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] {
            assert_eq!(outcome(&served, &call().without(name)).await, mismatch(), "{name}");
        }
    });
}

#[test]
fn refuses_headers_that_say_something_else_than_the_body() {
    block_on(async {
        let served = served().await;
        for (name, values) in [
            ("MCP-Protocol-Version", &["2025-11-25"][..]),
            ("Mcp-Method", &["tools/list", "TOOLS/CALL", "Tools/Call", "", "=?base64?dG9vbHMvY2FsbA==?="]),
            ("Mcp-Name", &["delete", "READ", "", "read,read", "r\u{e9}ad"]),
        ] {
            for value in values {
                assert_eq!(outcome(&served, &call().with(name, value)).await, mismatch(), "{name}: {value}");
            }
        }
    });
}

#[test]
fn refuses_a_header_that_is_there_twice() {
    block_on(async {
        let served = served().await;
        for (name, value) in [("Mcp-Method", "tools/call"), ("Mcp-Name", "read")] {
            assert_eq!(outcome(&served, &call().header(name, value)).await, mismatch(), "{name}");
        }
    });
}

#[test]
fn minds_neither_the_case_of_a_name_nor_space_around_a_value() {
    block_on(async {
        let served = served().await;
        let odd = call().without("Mcp-Method").header("mCP-mETHOD", "tools/call");
        assert_eq!(outcome(&served, &odd).await, ok());
        assert_eq!(outcome(&served, &call().with("Mcp-Name", "  read \t")).await, ok());
        assert_eq!(outcome(&served, &call().with("MCP-Protocol-Version", " 2026-07-28 ")).await, ok());
    });
}

#[test]
fn asks_for_the_method_of_every_request_and_for_a_name_of_calls_only() {
    block_on(async {
        let served = served().await;
        for method in ["server/discover", "tools/list"] {
            let request = modern(1, method, json!({}));
            assert_eq!(outcome(&served, &request).await, ok(), "{method}");
            assert_eq!(outcome(&served, &request.clone().header("Mcp-Name", "anything")).await, ok(), "{method}");
            assert_eq!(outcome(&served, &request.without("Mcp-Method")).await, mismatch(), "{method}");
        }
        let listen = modern(1, "subscriptions/listen", json!({ "notifications": {} }));
        assert_eq!(outcome(&served, &listen.without("Mcp-Method")).await, mismatch());
    });
}

#[test]
fn asks_for_no_headers_of_a_notification() {
    block_on(async {
        let served = served().await;
        let mut body = modern_body(1, "notifications/cancelled", json!({ "requestId": 9 }));
        body.as_object_mut().expect("it is an object").remove("id");
        assert_eq!(served.send(&Request::post(body.to_string())).await.status, 202);
    });
}

#[test]
fn compares_the_version_before_it_asks_whether_there_is_such_a_one() {
    block_on(async {
        let served = served().await;
        let mut body = modern_body(1, "tools/list", json!({}));
        body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031-01-01".into();
        let post = Request::post(body.to_string()).header("Mcp-Method", "tools/list");
        assert_eq!(outcome(&served, &post.clone().header("MCP-Protocol-Version", "2026-07-28")).await, mismatch());
        let both = post.header("MCP-Protocol-Version", "2031-01-01");
        assert_eq!(outcome(&served, &both).await, (400, json!(-32022)));
    });
}

#[test]
fn compares_the_method_before_it_asks_whether_there_is_such_a_one() {
    block_on(async {
        let served = served().await;
        let request = modern(1, "no/such", json!({}));
        assert_eq!(outcome(&served, &request).await, (404, json!(-32601)));
        assert_eq!(outcome(&served, &request.with("Mcp-Method", "tools/call")).await, mismatch());
    });
}

#[test]
fn compares_a_name_before_it_asks_whether_there_is_such_a_tool() {
    block_on(async {
        let served = served().await;
        let request = modern_call(1, "nobody", json!({}));
        assert_eq!(outcome(&served, &request).await, (200, json!(-32602)));
        assert_eq!(outcome(&served, &request.with("Mcp-Name", "read")).await, mismatch());
    });
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[tool]
async fn count_runs(#[arg(header = "Value")] value: Option<u8>) -> u8 {
    RUNS.fetch_add(1, Ordering::Relaxed);
    value.unwrap_or_default()
}

#[test]
fn runs_no_tool_whose_headers_differ() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![count_runs])).await;
        let call = modern_call(1, "count_runs", json!({ "value": 1 }));
        assert_eq!(outcome(&served, &call).await, mismatch());
        assert_eq!(outcome(&served, &call.clone().header("Mcp-Param-Value", "2")).await, mismatch());
        assert_eq!(outcome(&served, &call.clone().with("Mcp-Name", "read")).await, mismatch());
        assert_eq!(RUNS.load(Ordering::Relaxed), 0);
        assert_eq!(outcome(&served, &call.header("Mcp-Param-Value", "1")).await, ok());
        assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn reads_names_in_base64() {
    block_on(async {
        let served = served().await;
        for (value, expected) in [
            ("=?base64?cmVhZA==?=", ok()),
            // Without its padding, with a character that is none, and of other bytes than UTF-8.
            ("=?base64?cmVhZA?=", mismatch()),
            ("=?base64?cmVh*A==?=", mismatch()),
            ("=?base64?cmVh/w==?=", mismatch()),
            // What is not marked exactly is what it is.
            ("=?BASE64?cmVhZA==?=", mismatch()),
            ("=?base64?cmVhZA==", mismatch()),
            ("cmVhZA==", mismatch()),
        ] {
            assert_eq!(outcome(&served, &call().with("Mcp-Name", value)).await, expected, "{value}");
        }
    });
}

#[test]
fn compares_the_arguments_that_a_tool_wants_to_have_mirrored() {
    block_on(async {
        let served = served().await;
        let (region, shard, dry_run) = ("Mcp-Param-Region", "Mcp-Param-Shard", "Mcp-Param-Dry-Run");
        for (arguments, headers, expected) in [
            (json!({}), &[][..], ok()),
            (json!({ "region": null, "shard": null }), &[], ok()),
            (json!({ "region": "eu-1" }), &[(region, "eu-1")], ok()),
            (json!({ "region": "eu-1" }), &[("mcp-param-REGION", " eu-1 ")], ok()),
            (json!({ "region": "" }), &[(region, "")], ok()),
            (json!({ "region": "grüße" }), &[(region, "=?base64?Z3LDvMOfZQ==?=")], ok()),
            (json!({ "shard": 42 }), &[(shard, "42.0")], ok()),
            (json!({ "dry_run": true }), &[(dry_run, "true")], ok()),
            (json!({ "region": "a", "shard": 1 }), &[(shard, "1"), (region, "a")], ok()),
            (json!({ "region": "eu-1" }), &[(region, "eu-1"), ("Mcp-Param-Foo", "x")], ok()),
            (json!({ "region": "eu-1" }), &[], mismatch()),
            (json!({ "region": "" }), &[], mismatch()),
            (json!({ "region": "eu-1" }), &[(region, "EU-1")], mismatch()),
            (json!({ "region": "eu-1" }), &[(region, "eu-1"), (region, "eu-1")], mismatch()),
            (json!({ "region": "grüße" }), &[(region, "grüße")], mismatch()),
            (json!({}), &[(region, "eu-1")], mismatch()),
            (json!({ "region": null }), &[(region, "null")], mismatch()),
            (json!({ "shard": 42 }), &[(shard, "43")], mismatch()),
            (json!({ "dry_run": true }), &[(dry_run, "True")], mismatch()),
            (json!({ "region": "a", "shard": 1 }), &[(region, "a")], mismatch()),
        ] {
            let call = modern_call(1, "route", arguments.clone());
            let call = headers.iter().fold(call, |call, (name, value)| call.header(name, value));
            assert_eq!(outcome(&served, &call).await, expected, "{arguments} {headers:?}");
        }
    });
}

#[test]
fn compares_no_headers_in_the_legacy_era() {
    block_on(async {
        let served = served().await;
        let session = served.session("2025-11-25").await;
        let call = session.call(1, "route", json!({ "region": "eu-1" }));
        let call = call.header("Mcp-Method", "x").header("Mcp-Name", "y").header("Mcp-Param-Region", "z");
        assert_eq!(outcome(&served, &call).await, ok());
    });
}

#[test]
fn does_not_start_with_a_header_that_no_client_could_send() {
    block_on(async {
        let tool = |header: &str, ty: &str| {
            let schema = json!({ "type": "object", "properties": { "a": { "type": ty, "x-mcp-header": header } } });
            let tool = Tool::builder("tool").input_schema(schema);
            tool.handler(|_: Value, _| async { Ok::<_, String>("") })
        };
        for (header, ty) in [("My Region", "string"), ("", "string"), ("Share", "number"), ("List", "array")] {
            let started = Server::new("t", "1").tools([tool(header, ty)]).into_service().await;
            assert!(started.is_err(), "{header} {ty}");
        }
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": "string", "x-mcp-header": "Region" },
                "b": { "type": "string", "x-mcp-header": "REGION" },
            },
        });
        let twice = Tool::builder("tool").input_schema(schema).handler(|_: Value, _| async { Ok::<_, String>("") });
        assert!(Server::new("t", "1").tools([twice]).into_service().await.is_err());
        assert!(Server::new("t", "1").tools([tool("Region", "string")]).into_service().await.is_ok());
    });
}
