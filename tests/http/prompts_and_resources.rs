//! Prompts, resources and completion, as far as they are something else over HTTP.

use mcp_runtime::http::Http;
use mcp_runtime::{
    Context, Prompt, PromptArgument, PromptSet, ResourceSet, Server, ServerResource, prompt, prompts, resource,
    resources,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{Request, Response, Served, Session, block_on, initialize, modern, request, serve, serve_with};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn colours(typed: &str) -> Vec<&'static str> {
    ["red", "green"].into_iter().filter(|colour| colour.starts_with(typed)).collect()
}

/// Paint something.
#[prompt]
async fn paint(#[arg(complete = colours)] colour: String, ctx: &Context) -> String {
    ctx.progress(1.0, None, None);
    format!("paint it {colour}")
}

/// A page.
#[resource("docs://{page}", mime_type = "text/plain", ttl = 2, cache_scope = "public")]
async fn page(page: u32, ctx: &Context) -> Option<String> {
    ctx.progress(1.0, None, None);
    (page < 10).then(|| format!("page {page}"))
}

fn server() -> Server {
    let unicode = Prompt::builder("Grüße").argument(PromptArgument::new("a")).text("hello");
    let file = ServerResource::builder("file:///a.txt").text("a");
    Server::new("t", "1").prompts(prompts![paint]).prompts([unicode]).resources(resources![page]).resources([file])
}

/// A server whose sets may change.
fn changing() -> (Server, PromptSet, ResourceSet) {
    let mut server = server();
    let (prompts, resources) = (server.prompt_set(), server.resource_set());
    (server, prompts, resources)
}

fn paint_params() -> Value {
    json!({ "name": "paint", "arguments": { "colour": "red" } })
}

fn said(text: &str) -> Value {
    json!([{ "role": "user", "content": { "type": "text", "text": text } }])
}

fn get_paint(id: impl Into<Value>) -> Request {
    modern(id, "prompts/get", paint_params())
}

fn read(id: impl Into<Value>, uri: &str) -> Request {
    modern(id, "resources/read", json!({ "uri": uri }))
}

fn updated(uri: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": uri } })
}

fn list_changed(kind: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": format!("notifications/{kind}/list_changed") })
}

/// The answer to a request in a session.
async fn answer(session: &Session, method: &str, params: Value) -> Value {
    let response = session.send(&session.request(method, method, params)).await;
    assert_eq!(response.status, 200);
    response.json().await
}

/// A stream of changes.
async fn stream(session: &Session) -> Response {
    let stream = session.send(&session.get()).await;
    assert_eq!(stream.status, 200);
    stream
}

mod headers {
    use super::*;

    #[test]
    fn compares_the_name_of_a_prompt_and_the_uri_of_a_resource() {
        block_on(async {
            let served = serve(server()).await;
            for (request, name) in [(get_paint(1), "paint"), (read(1, "file:///a.txt"), "file:///a.txt")] {
                assert_eq!(served.send(&request.clone().json_only()).await.status, 200);
                let missing = served.send(&request.clone().without("Mcp-Name")).await;
                assert_eq!(missing.refused().await, (400, json!(-32020), json!(1)), "{name}");
                let encoded = match name {
                    "paint" => "=?base64?cGFpbnQ=?=",
                    _ => "=?base64?ZmlsZTovLy9hLnR4dA==?=",
                };
                assert_eq!(served.send(&request.clone().with("Mcp-Name", encoded).json_only()).await.status, 200);
                for wrong in ["other", "", &name.to_uppercase(), "=?base64?b3RoZXI=?=", "=?base64?!?="] {
                    let refused = served.send(&request.clone().with("Mcp-Name", wrong)).await;
                    assert_eq!(refused.refused().await, (400, json!(-32020), json!(1)), "{name}: {wrong}");
                }
                let twice = served.send(&request.header("Mcp-Name", name)).await;
                assert_eq!(twice.refused().await, (400, json!(-32020), json!(1)), "{name}");
            }
        });
    }

    #[test]
    fn takes_a_name_that_is_not_ascii_in_base64_only() {
        block_on(async {
            let served = serve(server()).await;
            let get = modern(1, "prompts/get", json!({ "name": "Grüße" })).with("Mcp-Name", "=?base64?R3LDvMOfZQ==?=");
            assert_eq!(served.send(&get).await.json().await["result"]["messages"], said("hello"));
            let raw = served.send(&get.with("Mcp-Name", "Grüße")).await;
            assert_eq!(raw.refused().await, (400, json!(-32020), json!(1)));
        });
    }

    #[test]
    fn compares_headers_before_it_asks_whether_there_is_such_a_thing() {
        block_on(async {
            let served = serve(server()).await;
            let refused = served.send(&read(1, "none://a").with("Mcp-Name", "none://b")).await;
            assert_eq!(refused.refused().await, (400, json!(-32020), json!(1)));
            let refused = served.send(&modern(1, "prompts/get", json!({ "name": "none" }))).await;
            assert_eq!(refused.refused().await, (200, json!(-32602), json!(1)));
        });
    }

    #[test]
    fn wants_no_name_of_lists_and_completions() {
        block_on(async {
            let served = serve(server()).await;
            let argument = json!({ "name": "colour", "value": "r" });
            let complete = json!({ "ref": { "type": "ref/prompt", "name": "paint" }, "argument": argument });
            for (method, params) in [
                ("prompts/list", json!({})),
                ("resources/list", json!({})),
                ("resources/templates/list", json!({})),
                ("completion/complete", complete),
            ] {
                let response = served.send(&modern(1, method, params)).await;
                assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
                let body = response.json().await;
                assert_eq!((body.get("error"), &body["result"]["resultType"]), (None, &json!("complete")), "{method}");
            }
        });
    }

    #[test]
    fn wants_no_headers_of_the_modern_era_in_sessions() {
        block_on(async {
            let served = serve(server()).await;
            let session = served.session("2025-06-18").await;
            let got = answer(&session, "prompts/get", paint_params()).await;
            assert_eq!(got["result"]["messages"], said("paint it red"));
        });
    }
}

mod answers {
    use super::*;

    #[test]
    fn answers_with_the_status_of_the_era() {
        block_on(async {
            let served = serve(server()).await;
            for (request, expected) in [
                (read(1, "docs://11"), (200, json!(-32602), json!(1))),
                (read(1, "docs://abc"), (200, json!(-32602), json!(1))),
                (read(1, "none://"), (200, json!(-32602), json!(1))),
                (modern(1, "resources/read", json!({})), (200, json!(-32602), json!(1))),
                (modern(1, "prompts/get", json!({ "name": "paint" })), (200, json!(-32602), json!(1))),
                (modern(1, "resources/subscribe", json!({ "uri": "docs://1" })), (404, json!(-32601), json!(1))),
                (modern(1, "logging/setLevel", json!({ "level": "info" })), (404, json!(-32601), json!(1))),
                (modern(1, "tools/list", json!({})), (404, json!(-32601), json!(1))),
            ] {
                assert_eq!(served.send(&request.json_only()).await.refused().await, expected);
            }
            let session = served.session("2025-11-25").await;
            for (method, params, code) in [
                ("resources/read", json!({ "uri": "docs://11" }), -32002),
                ("resources/read", json!({ "uri": "docs://abc" }), -32602),
                ("prompts/get", json!({ "name": "paint" }), -32602),
                ("resources/subscribe", json!({ "uri": "docs://1" }), -32601),
                ("tools/list", json!({}), -32601),
            ] {
                let refused = session.send(&session.request(1, method, params)).await;
                assert_eq!(refused.refused().await, (200, json!(code), json!(1)), "{method}");
            }
        });
    }

    #[test]
    fn says_how_long_a_resource_may_be_kept() {
        block_on(async {
            let served = serve(server()).await;
            let result = served.send(&read(1, "docs://1")).await.json().await["result"].take();
            assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(2000), &json!("public")));
            let contents = json!([{ "uri": "docs://1", "mimeType": "text/plain", "text": "page 1" }]);
            assert_eq!(result["contents"], contents);
        });
    }

    #[test]
    fn sends_progress_on_the_stream_of_the_request() {
        block_on(async {
            let served = serve(server()).await;
            let session = served.session("2025-03-26").await;
            let mut changes = stream(&session).await;
            let params = |mut params: Value| {
                params["_meta"]["progressToken"] = "t".into();
                params
            };
            for (method, request) in [("prompts/get", paint_params()), ("resources/read", json!({ "uri": "docs://1" }))]
            {
                let request = params(request);
                let legacy = session.send(&session.request(1, method, request.clone())).await.messages().await;
                let modern = served.send(&modern(1, method, request)).await.messages().await;
                for messages in [legacy, modern] {
                    let report = json!({ "progressToken": "t", "progress": 1.0 });
                    let expected = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": report });
                    assert_eq!((messages.len(), &messages[0], &messages[1]["id"]), (2, &expected, &json!(1)));
                }
            }
            session.send(&session.delete()).await;
            assert_eq!(changes.event().await.and_then(|event| event.data).filter(|data| !data.is_empty()), None);
        });
    }

    static STARTED: Notify = Notify::const_new();
    static DROPPED: Notify = Notify::const_new();

    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            DROPPED.notify_one();
        }
    }

    #[resource("slow://")]
    async fn slow() -> String {
        let _guard = Guard;
        STARTED.notify_one();
        std::future::pending().await
    }

    #[test]
    fn drops_a_resource_whose_client_goes() {
        block_on(async {
            let served = serve(Server::new("t", "1").resources(resources![slow])).await;
            let mut connection = crate::support::Connection::open(served.address()).await;
            connection.write(&read(1, "slow://").bytes()).await;
            STARTED.notified().await;
            drop(connection);
            DROPPED.notified().await;
        });
    }
}

mod batches {
    use super::*;

    #[test]
    fn answers_prompts_and_resources_of_a_batch_together() {
        block_on(async {
            let (server, _prompts, resources) = changing();
            let served = serve(server).await;
            let session = served.session("2025-03-26").await;
            let argument = json!({ "name": "colour", "value": "r" });
            let complete = json!({ "ref": { "type": "ref/prompt", "name": "paint" }, "argument": argument });
            let messages = json!([
                request(1, "prompts/get", paint_params()),
                request(2, "resources/read", json!({ "uri": "docs://1" })),
                request(3, "resources/read", json!({ "uri": "docs://11" })),
                request(4, "completion/complete", complete),
                request(5, "resources/subscribe", json!({ "uri": "docs://1" })),
                request(6, "prompts/list", json!({})),
                request(7, "prompts/get", json!({ "name": "none" })),
            ]);
            let response = session.send(&session.post(messages.to_string())).await;
            assert_eq!(response.status, 200);
            let mut responses = response.json().await;
            let responses = responses.as_array_mut().expect("a batch is answered with a batch");
            responses.sort_by_key(|response| response["id"].as_i64());
            assert_eq!(responses.len(), 7);
            assert_eq!(responses[0]["result"]["messages"], said("paint it red"));
            assert_eq!(responses[1]["result"]["contents"][0]["text"], "page 1");
            assert_eq!(responses[2]["error"]["code"], -32002);
            assert_eq!(responses[3]["result"]["completion"]["values"], json!(["red"]));
            assert_eq!(responses[4], json!({ "jsonrpc": "2.0", "id": 5, "result": {} }));
            assert_eq!(responses[5]["result"]["prompts"][0]["name"], "paint");
            assert_eq!(responses[6]["error"]["code"], -32602);
            let mut changes = stream(&session).await;
            resources.updated("docs://1");
            assert_eq!(changes.message().await, updated("docs://1"));
        });
    }
}

mod changes {
    use super::*;

    #[test]
    fn tells_a_session_on_its_stream_of_what_it_is_subscribed_to() {
        block_on(async {
            let (server, prompts, resources) = changing();
            let served = serve(server).await;
            for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
                let session = served.session(revision).await;
                let other = served.session(revision).await;
                let (mut ours, mut others) = (stream(&session).await, stream(&other).await);
                let done = answer(&session, "resources/subscribe", json!({ "uri": "docs://1" })).await;
                assert_eq!(done["result"], json!({}));
                resources.updated("docs://2");
                resources.updated("docs://1/part");
                assert_eq!(ours.message().await, updated("docs://1/part"), "{revision}");
                answer(&session, "resources/subscribe", json!({ "uri": "docs://3" })).await;
                answer(&session, "resources/unsubscribe", json!({ "uri": "docs://1" })).await;
                resources.updated("docs://1");
                prompts.add(Prompt::builder(revision).text("")).expect("the name is free");
                assert_eq!(ours.message().await, list_changed("prompts"), "{revision}");
                // Of those that are told together the first one comes first.
                resources.updated("docs://3");
                assert_eq!(ours.message().await, updated("docs://3"), "{revision}");
                assert_eq!(others.message().await, list_changed("prompts"), "{revision}");
                // So that the next ones are told of nothing that was before.
                for session in [session, other] {
                    session.send(&session.delete()).await;
                }
            }
        });
    }

    #[test]
    fn tells_a_session_that_opens_its_stream_later() {
        block_on(async {
            let (server, _prompts, resources) = changing();
            let served = serve(server).await;
            let session = served.session("2025-11-25").await;
            answer(&session, "resources/subscribe", json!({ "uri": "docs://1" })).await;
            resources.updated("docs://1");
            assert_eq!(stream(&session).await.message().await, updated("docs://1"));
        });
    }

    #[test]
    fn watches_so_many_resources_for_a_session() {
        block_on(async {
            let served = serve(changing().0.max_watched_resources(1)).await;
            let session = served.session("2025-11-25").await;
            answer(&session, "resources/subscribe", json!({ "uri": "docs://1" })).await;
            let refused = answer(&session, "resources/subscribe", json!({ "uri": "docs://2" })).await;
            assert_eq!(refused["error"]["code"], -32600);
            let other = served.session("2025-11-25").await;
            let done = answer(&other, "resources/subscribe", json!({ "uri": "docs://2" })).await;
            assert_eq!(done["result"], json!({}));
        });
    }

    #[test]
    fn tells_a_stream_of_the_modern_era_of_what_it_has_asked_for() {
        block_on(async {
            let (server, prompts, resources) = changing();
            let served = serve(server).await;
            let listen = |id: i32, notifications: Value| {
                modern(id, "subscriptions/listen", json!({ "notifications": notifications }))
            };
            let filters = [
                json!({ "promptsListChanged": true }),
                json!({ "resourcesListChanged": true }),
                json!({ "resourceSubscriptions": ["docs://1"] }),
            ];
            let mut streams = Vec::new();
            for (id, filter) in (1..).zip(filters) {
                let mut stream = served.send(&listen(id, filter.clone())).await;
                let acknowledged = stream.message().await["params"].take();
                assert_eq!(acknowledged, json!({ "_meta": { ID: id }, "notifications": filter }));
                streams.push(stream);
            }
            resources.updated("docs://1");
            resources.add(ServerResource::builder("new://").text("")).expect("the URI is free");
            prompts.add(Prompt::builder("new").text("")).expect("the name is free");
            let expected = [
                ("prompts/list_changed", json!({ "_meta": { ID: 1 } })),
                ("resources/list_changed", json!({ "_meta": { ID: 2 } })),
                ("resources/updated", json!({ "_meta": { ID: 3 }, "uri": "docs://1" })),
            ];
            for (mut stream, (method, params)) in streams.into_iter().zip(expected) {
                let method = format!("notifications/{method}");
                let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
                assert_eq!(stream.message().await, message);
            }
        });
    }
}

mod sessionless {
    use super::*;

    async fn served() -> Served {
        serve_with(changing().0.client_logging(), Http::new().without_sessions()).await
    }

    #[test]
    fn promises_no_subscriptions_and_no_log_in_the_legacy_era() {
        block_on(async {
            let served = served().await;
            for (revision, expected) in [
                ("2024-11-05", json!({ "prompts": {}, "resources": {} })),
                ("2025-11-25", json!({ "prompts": {}, "resources": {}, "completions": {} })),
            ] {
                let handshake = served.send(&initialize(revision)).await.json().await;
                assert_eq!(handshake["result"]["capabilities"], expected, "{revision}");
            }
            let discovered = served.send(&modern(1, "server/discover", json!({}))).await.json().await;
            let expected = json!({
                "prompts": { "listChanged": true },
                "resources": { "subscribe": true, "listChanged": true },
                "completions": {},
                "logging": {},
            });
            assert_eq!(discovered["result"]["capabilities"], expected);
        });
    }

    #[test]
    fn has_no_methods_that_need_a_session() {
        block_on(async {
            let served = served().await;
            for (method, params) in [
                ("resources/subscribe", json!({ "uri": "docs://1" })),
                ("resources/unsubscribe", json!({ "uri": "docs://1" })),
                ("logging/setLevel", json!({ "level": "debug" })),
                ("resources/subscribe", json!({})),
                ("logging/setLevel", json!({ "level": "loud" })),
            ] {
                let post = Request::post(request(1, method, params.clone()).to_string());
                let refused = served.send(&post).await;
                assert_eq!(refused.refused().await, (200, json!(-32601), json!(1)), "{method} {params}");
            }
        });
    }

    #[test]
    fn serves_what_needs_no_session() {
        block_on(async {
            let served = served().await;
            let post = |method: &str, params: Value| Request::post(request(1, method, params).to_string());
            let got = served.send(&post("prompts/get", paint_params())).await.json().await;
            assert_eq!(got["result"]["messages"], said("paint it red"));
            let read = served.send(&post("resources/read", json!({ "uri": "docs://11" }))).await.json().await;
            assert_eq!(read["error"]["code"], -32002);
        });
    }
}
