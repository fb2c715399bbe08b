//! Streams that tell clients of the modern era of changes.

use std::sync::Arc;

use mcp_runtime::http::Http;
use mcp_runtime::{Server, Tool, ToolSet};
use serde_json::{Value, json};

use crate::support::{Response, Served, block_on, listen, modern, modern_call, serve, serve_with};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn tool(name: &str) -> Tool {
    Tool::builder(name).input_schema(json!({ "type": "object" })).handler(|_: Value, _| async { Ok::<_, String>("") })
}

/// A server, and what changes it.
fn changing() -> (Server, ToolSet) {
    let mut server = Server::new("t", "1");
    let set = server.tool_set();
    (server.tools([tool("first")]), set)
}

fn acknowledged(id: impl Into<Value>, notifications: Value) -> Value {
    let params = json!({ "_meta": { ID: id.into() }, "notifications": notifications });
    json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params })
}

fn changed(id: impl Into<Value>) -> Value {
    let params = json!({ "_meta": { ID: id.into() } });
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": params })
}

/// Opens a stream, and reads what it begins with.
async fn listening(served: &Served, id: impl Into<Value>) -> Response {
    let id = id.into();
    let mut stream = served.send(&listen(id.clone())).await;
    assert_eq!(stream.message().await, acknowledged(id, json!({ "toolsListChanged": true })));
    stream
}

#[test]
fn acknowledges_first_and_tells_of_each_change_under_the_id() {
    block_on(async {
        let (server, set) = changing();
        let served = serve(server).await;
        let mut text = listening(&served, "L").await;
        let mut number = listening(&served, 7).await;
        for name in ["a", "b"] {
            set.add(tool(name)).expect("the name is free");
            assert_eq!(text.message().await, changed("L"));
            assert_eq!(number.message().await, changed(7));
        }
        assert!(set.remove("a"));
        assert_eq!(text.message().await, changed("L"));
        assert_eq!(number.message().await, changed(7));
    });
}

#[test]
fn acknowledges_first_while_changes_happen() {
    block_on(async {
        let (server, set) = changing();
        let served = serve(server).await;
        let set = Arc::new(set);
        let changing = tokio::spawn({
            let set = Arc::clone(&set);
            async move {
                loop {
                    set.disable("first");
                    set.enable("first");
                    tokio::task::yield_now().await;
                }
            }
        });
        for id in [json!("s"), json!(1)] {
            let mut stream = listening(&served, id.clone()).await;
            for _ in 0..5 {
                assert_eq!(stream.message().await, changed(id.clone()));
            }
        }
        changing.abort();
    });
}

#[test]
fn keeps_streams_of_one_id_apart() {
    block_on(async {
        let (server, set) = changing();
        let served = serve(server).await;
        let (one, mut other) = (listening(&served, 1).await, listening(&served, 1).await);
        drop(one);
        set.add(tool("a")).expect("the name is free");
        assert_eq!(other.message().await, changed(1));
    });
}

#[test]
fn tells_of_nothing_that_was_not_asked_for() {
    block_on(async {
        let (server, set) = changing();
        let served = serve(server).await;
        let mut streams = Vec::new();
        for notifications in [
            json!({}),
            json!({ "toolsListChanged": false }),
            json!({ "promptsListChanged": true, "resourceSubscriptions": ["file:///a"] }),
        ] {
            let request = modern("n", "subscriptions/listen", json!({ "notifications": notifications }));
            let mut stream = served.send(&request).await;
            assert_eq!(stream.message().await, acknowledged("n", json!({})));
            streams.push(stream);
        }
        let mut told = listening(&served, "t").await;
        set.add(tool("a")).expect("the name is free");
        assert_eq!(told.message().await, changed("t"));
        let stopped = served.stop();
        for stream in streams {
            let messages = stream.messages().await;
            assert_eq!(messages.iter().map(|message| &message["id"]).collect::<Vec<_>>(), ["n"]);
        }
        drop(told);
        stopped.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn acknowledges_nothing_where_nothing_can_change() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools([tool("first")])).await;
        let mut stream = served.send(&listen("n")).await;
        assert_eq!(stream.message().await, acknowledged("n", json!({})));
    });
}

#[test]
fn refuses_to_listen_for_what_is_not_said() {
    block_on(async {
        let served = serve(changing().0).await;
        for params in [json!({}), json!({ "notifications": true }), json!({ "notifications": null })] {
            let refused = served.send(&modern(1, "subscriptions/listen", params.clone())).await;
            assert_eq!(refused.refused().await, (200, json!(-32602), json!(1)), "{params}");
        }
    });
}

#[test]
fn refuses_to_tell_of_changes_in_json() {
    block_on(async {
        let served = serve(changing().0).await;
        let refused = served.send(&listen(1).json_only()).await;
        assert_eq!(refused.refused().await, (406, json!(-32600), json!(1)));
    });
}

#[test]
fn tells_of_no_calls_on_a_stream_of_changes() {
    block_on(async {
        let (server, set) = changing();
        let served = serve(server).await;
        let mut stream = listening(&served, 1).await;
        assert_eq!(served.send(&modern_call(2, "first", json!({}))).await.status, 200);
        set.add(tool("a")).expect("the name is free");
        assert_eq!(stream.message().await, changed(1));
    });
}

#[test]
fn ends_each_stream_with_its_result_when_the_server_ends() {
    block_on(async {
        let served = serve(changing().0).await;
        let (text, number) = (listening(&served, "L").await, listening(&served, 7).await);
        let stopped = served.stop();
        for (stream, id) in [(text, json!("L")), (number, json!(7))] {
            let messages = stream.messages().await;
            assert_eq!(messages.len(), 1, "{messages:?}");
            let result = &messages[0]["result"];
            assert_eq!(
                (&messages[0]["id"], &result["_meta"][ID], &result["resultType"]),
                (&id, &id, &json!("complete"))
            );
        }
        stopped.await.expect("serving does not panic").expect("serving ends well");
    });
}

#[test]
fn has_so_many_streams_of_both_eras_and_no_more() {
    block_on(async {
        let (server, set) = changing();
        let served = serve_with(server, Http::new().max_streams(2)).await;
        let session = served.session("2025-11-25").await;
        let mut modern = listening(&served, 1).await;
        let legacy = served.send(&session.get()).await;
        assert_eq!(legacy.status, 200);
        let refused = served.send(&listen("late")).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")));
        assert_eq!(refused.refused().await, (503, json!(-32600), json!("late")));
        let late = served.session("2025-11-25").await;
        assert_eq!(served.send(&late.get()).await.status, 503);
        // A call is no such stream, and those that there are go on.
        let call = modern_call(1, "first", json!({})).with("Accept", "text/event-stream");
        assert_eq!(served.send(&call).await.messages().await.len(), 1);
        set.add(tool("a")).expect("the name is free");
        assert_eq!(modern.message().await, changed(1));
        // One that ends leaves its place to another.
        served.send(&session.delete()).await;
        legacy.messages().await;
        listening(&served, "late").await;
    });
}

#[test]
fn has_room_again_when_a_client_goes() {
    block_on(async {
        let served = serve_with(changing().0, Http::new().max_streams(1)).await;
        drop(listening(&served, 1).await);
        // Nothing tells when the server has seen it.
        while served.send(&listen(2)).await.status == 503 {
            tokio::task::yield_now().await;
        }
    });
}
