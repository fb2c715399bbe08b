//! Resources and templates: how they are listed, found and read, in every revision.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the handlers have the shapes that are tested"
)]

mod common;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::memory::{LEGACY, Wire, block_on, modern, session, start_error};
use mcp_runtime::{
    Annotations, CacheScope, Context, Icon, ResourceContents, ResourceDef, Role, Server, ServerResource, State,
    ToolError, limits, prompt, resource, resources, tool, toolset,
};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

fn meta() -> Value {
    json!({ "example.com/kind": "rules" })
}

/// The rules of the shop.
#[resource(
    "shop://rules",
    title = "Rules",
    mime_type = "text/markdown",
    size = 7,
    priority = 0.5,
    audience = "user",
    audience = "assistant",
    last_modified = "2026-01-12T15:00:58Z",
    ttl = 60,
    cache_scope = "public",
    icon(src = "https://example.com/rules.png", mime_type = "image/png", sizes = "48x48 96x96", theme = "dark"),
    meta = meta()
)]
fn rules() -> &'static str {
    "# Rules"
}

/// What was ordered.
#[resource("shop://orders/{id}{?first,note}", title = "Order", size = 9, meta = meta())]
fn order(id: u32, first: Option<usize>, #[arg(default = "none".to_owned())] note: String) -> String {
    format!("{id} {first:?} {note}")
}

/// A file.
#[resource("file:///{+path}")]
fn file(path: &str, ctx: &Context) -> String {
    format!("{path} of {:?}", ctx.resource_uri())
}

fn shop() -> Server {
    Server::new("shop", "1").resources(resources![rules, order, file])
}

fn with<const N: usize>(resources: [ResourceDef; N]) -> Server {
    Server::new("t", "1").resources(resources)
}

/// The result of reading a URI in the session.
async fn read(wire: &mut Wire, uri: &str) -> Value {
    let mut response = wire.request("resources/read", json!({ "uri": uri })).await;
    assert_eq!(response.get("error"), None, "{response}");
    response["result"].take()
}

/// The text of the only contents of a resource.
async fn text(wire: &mut Wire, uri: &str) -> String {
    let result = read(wire, uri).await;
    assert_eq!(result["contents"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(result["contents"][0]["uri"], uri);
    result["contents"][0]["text"].as_str().expect("it is a text").to_owned()
}

/// The error of reading a URI in the session.
async fn error(wire: &mut Wire, uri: &str) -> Value {
    wire.request("resources/read", json!({ "uri": uri })).await["error"].take()
}

/// The contents of the only resource of a server, of whatever URI.
async fn contents(server: Server, uri: &str) -> Value {
    read(&mut session(server).await, uri).await["contents"].take()
}

mod lists {
    use super::*;

    /// The only entry of a list.
    async fn listed(server: Server, method: &str, member: &str, revision: &str) -> Value {
        let mut wire = Wire::initialized(server, revision).await;
        let result = wire.request(method, json!({})).await["result"].take();
        assert_eq!(result.as_object().map(Map::len), Some(1), "{result}");
        result[member][0].clone()
    }

    #[test]
    fn lists_a_resource_with_what_each_revision_has() {
        block_on(async {
            let mut expected = json!({
                "uri": "shop://rules",
                "name": "rules",
                "description": "The rules of the shop.",
                "mimeType": "text/markdown",
                "size": 7,
                "annotations": { "audience": ["user", "assistant"], "priority": 0.5 },
            });
            for revision in LEGACY {
                if revision == "2025-06-18" {
                    expected["title"] = "Rules".into();
                    expected["_meta"] = meta();
                    expected["annotations"]["lastModified"] = "2026-01-12T15:00:58Z".into();
                }
                if revision == "2025-11-25" {
                    let sizes = ["48x48", "96x96"];
                    let src = "https://example.com/rules.png";
                    expected["icons"] =
                        json!([{ "src": src, "mimeType": "image/png", "sizes": sizes, "theme": "dark" }]);
                }
                let listed = listed(shop(), "resources/list", "resources", revision).await;
                assert_eq!(listed, expected, "{revision}");
            }
            let mut wire = Wire::open(shop());
            let result = wire.request("resources/list", modern(json!({}))).await["result"].take();
            assert_eq!(result["resources"], json!([expected]));
        });
    }

    #[test]
    fn lists_a_template_with_what_each_revision_has() {
        block_on(async {
            let server = || Server::new("t", "1").resources(resources![order]);
            let mut expected = json!({
                "uriTemplate": "shop://orders/{id}{?first,note}",
                "name": "order",
                "description": "What was ordered.",
            });
            for revision in LEGACY {
                if revision == "2025-06-18" {
                    expected["title"] = "Order".into();
                    expected["_meta"] = meta();
                }
                let method = "resources/templates/list";
                assert_eq!(listed(server(), method, "resourceTemplates", revision).await, expected, "{revision}");
            }
        });
    }

    #[test]
    fn keeps_resources_and_templates_apart() {
        block_on(async {
            let mut wire = session(shop()).await;
            let resources = wire.request("resources/list", json!({})).await["result"]["resources"].take();
            assert_eq!(resources.as_array().map(Vec::len), Some(1), "{resources}");
            let templates = wire.request("resources/templates/list", json!({})).await["result"].take();
            let names: Vec<_> = templates["resourceTemplates"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
            assert_eq!(names, ["order", "file"]);
        });
    }

    #[test]
    fn offers_both_lists_where_there_is_one_of_either() {
        block_on(async {
            for server in [Server::new("t", "1").resources(resources![rules]), one_template()] {
                let mut wire = Wire::open(server);
                let capabilities = wire.initialize("2025-11-25".into()).await["result"]["capabilities"].take();
                assert_eq!(capabilities, json!({ "resources": {} }));
                for method in ["resources/list", "resources/templates/list"] {
                    assert_eq!(wire.request(method, json!({})).await.get("error"), None);
                }
            }
        });
    }

    fn one_template() -> Server {
        Server::new("t", "1").resources(resources![order])
    }

    #[test]
    fn has_no_such_methods_without_resources() {
        block_on(async {
            let mut wire = session(Server::new("t", "1")).await;
            for method in ["resources/list", "resources/templates/list", "resources/read", "resources/subscribe"] {
                let response = wire.request(method, json!({ "uri": "shop://rules" })).await;
                assert_eq!(response["error"]["code"], -32601, "{method}");
            }
        });
    }

    #[test]
    fn says_how_long_each_result_may_be_kept() {
        block_on(async {
            let server = shop().cache_lists(Duration::from_secs(5), CacheScope::Public);
            let mut wire = Wire::open(server);
            for (method, params, expected) in [
                ("resources/list", json!({}), (5000, "public")),
                ("resources/templates/list", json!({}), (5000, "public")),
                ("server/discover", json!({}), (5000, "public")),
                ("resources/read", json!({ "uri": "shop://rules" }), (60_000, "public")),
                ("resources/read", json!({ "uri": "shop://orders/1" }), (0, "private")),
            ] {
                let result = wire.request(method, modern(params)).await["result"].take();
                let hint = (result["ttlMs"].as_i64().unwrap(), result["cacheScope"].as_str().unwrap());
                assert_eq!((hint, &result["resultType"]), (expected, &json!("complete")), "{method}");
            }
        });
    }

    #[test]
    fn says_nothing_of_keeping_results_in_sessions() {
        block_on(async {
            for revision in LEGACY {
                let mut wire = Wire::initialized(shop(), revision).await;
                let result = read(&mut wire, "shop://rules").await;
                let contents = json!([{ "uri": "shop://rules", "mimeType": "text/markdown", "text": "# Rules" }]);
                assert_eq!(result, json!({ "contents": contents }));
            }
        });
    }
}

mod finding {
    use super::*;

    /// Any page.
    #[resource("shop://{page}")]
    fn page(page: &str) -> String {
        format!("page {page}")
    }

    #[test]
    fn prefers_the_resource_with_the_uri_to_a_template_before_it() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").resources(resources![page, rules])).await;
            assert_eq!(text(&mut wire, "shop://rules").await, "# Rules");
            assert_eq!(text(&mut wire, "shop://rule").await, "page rule");
        });
    }

    /// A number.
    #[resource("n://{number}")]
    fn number(number: u32) -> String {
        format!("number {number}")
    }

    /// A word.
    #[resource("n://{word}")]
    fn word(word: &str) -> String {
        format!("word {word}")
    }

    /// All words.
    #[resource("n://{+words}")]
    fn all(words: &str) -> String {
        format!("words {words}")
    }

    #[test]
    fn takes_the_first_of_two_templates_whether_or_not_its_types_fit() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").resources(resources![number, all])).await;
            assert_eq!(text(&mut wire, "n://7").await, "number 7");
            assert_eq!(error(&mut wire, "n://abc").await["code"], -32602);
            let mut wire = session(Server::new("t", "1").resources(resources![all, number])).await;
            assert_eq!(text(&mut wire, "n://7").await, "words 7");
        });
    }

    #[test]
    fn decodes_variables() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").resources(resources![word])).await;
            for (uri, value) in [
                ("n://a%20b", "a b"),
                ("n://%2e%2E%2fetc", "../etc"),
                ("n://%C3%A9", "é"),
                ("n://%25", "%"),
                ("n://a+b", "a+b"),
                ("n://12", "12"),
                ("n://null", "null"),
                ("n://%22a%22", "\"a\""),
                ("n://%00", "\0"),
            ] {
                assert_eq!(text(&mut wire, uri).await, format!("word {value}"), "{uri}");
            }
        });
    }

    #[test]
    fn takes_what_is_no_uri_of_a_template_for_no_resource() {
        block_on(async {
            let mut wire = session(shop()).await;
            for uri in [
                "shop://orders/%FF",
                "shop://orders/%E9",
                "shop://orders/%zz",
                "shop://orders/1%",
                "shop://orders/",
                "shop://orders/1/2",
                "shop://orders/1?other=2",
                "shop://orders/1?first=1&first=2",
                "SHOP://rules",
                "shop://rules ",
                "shop://rules#top",
                "shop://",
                "rules",
                "",
            ] {
                let error = error(&mut wire, uri).await;
                assert_eq!((&error["code"], &error["data"]), (&json!(-32002), &json!({ "uri": uri })), "{uri}");
            }
        });
    }

    #[test]
    fn gives_a_reserved_variable_the_rest_and_the_context_the_uri() {
        block_on(async {
            let mut wire = session(shop()).await;
            for (uri, path) in
                [("file:///etc/passwd", "etc/passwd"), ("file:///../a", "../a"), ("file:///a%2Fb?c#d", "a/b?c#d")]
            {
                assert_eq!(text(&mut wire, uri).await, format!("{path} of Some({uri:?})"));
            }
        });
    }

    #[test]
    fn reads_query_members_in_any_order_and_where_they_are_missing() {
        block_on(async {
            let mut wire = session(shop()).await;
            for (uri, expected) in [
                ("shop://orders/1", "1 None none"),
                ("shop://orders/1?first=2", "1 Some(2) none"),
                ("shop://orders/1?note=a%26b&first=3", "1 Some(3) a&b"),
                ("shop://orders/1?note=", "1 None "),
                ("shop://orders/%31", "1 None none"),
            ] {
                assert_eq!(text(&mut wire, uri).await, expected, "{uri}");
            }
        });
    }

    #[test]
    fn refuses_variables_that_their_types_cannot_be_read_from() {
        block_on(async {
            let uri = "shop://orders/abc?first=-1";
            let expected = json!({
                "code": -32602,
                "message": "the variables of `shop://orders/{id}{?first,note}` do not fit: \
                    `id`: expected integer from 0 to 4294967295, got string \"abc\"; \
                    `first`: expected integer of at least 0, got -1",
                "data": { "uri": uri },
            });
            for revision in LEGACY {
                let mut wire = Wire::initialized(shop(), revision).await;
                assert_eq!(error(&mut wire, uri).await, expected, "{revision}");
            }
            let mut wire = Wire::open(shop());
            let response = wire.request("resources/read", modern(json!({ "uri": uri }))).await;
            assert_eq!(response["error"], expected);
        });
    }

    #[test]
    fn tells_what_is_not_there_by_the_code_of_the_revision() {
        block_on(async {
            let uri = "shop://none";
            let expected = |code: i32| json!({ "code": code, "message": format!("resource not found: {uri}"), "data": { "uri": uri } });
            for revision in LEGACY {
                let mut wire = Wire::initialized(shop(), revision).await;
                assert_eq!(error(&mut wire, uri).await, expected(-32002), "{revision}");
            }
            let mut wire = Wire::open(shop());
            let response = wire.request("resources/read", modern(json!({ "uri": uri }))).await;
            assert_eq!(response["error"], expected(-32602));
        });
    }

    #[test]
    fn knows_no_resource_of_a_uri_beyond_the_limit() {
        block_on(async {
            let mut wire = session(shop()).await;
            let longest = format!("file:///{}", "a".repeat(limits::MAX_URI_BYTES - "file:///".len()));
            let read = wire.request("resources/read", json!({ "uri": longest })).await;
            assert_eq!(read["result"]["contents"][0]["uri"], longest);
            let error = error(&mut wire, &format!("{longest}a")).await;
            assert_eq!(error["code"], -32002);
        });
    }

    #[test]
    fn refuses_to_read_without_a_uri() {
        block_on(async {
            let mut wire = session(shop()).await;
            for params in [json!({}), json!({ "uri": null }), json!({ "uri": 1 }), json!({ "uri": ["shop://rules"] })] {
                let error = wire.request("resources/read", params.clone()).await["error"].take();
                assert_eq!(error["code"], -32602, "{params}");
            }
        });
    }
}

mod outputs {
    use super::*;

    #[derive(serde::Serialize)]
    struct Order {
        id: u32,
        items: Vec<String>,
    }

    #[resource("o://string")]
    fn string() -> String {
        "a\nb".to_owned()
    }

    #[resource("o://cow")]
    fn cow() -> Cow<'static, str> {
        "cow".into()
    }

    #[resource("o://bytes")]
    fn bytes() -> Vec<u8> {
        vec![0, 255, 254]
    }

    #[resource("o://png", mime_type = "image/png")]
    fn png() -> &'static [u8] {
        &[1, 2, 3]
    }

    #[resource("o://array")]
    fn array() -> [u8; 3] {
        [0, 255, 254]
    }

    #[resource("o://literal", mime_type = "image/png")]
    fn literal() -> Option<&'static [u8; 4]> {
        Some(b"\x89PNG")
    }

    #[resource("o://json")]
    fn json_value() -> Order {
        Order { id: 1, items: vec!["lamp".to_owned()] }
    }

    #[resource("o://many", mime_type = "text/plain")]
    fn many() -> Vec<ResourceContents> {
        let meta = Map::from_iter([("k".to_owned(), json!(1))]);
        vec![
            ResourceContents::text("", "own"),
            ResourceContents::blob("o://many/2", [1]).mime_type("image/gif").meta(meta),
        ]
    }

    #[resource("o://none")]
    fn nothing() -> Vec<ResourceContents> {
        Vec::new()
    }

    #[test]
    fn sends_each_output_as_what_it_is() {
        block_on(async {
            for (server, uri, expected) in [
                (with(resources![string]), "o://string", json!({ "mimeType": "text/plain", "text": "a\nb" })),
                (with(resources![cow]), "o://cow", json!({ "mimeType": "text/plain", "text": "cow" })),
                (
                    with(resources![bytes]),
                    "o://bytes",
                    json!({ "mimeType": "application/octet-stream", "blob": "AP/+" }),
                ),
                (with(resources![png]), "o://png", json!({ "mimeType": "image/png", "blob": "AQID" })),
                (
                    with(resources![array]),
                    "o://array",
                    json!({ "mimeType": "application/octet-stream", "blob": "AP/+" }),
                ),
                (with(resources![literal]), "o://literal", json!({ "mimeType": "image/png", "blob": "iVBORw==" })),
                (
                    with(resources![json_value]),
                    "o://json",
                    json!({ "mimeType": "application/json", "text": r#"{"id":1,"items":["lamp"]}"# }),
                ),
            ] {
                let mut expected = expected;
                expected["uri"] = uri.into();
                assert_eq!(contents(server, uri).await, json!([expected]));
            }
        });
    }

    #[test]
    fn sends_several_contents_and_drops_their_meta_where_there_is_none() {
        block_on(async {
            for revision in LEGACY {
                let mut wire = Wire::initialized(with(resources![many]), revision).await;
                let mut second = json!({ "uri": "o://many/2", "mimeType": "image/gif", "blob": "AQ==" });
                if revision >= "2025-06-18" {
                    second["_meta"] = json!({ "k": 1 });
                }
                let first = json!({ "uri": "o://many", "mimeType": "text/plain", "text": "own" });
                assert_eq!(read(&mut wire, "o://many").await["contents"], json!([first, second]), "{revision}");
            }
        });
    }

    #[test]
    fn sends_no_contents_where_a_resource_has_none() {
        block_on(async {
            assert_eq!(contents(with(resources![nothing]), "o://none").await, json!([]));
        });
    }

    #[resource("o://maybe/{kind}")]
    fn maybe(kind: &str) -> Option<String> {
        (kind == "some").then(|| "here".to_owned())
    }

    #[resource("o://maybe-bytes/{kind}")]
    fn maybe_bytes(kind: &str) -> Result<Option<Vec<u8>>, std::num::ParseIntError> {
        Ok(if kind == "some" { Some(vec!["1".parse()?]) } else { None })
    }

    #[resource("o://maybe-order/{kind}")]
    fn maybe_order(kind: &str) -> Option<Order> {
        (kind == "some").then(|| Order { id: 2, items: Vec::new() })
    }

    #[resource("o://maybe-many/{kind}")]
    fn maybe_many(kind: &str) -> Option<Vec<ResourceContents>> {
        (kind == "some").then(|| vec![ResourceContents::text("", "here")])
    }

    #[test]
    fn takes_none_for_no_such_resource() {
        block_on(async {
            let server = || Server::new("t", "1").resources(resources![maybe, maybe_bytes, maybe_order, maybe_many]);
            let mut wire = session(server()).await;
            for kind in ["maybe", "maybe-bytes", "maybe-order", "maybe-many"] {
                let there = read(&mut wire, &format!("o://{kind}/some")).await;
                assert_eq!(there["contents"].as_array().map(Vec::len), Some(1));
                let uri = format!("o://{kind}/none");
                let error = error(&mut wire, &uri).await;
                let message = format!("resource not found: {uri}");
                assert_eq!(error, json!({ "code": -32002, "message": message, "data": { "uri": uri } }));
            }
            let mut wire = Wire::open(server());
            let response = wire.request("resources/read", modern(json!({ "uri": "o://maybe/none" }))).await;
            assert_eq!(response["error"]["code"], -32602);
            assert_eq!(response["error"]["data"], json!({ "uri": "o://maybe/none" }));
        });
    }
}

mod errors {
    use super::*;

    #[derive(Debug)]
    struct Broken(std::num::ParseIntError);

    impl std::fmt::Display for Broken {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the disk is broken")
        }
    }

    impl std::error::Error for Broken {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[resource("e://{kind}")]
    fn fails(kind: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let parsed = "x".parse::<i32>().map_err(Broken);
        match kind {
            "failure" => Err(ToolError::failure("for you").into()),
            "data" => Err(ToolError::failure("for you").with_data(json!({ "n": 1 })).into()),
            "protocol" => Err(ToolError::protocol(-31000, "moved").into()),
            "panic" => panic!("secret"),
            _ => Ok(parsed?.to_string()),
        }
    }

    #[test]
    fn tells_errors_with_their_sources() {
        block_on(async {
            let mut wire = session(with(resources![fails])).await;
            let message = "the disk is broken: invalid digit found in string";
            assert_eq!(error(&mut wire, "e://any").await, json!({ "code": -32603, "message": message }));
        });
    }

    #[test]
    fn keeps_masked_errors_to_itself() {
        block_on(async {
            let mut wire = session(with(resources![fails]).mask_errors(true)).await;
            let expected = json!({ "code": -32603, "message": "the resource failed" });
            assert_eq!(error(&mut wire, "e://any").await, expected);
            // What is meant for the client is told all the same.
            assert_eq!(error(&mut wire, "e://failure").await["message"], "for you");
        });
    }

    #[test]
    fn tells_what_an_error_says_of_itself() {
        block_on(async {
            let mut wire = session(with(resources![fails])).await;
            assert_eq!(error(&mut wire, "e://failure").await, json!({ "code": -32603, "message": "for you" }));
            let expected = json!({ "code": -32603, "message": "for you", "data": { "n": 1 } });
            assert_eq!(error(&mut wire, "e://data").await, expected);
            assert_eq!(error(&mut wire, "e://protocol").await, json!({ "code": -31000, "message": "moved" }));
        });
    }

    #[test]
    fn goes_on_after_a_panic() {
        block_on(async {
            let mut wire = session(with(resources![fails])).await;
            let expected = json!({ "code": -32603, "message": "the resource failed unexpectedly" });
            assert_eq!(error(&mut wire, "e://panic").await, expected);
            wire.assert_silent().await;
            assert_eq!(error(&mut wire, "e://failure").await["message"], "for you");
        });
    }

    #[resource("e://slow", timeout = 0.001)]
    async fn slow() -> String {
        std::future::pending().await
    }

    #[test]
    fn stops_a_resource_that_takes_too_long() {
        block_on(async {
            let mut wire = session(with(resources![slow])).await;
            let message = "the resource did not end within 0.001 s and was stopped";
            assert_eq!(error(&mut wire, "e://slow").await, json!({ "code": -32603, "message": message }));
        });
    }

    static STARTED: Notify = Notify::const_new();
    static DROPPED: AtomicBool = AtomicBool::new(false);

    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::SeqCst);
        }
    }

    #[resource("e://endless")]
    async fn endless() -> String {
        let _guard = Guard;
        STARTED.notify_one();
        std::future::pending().await
    }

    #[test]
    fn drops_a_resource_that_is_cancelled_and_answers_nothing() {
        block_on(async {
            let mut wire = session(with(resources![endless])).await;
            let params = json!({ "uri": "e://endless" });
            wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params })).await;
            STARTED.notified().await;
            wire.cancel(1).await;
            wire.assert_silent().await;
            assert_eq!(wire.finish().await, Vec::<Value>::new());
            assert!(DROPPED.load(Ordering::SeqCst));
        });
    }

    #[resource("e://blocking", blocking)]
    fn blocks(ctx: &Context) -> String {
        format!("{}", ctx.request_id())
    }

    #[test]
    fn reads_a_blocking_resource() {
        block_on(async {
            let mut wire = session(with(resources![blocks])).await;
            assert_eq!(text(&mut wire, "e://blocking").await, "\"resources/read\"");
        });
    }
}

mod states {
    use super::*;

    struct Shop(Vec<&'static str>);

    impl Shop {
        /// An item of the shop.
        #[resource("shop://items/{number}")]
        fn item(&self, number: usize) -> Option<&'static str> {
            self.0.get(number).copied()
        }

        /// How many there are.
        #[resource("shop://count")]
        async fn count(&self) -> usize {
            self.0.len()
        }
    }

    #[toolset]
    impl Shop {
        /// Sell an item.
        #[tool]
        fn sell(&self) -> &'static str {
            self.0[0]
        }

        /// Describe an item.
        #[prompt]
        fn describe(&self, number: usize) -> String {
            format!("describe {}", self.0[number])
        }

        /// The first item.
        #[resource("shop://first")]
        fn first(&self) -> &'static str {
            self.0[0]
        }

        /// What no shop is needed for.
        #[resource("shop://open/{day}")]
        fn open(day: &str) -> String {
            format!("open on {day}")
        }
    }

    #[test]
    fn serves_all_that_a_toolset_has() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").toolset(Shop(vec!["lamp", "chair"]))).await;
            assert_eq!(wire.text("sell", json!({})).await, "lamp");
            let params = json!({ "name": "describe", "arguments": { "number": "1" } });
            let got = wire.request("prompts/get", params).await["result"]["messages"][0]["content"]["text"].take();
            assert_eq!(got, "describe chair");
            assert_eq!(text(&mut wire, "shop://first").await, "lamp");
            assert_eq!(text(&mut wire, "shop://open/monday").await, "open on monday");
        });
    }

    /// All items.
    #[resource("shop://items")]
    fn items(shop: &State<Shop>) -> Vec<&'static str> {
        shop.0.clone()
    }

    #[test]
    fn reads_methods_and_what_takes_a_state() {
        block_on(async {
            let server = Server::new("t", "1").resources(resources![Shop::item, Shop::count, items]);
            let mut wire = session(server.state(Shop(vec!["lamp", "chair"]))).await;
            assert_eq!(text(&mut wire, "shop://items/1").await, "chair");
            assert_eq!(error(&mut wire, "shop://items/2").await["code"], -32002);
            assert_eq!(text(&mut wire, "shop://count").await, "2");
            assert_eq!(text(&mut wire, "shop://items").await, r#"["lamp","chair"]"#);
        });
    }

    #[test]
    fn does_not_start_without_the_state() {
        block_on(async {
            let text = start_error(Server::new("t", "1").resources(resources![items])).await;
            let expected = format!(
                "resource `shop://items`: needs a state of the type `{}`: give it to the server with `.state(…)`",
                std::any::type_name::<Shop>()
            );
            assert_eq!(text, expected);
        });
    }
}

mod building {
    use super::*;

    fn echo(uri: &str) -> ServerResource {
        ServerResource::builder(uri).handler(|read, ctx| async move {
            let variables: BTreeMap<_, _> = ["a", "b"].map(|name| (name, read.variable(name))).into();
            let same = ctx.resource_uri() == Some(read.uri());
            Ok::<_, Infallible>(format!("{} {variables:?} {same}", read.uri()))
        })
    }

    #[test]
    fn lists_what_is_built_with_all_that_was_said() {
        block_on(async {
            let annotations = Annotations::new().audience([Role::User]).priority(1.0).last_modified("2026-01-01");
            let meta = Map::from_iter([("k".to_owned(), json!(1))]);
            let full = ServerResource::builder("b://full")
                .name("full")
                .title("Full")
                .description("All of it.")
                .mime_type("text/markdown")
                .size(3)
                .annotations(annotations)
                .icon(Icon::new("https://example.com/i.png"))
                .meta(meta)
                .cache(Duration::from_millis(1500), CacheScope::Public)
                .text("# Full");
            let bare = ServerResource::builder("b://bare").bytes([1, 2]);
            let mut wire = Wire::open(Server::new("t", "1").resources([full, bare]));
            let listed = wire.request("resources/list", modern(json!({}))).await["result"]["resources"].take();
            let expected = json!([
                {
                    "uri": "b://full",
                    "name": "full",
                    "title": "Full",
                    "description": "All of it.",
                    "mimeType": "text/markdown",
                    "size": 3,
                    "annotations": { "audience": ["user"], "priority": 1.0, "lastModified": "2026-01-01" },
                    "icons": [{ "src": "https://example.com/i.png" }],
                    "_meta": { "k": 1 },
                },
                { "uri": "b://bare", "name": "b://bare", "size": 2 },
            ]);
            assert_eq!(listed, expected);
            let result = wire.request("resources/read", modern(json!({ "uri": "b://full" }))).await["result"].take();
            assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(1500), &json!("public")));
            let contents = json!([{ "uri": "b://full", "mimeType": "text/markdown", "text": "# Full" }]);
            assert_eq!(result["contents"], contents);
            let result = wire.request("resources/read", modern(json!({ "uri": "b://bare" }))).await["result"].take();
            let contents = json!([{ "uri": "b://bare", "mimeType": "application/octet-stream", "blob": "AQI=" }]);
            assert_eq!(result["contents"], contents);
        });
    }

    #[test]
    fn gives_a_closure_the_uri_and_the_variables_as_they_are() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").resources([echo("b://{a}/x{?b}")])).await;
            for (uri, expected) in [
                ("b://1/x", r#"{"a": Some("1"), "b": None}"#),
                ("b://null/x?b=true", r#"{"a": Some("null"), "b": Some("true")}"#),
                ("b://%5B%5D/x?b=", r#"{"a": Some("[]"), "b": Some("")}"#),
            ] {
                assert_eq!(text(&mut wire, uri).await, format!("{uri} {expected} true"));
            }
        });
    }

    #[test]
    fn hides_what_is_built_disabled() {
        block_on(async {
            let server = Server::new("t", "1").resources([echo("b://here"), echo("b://hidden").disabled()]);
            let mut wire = session(server.resources([echo("b://{a}/hidden").disabled()])).await;
            let listed = wire.request("resources/list", json!({})).await["result"]["resources"].take();
            assert_eq!(listed.as_array().map(Vec::len), Some(1));
            let listed = wire.request("resources/templates/list", json!({})).await["result"].take();
            assert_eq!(listed, json!({ "resourceTemplates": [] }));
            for uri in ["b://hidden", "b://1/hidden"] {
                assert_eq!(error(&mut wire, uri).await["code"], -32002);
            }
        });
    }

    #[test]
    fn goes_on_after_a_built_resource_panics() {
        block_on(async {
            let bomb = ServerResource::builder("b://bomb").handler(|read, _| async move {
                assert_eq!(read.uri(), "", "secret");
                Ok::<_, Infallible>("")
            });
            let mut wire = session(Server::new("t", "1").resources([bomb])).await;
            let expected = json!({ "code": -32603, "message": "the resource failed unexpectedly" });
            assert_eq!(error(&mut wire, "b://bomb").await, expected);
            wire.assert_silent().await;
        });
    }

    #[test]
    fn does_not_start_with_two_resources_of_one_uri() {
        block_on(async {
            let text = start_error(Server::new("t", "1").resources([echo("b://same"), echo("b://same")])).await;
            assert!(text.starts_with("the resource `b://same`, made at tests/resources.rs:"), "{text}");
            assert!(text.ends_with("is added 2 times"), "{text}");
            let other = ServerResource::builder("b://same").text("");
            let text = start_error(Server::new("t", "1").resources([echo("b://same"), other])).await;
            let start = "2 resources have the URI `b://same`: those made at tests/resources.rs:";
            assert!(text.starts_with(start), "{text}");
            let text = start_error(Server::new("t", "1").resources([echo("b://{a}"), echo("b://{a}")])).await;
            assert!(text.starts_with("the resource `b://{a}`, made at"), "{text}");
        });
    }

    #[test]
    fn does_not_start_with_two_templates_of_the_same_uris() {
        block_on(async {
            let same = [echo("b://{a}{?b,c}"), echo("b://{b}"), echo("B://{x}{?b,c}"), echo("b://{+a}")];
            let text = start_error(Server::new("t", "1").resources(same)).await;
            let expected = "the resources `b://{a}{?b,c}`, `B://{x}{?b,c}` have the same URIs, so only the first of them \
                            would ever be read";
            assert_eq!(text, expected);
        });
    }

    #[test]
    fn does_not_start_with_a_bad_template() {
        block_on(async {
            for (uri, problem) in [
                ("notes", "it has no scheme: write one at its beginning, such as `notes://`"),
                ("b://{a", "`{a` does not end: write `}` after the name, or `%7B` for a brace"),
                ("b://{a}{b}", "nothing stands between `{a}` and `{b}`: write `{a}/{b}`, or another text between them"),
                ("b://{a}/{a}", "two variables have the name `a`: write another name for one of them"),
                ("b://%zz", "a `%` without two hexadecimal digits: write `%25` for the character"),
            ] {
                let text = start_error(Server::new("t", "1").resources([echo(uri)])).await;
                assert_eq!(text, format!("resource `{uri}`: {problem}"));
            }
        });
    }

    /// Cannot be without its member.
    #[resource("b://search{?words}")]
    fn search(words: String) -> String {
        words
    }

    #[test]
    fn does_not_start_where_what_a_uri_may_leave_out_is_required() {
        block_on(async {
            let text = start_error(with(resources![search])).await;
            let problem =
                "`words` may be missing in a URI, so its parameter has to be an `Option`, or to have a default";
            assert_eq!(text, format!("resource `b://search{{?words}}`: {problem}"));
        });
    }

    #[test]
    fn shares_a_state_of_a_closure_between_calls() {
        block_on(async {
            let counter = Arc::new(std::sync::atomic::AtomicUsize::new(0));
            let counting = ServerResource::builder("b://count").handler(move |_, _| {
                let count = counter.fetch_add(1, Ordering::SeqCst);
                async move { Ok::<_, Infallible>(count) }
            });
            let mut wire = session(Server::new("t", "1").resources([counting])).await;
            assert_eq!(text(&mut wire, "b://count").await, "0");
            assert_eq!(text(&mut wire, "b://count").await, "1");
        });
    }
}

mod hidden {
    use super::*;

    /// A folder that has everything.
    #[resource("folder:///{+path}")]
    fn everything(path: &str) -> String {
        format!("read {path}")
    }

    async fn code(server: Server, uri: &str) -> Value {
        let mut wire = session(server).await;
        wire.request("resources/read", json!({ "uri": uri })).await["error"]["code"].take()
    }

    fn server() -> Server {
        let secret = ServerResource::builder("folder:///secret").text("secret").disabled();
        Server::new("t", "1").resources([secret]).resources(resources![everything])
    }

    #[test]
    fn is_not_to_be_had_by_a_template() {
        block_on(async {
            assert_eq!(code(server(), "folder:///secret").await, -32002);
            assert_eq!(code(server(), "folder:///open").await, Value::Null);
        });
    }

    #[test]
    fn is_not_to_be_had_in_another_spelling() {
        block_on(async {
            assert_eq!(code(server(), "folder:///%73ecret").await, -32002);
        });
    }

    #[test]
    fn is_found_in_another_spelling_where_it_is_not_hidden() {
        block_on(async {
            let plain = ServerResource::builder("folder:///a").text("plain");
            let server = Server::new("t", "1").resources([plain]).resources(resources![everything]);
            let mut wire = session(server).await;
            let read = wire.request("resources/read", json!({ "uri": "folder:///%61" })).await;
            assert_eq!(read["result"]["contents"][0]["text"], "plain");
        });
    }

    #[test]
    fn refuses_a_template_that_is_only_listed() {
        block_on(async {
            let listed = ServerResource::builder("x://{a}").listed();
            let error = start_error(Server::new("t", "1").resources([listed])).await;
            let expected = "resource `x://{a}`: a template cannot be `listed` without contents: give it a `handler`";
            assert_eq!(error, expected);
        });
    }
}
