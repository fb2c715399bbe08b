//! Prompts and resources that come, go and change while the server serves, and who is told of it.

mod common;

use std::collections::BTreeSet;

use common::memory::{LEGACY, Wire, block_on, modern, session};
use mcp_runtime::{Prompt, PromptSet, ResourceSet, Server, ServerResource, limits, prompt, prompts};
use serde_json::{Value, json};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

const PROMPTS: &str = "notifications/prompts/list_changed";
const RESOURCES: &str = "notifications/resources/list_changed";
const UPDATED: &str = "notifications/resources/updated";

fn prompt(name: &str) -> Prompt {
    Prompt::builder(name).text(name)
}

fn resource(uri: &str) -> ServerResource {
    ServerResource::builder(uri).text(uri)
}

fn with_prompts() -> (Server, PromptSet) {
    let mut server = Server::new("t", "1").prompts([prompt("first")]);
    let set = server.prompt_set();
    (server, set)
}

/// A server with a folder of files, of which one is listed.
fn with_resources() -> (Server, ResourceSet) {
    let resources = [resource("file:///a"), resource("file:///{+path}"), resource("other://a")];
    let mut server = Server::new("t", "1").resources(resources);
    let set = server.resource_set();
    (server, set)
}

/// A server where everything can change.
fn all() -> (Server, PromptSet, ResourceSet) {
    let (mut server, resources) = with_resources();
    let prompts = server.prompt_set();
    (server.prompts([prompt("first")]), prompts, resources)
}

fn changed(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

fn updated(uri: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": UPDATED, "params": { "uri": uri } })
}

fn changed_for(id: impl Into<Value>, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": { "_meta": { ID: id.into() } } })
}

fn updated_for(id: impl Into<Value>, uri: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": UPDATED, "params": { "_meta": { ID: id.into() }, "uri": uri } })
}

/// The names or URIs in a list.
async fn listed(wire: &mut Wire, method: &str, member: &str, key: &str) -> Vec<String> {
    let result = wire.request(method, json!({})).await["result"].take();
    let entries = result[member].as_array().expect("a list");
    entries.iter().map(|entry| entry[key].as_str().expect("it is a text").to_owned()).collect()
}

async fn names(wire: &mut Wire) -> Vec<String> {
    listed(wire, "prompts/list", "prompts", "name").await
}

async fn uris(wire: &mut Wire) -> Vec<String> {
    listed(wire, "resources/list", "resources", "uri").await
}

async fn subscribe(wire: &mut Wire, uri: &str) {
    let done = wire.request("resources/subscribe", json!({ "uri": uri })).await;
    assert_eq!(done, json!({ "jsonrpc": "2.0", "id": "resources/subscribe", "result": {} }));
}

async fn unsubscribe(wire: &mut Wire, uri: &str) {
    let done = wire.request("resources/unsubscribe", json!({ "uri": uri })).await;
    assert_eq!(done, json!({ "jsonrpc": "2.0", "id": "resources/unsubscribe", "result": {} }));
}

/// Opens a subscription; returns what of it is honoured.
async fn listen(wire: &mut Wire, id: impl Into<Value>, notifications: Value) -> Value {
    let (id, params) = (id.into(), modern(json!({ "notifications": notifications })));
    wire.send(json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params })).await;
    let mut acknowledged = wire.receive().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    assert_eq!(acknowledged["params"]["_meta"], json!({ ID: id }));
    acknowledged["params"]["notifications"].take()
}

/// Shows that nothing was sent to a client of the modern era.
async fn assert_silent(wire: &mut Wire) {
    let response = wire.request("server/discover", modern(json!({}))).await;
    assert_eq!(response.get("error"), None, "{response}");
}

mod prompt_set {
    use super::*;

    #[test]
    fn tells_a_session_of_each_change_and_serves_what_is_there() {
        block_on(async {
            let (server, set, resources) = all();
            let mut wire = session(server).await;
            subscribe(&mut wire, "file:///a").await;
            set.add(prompt("second")).unwrap();
            assert_eq!(wire.receive().await, changed(PROMPTS));
            assert_eq!(names(&mut wire).await, ["first", "second"]);
            set.replace(Prompt::builder("first").description("New.").text("other")).unwrap();
            assert_eq!(wire.receive().await, changed(PROMPTS));
            let result = wire.request("prompts/get", json!({ "name": "first" })).await["result"].take();
            assert_eq!(result["messages"][0]["content"]["text"], "other");
            assert!(set.disable("first"));
            assert_eq!(wire.receive().await, changed(PROMPTS));
            assert_eq!(names(&mut wire).await, ["second"]);
            let error = wire.request("prompts/get", json!({ "name": "first" })).await["error"].take();
            assert_eq!(error, json!({ "code": -32602, "message": "unknown prompt: first" }));
            assert!(set.enable("first"));
            assert_eq!(wire.receive().await, changed(PROMPTS));
            assert!(set.remove("second"));
            assert_eq!(wire.receive().await, changed(PROMPTS));
            // What is as it should be already is no change. What is told a little later is told with what comes last.
            assert!(set.enable("first") && !set.remove("second") && !set.disable("second"));
            resources.updated("file:///a");
            assert_eq!(wire.receive().await, updated("file:///a"));
            assert_eq!(names(&mut wire).await, ["first"]);
        });
    }

    #[test]
    fn refuses_what_cannot_be_registered_and_changes_nothing() {
        block_on(async {
            let (server, set) = with_prompts();
            let text = set.add(prompt("early")).unwrap_err().to_string();
            assert_eq!(text, "the server does not serve yet: add the prompt `early` with `Server::prompts`");
            let mut wire = session(server).await;
            let text = set.add(prompt("first")).unwrap_err().to_string();
            assert_eq!(text, "the name `first` is taken; `replace` puts a prompt in the place of another");
            assert!(set.add(prompt("")).is_err() && set.replace(prompt("a\nb")).is_err());
            wire.assert_silent().await;
            assert_eq!(names(&mut wire).await, ["first"]);
            wire.finish().await;
            let text = set.add(prompt("late")).unwrap_err().to_string();
            assert_eq!(text, "the server has ended, so `late` is not added");
        });
    }

    #[test]
    fn announces_a_set_that_may_grow_though_it_is_empty() {
        block_on(async {
            for revision in LEGACY {
                let mut server = Server::new("t", "1");
                let _set = server.prompt_set();
                let mut wire = Wire::open(server);
                let capabilities = wire.initialize(revision.into()).await["result"]["capabilities"].take();
                assert_eq!(capabilities["prompts"], json!({ "listChanged": true }), "{revision}");
                assert_eq!(wire.request("prompts/list", json!({})).await["result"], json!({ "prompts": [] }));
            }
        });
    }

    /// Adds itself to the server.
    #[prompt]
    fn grow(set: &mcp_runtime::State<PromptSet>) -> Result<&'static str, mcp_runtime::SetError> {
        set.add(Prompt::builder("grown").text(""))?;
        Ok("grown")
    }

    #[test]
    fn lets_a_prompt_change_the_set_that_it_is_in() {
        block_on(async {
            let mut server = Server::new("t", "1").prompts(prompts![grow]);
            let set = server.prompt_set();
            let mut wire = session(server.state(set)).await;
            wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": { "name": "grow" } }))
                .await;
            let got: BTreeSet<String> =
                [wire.receive().await, wire.receive().await].map(|m| m["id"].to_string()).into();
            assert_eq!(got, BTreeSet::from(["1".to_owned(), "null".to_owned()]));
            assert_eq!(names(&mut wire).await, ["grow", "grown"]);
        });
    }

    #[test]
    fn does_not_start_where_a_prompt_needs_the_set_and_it_is_not_given() {
        block_on(async {
            let text = common::memory::start_error(Server::new("t", "1").prompts(prompts![grow])).await;
            let way = "`let set = server.prompt_set();`, then `server.state(set)`";
            assert_eq!(text, format!("prompt `grow`: needs the `PromptSet`: {way}"));
        });
    }
}

mod resource_set {
    use super::*;

    #[test]
    fn tells_a_session_of_changes_to_resources_and_to_templates_alike() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server).await;
            set.add(resource("file:///b")).unwrap();
            assert_eq!(wire.receive().await, changed(RESOURCES));
            assert_eq!(uris(&mut wire).await, ["file:///a", "other://a", "file:///b"]);
            set.add(resource("new://{a}/{b}")).unwrap();
            assert_eq!(wire.receive().await, changed(RESOURCES));
            let result = wire.request("resources/read", json!({ "uri": "new://1/2" })).await["result"].take();
            assert_eq!(result["contents"][0]["text"], "new://{a}/{b}");
            assert!(set.disable("new://{a}/{b}"));
            assert_eq!(wire.receive().await, changed(RESOURCES));
            let error = wire.request("resources/read", json!({ "uri": "new://1/2" })).await["error"].take();
            assert_eq!(error["code"], -32002);
            assert!(set.remove("new://{a}/{b}") && !set.remove("new://{a}/{b}") && !set.enable("none://"));
            assert_eq!(wire.receive().await, changed(RESOURCES));
            set.replace(ServerResource::builder("file:///a").text("other")).unwrap();
            assert_eq!(wire.receive().await, changed(RESOURCES));
            let result = wire.request("resources/read", json!({ "uri": "file:///a" })).await["result"].take();
            assert_eq!(result["contents"][0]["text"], "other");
        });
    }

    #[test]
    fn refuses_what_cannot_be_registered_and_changes_nothing() {
        block_on(async {
            let (server, set) = with_resources();
            let text = set.add(resource("file:///{+early}")).unwrap_err().to_string();
            let way = "with `Server::resources`";
            assert_eq!(text, format!("the server does not serve yet: add the resource `file:///{{+early}}` {way}"));
            let mut wire = session(server).await;
            for (uri, key) in [("file:///a", "URI"), ("file:///{+path}", "URI template")] {
                let text = set.add(resource(uri)).unwrap_err().to_string();
                let way = "`replace` puts a resource in the place of another";
                assert_eq!(text, format!("the {key} `{uri}` is taken; {way}"));
            }
            for uri in ["file:///{a", "file:///{a}{b}", "relative", "x://%"] {
                let text = set.add(resource(uri)).unwrap_err().to_string();
                assert!(text.starts_with(&format!("resource `{uri}`: ")), "{text}");
                assert!(set.replace(resource(uri)).is_err());
            }
            wire.assert_silent().await;
            assert_eq!(uris(&mut wire).await, ["file:///a", "other://a"]);
        });
    }

    #[test]
    fn announces_subscriptions_where_the_set_is_given_out() {
        block_on(async {
            for revision in LEGACY {
                let (server, _set) = with_resources();
                let mut wire = Wire::open(server);
                let capabilities = wire.initialize(revision.into()).await["result"]["capabilities"].take();
                assert_eq!(capabilities["resources"], json!({ "subscribe": true, "listChanged": true }), "{revision}");
            }
            let mut wire = Wire::open(with_resources().0);
            let discovered = wire.request("server/discover", modern(json!({}))).await["result"].take();
            let expected = json!({ "subscribe": true, "listChanged": true });
            assert_eq!(discovered["capabilities"]["resources"], expected);
        });
    }
}

mod subscriptions {
    use super::*;

    #[test]
    fn tells_a_session_of_the_resources_that_it_is_subscribed_to() {
        block_on(async {
            for revision in LEGACY {
                let (server, set) = with_resources();
                let mut wire = Wire::initialized(server, revision).await;
                set.updated("file:///a");
                wire.assert_silent().await;
                subscribe(&mut wire, "file:///a").await;
                subscribe(&mut wire, "file:///a").await;
                set.updated("other://a");
                set.updated("file:///a");
                assert_eq!(wire.receive().await, updated("file:///a"), "{revision}");
                unsubscribe(&mut wire, "file:///a").await;
                unsubscribe(&mut wire, "file:///a").await;
                subscribe(&mut wire, "other://a").await;
                set.updated("file:///a");
                set.updated("other://a");
                assert_eq!(wire.receive().await, updated("other://a"), "{revision}");
            }
        });
    }

    #[test]
    fn tells_of_what_is_part_of_a_resource_and_of_nothing_beside_it() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server).await;
            subscribe(&mut wire, "file:///dir").await;
            subscribe(&mut wire, "file:///tree/").await;
            for uri in ["file:///directory", "file:///dir2/a", "file:///", "file:///tree", "file:///dir?x=1"] {
                set.updated(uri);
            }
            let told = ["file:///dir", "file:///dir/a", "file:///dir/a/b", "file:///tree/", "file:///tree/a"];
            for uri in told {
                set.updated(uri);
            }
            let mut got = BTreeSet::new();
            while got.len() < told.len() {
                let message = wire.receive().await;
                assert!(got.insert(message.to_string()), "{message} twice");
            }
            assert_eq!(got, told.map(|uri| updated(uri).to_string()).into());
            wire.assert_silent().await;
        });
    }

    #[test]
    fn tells_once_where_several_subscriptions_fit() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server).await;
            for uri in ["file:///dir", "file:///dir/a", "file:///dir/"] {
                subscribe(&mut wire, uri).await;
            }
            set.updated("file:///dir/a");
            assert_eq!(wire.receive().await, updated("file:///dir/a"));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn refuses_to_subscribe_to_what_is_not_there() {
        block_on(async {
            let mut wire = session(with_resources().0).await;
            let error = wire.request("resources/subscribe", json!({ "uri": "none://a" })).await["error"].take();
            let message = "resource not found: none://a";
            assert_eq!(error, json!({ "code": -32002, "message": message, "data": { "uri": "none://a" } }));
            for method in ["resources/subscribe", "resources/unsubscribe"] {
                for params in [json!({}), json!({ "uri": 1 }), json!({ "uri": null })] {
                    let error = wire.request(method, params.clone()).await["error"].take();
                    assert_eq!(error["code"], -32602, "{method} {params}");
                }
            }
        });
    }

    #[test]
    fn lets_a_client_unsubscribe_from_what_is_gone() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server.max_watched_resources(1)).await;
            subscribe(&mut wire, "other://a").await;
            assert!(set.remove("other://a"));
            assert_eq!(wire.receive().await, changed(RESOURCES));
            unsubscribe(&mut wire, "other://a").await;
            set.updated("other://a");
            subscribe(&mut wire, "file:///a").await;
            // What is told a little later is told with this.
            set.updated("file:///a");
            assert_eq!(wire.receive().await, updated("file:///a"));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn has_no_subscriptions_where_nothing_can_change() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").resources([resource("file:///a")])).await;
            for method in ["resources/subscribe", "resources/unsubscribe"] {
                let error = wire.request(method, json!({ "uri": "file:///a" })).await["error"].take();
                assert_eq!(error["code"], -32601, "{method}");
            }
        });
    }

    #[test]
    fn has_no_such_methods_in_the_modern_era() {
        block_on(async {
            let mut wire = Wire::open(with_resources().0);
            for method in ["resources/subscribe", "resources/unsubscribe"] {
                let error = wire.request(method, modern(json!({ "uri": "file:///a" }))).await["error"].take();
                assert_eq!(error["code"], -32601, "{method}");
            }
        });
    }

    #[test]
    fn watches_so_many_resources_for_a_session_and_no_more() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server.max_watched_resources(2)).await;
            for uri in ["file:///1", "file:///2", "file:///1"] {
                subscribe(&mut wire, uri).await;
            }
            let error = wire.request("resources/subscribe", json!({ "uri": "file:///3" })).await["error"].take();
            let message = "the session is subscribed to 2 resources already; unsubscribe from one of them first";
            assert_eq!(error, json!({ "code": -32600, "message": message }));
            unsubscribe(&mut wire, "file:///1").await;
            subscribe(&mut wire, "file:///3").await;
            set.updated("file:///1");
            set.updated("file:///3");
            assert_eq!(wire.receive().await, updated("file:///3"));
        });
    }

    #[test]
    fn keeps_the_subscriptions_of_each_session_apart() {
        block_on(async {
            let (server, set) = with_resources();
            let server = server.start().await.unwrap();
            let (mut one, mut other) = (Wire::connect(&server), Wire::connect(&server));
            for wire in [&mut one, &mut other] {
                wire.initialize("2025-11-25".into()).await;
                wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            }
            subscribe(&mut one, "file:///a").await;
            subscribe(&mut other, "other://a").await;
            set.updated("file:///a");
            set.updated("other://a");
            assert_eq!(one.receive().await, updated("file:///a"));
            assert_eq!(other.receive().await, updated("other://a"));
            one.assert_silent().await;
            other.assert_silent().await;
        });
    }
}

mod listening {
    use super::*;

    #[test]
    fn tells_each_subscription_of_what_it_has_asked_for_and_of_nothing_else() {
        block_on(async {
            let (server, prompts, resources) = all();
            let mut wire = Wire::open(server);
            let honoured = [
                ("p", json!({ "promptsListChanged": true })),
                ("r", json!({ "resourcesListChanged": true })),
                ("u", json!({ "resourceSubscriptions": ["file:///dir", "other://a"] })),
            ];
            for (id, filter) in honoured {
                assert_eq!(listen(&mut wire, id, filter.clone()).await, filter);
            }
            assert_eq!(listen(&mut wire, "n", json!({ "promptsListChanged": false })).await, json!({}));
            prompts.add(prompt("second")).unwrap();
            assert_eq!(wire.receive().await, changed_for("p", PROMPTS));
            resources.add(resource("file:///b")).unwrap();
            assert_eq!(wire.receive().await, changed_for("r", RESOURCES));
            for uri in ["file:///a", "other://a", "file:///dir/x"] {
                resources.updated(uri);
            }
            let told = BTreeSet::from([wire.receive().await, wire.receive().await].map(|message| message.to_string()));
            let expected = ["other://a", "file:///dir/x"].map(|uri| updated_for("u", uri).to_string());
            assert_eq!(told, expected.into());
            assert_silent(&mut wire).await;
        });
    }

    #[test]
    fn tells_every_subscription_that_fits_under_its_own_id() {
        block_on(async {
            let (server, _, resources) = all();
            let mut wire = Wire::open(server);
            let filter = json!({ "resourceSubscriptions": ["file:///a", "file:///a", "file:///"] });
            for id in [json!("1"), json!(1)] {
                listen(&mut wire, id, filter.clone()).await;
            }
            resources.updated("file:///a");
            assert_eq!(wire.receive().await, updated_for("1", "file:///a"));
            assert_eq!(wire.receive().await, updated_for(1, "file:///a"));
            assert_silent(&mut wire).await;
        });
    }

    #[test]
    fn acknowledges_only_what_can_change() {
        block_on(async {
            let everything = json!({
                "toolsListChanged": true,
                "promptsListChanged": true,
                "resourcesListChanged": true,
                "resourceSubscriptions": ["file:///a"],
                "taskIds": ["1"],
            });
            let plain = Server::new("t", "1").prompts([prompt("first")]).resources([resource("file:///a")]);
            for (server, honoured) in [
                (plain, json!({})),
                (with_prompts().0, json!({ "promptsListChanged": true })),
                (with_resources().0, json!({ "resourcesListChanged": true, "resourceSubscriptions": ["file:///a"] })),
            ] {
                let mut wire = Wire::open(server);
                assert_eq!(listen(&mut wire, 1, everything.clone()).await, honoured);
            }
        });
    }

    #[test]
    fn refuses_a_filter_that_is_none() {
        block_on(async {
            let mut wire = Wire::open(all().0);
            for notifications in [
                json!(null),
                json!([]),
                json!({ "promptsListChanged": "yes" }),
                json!({ "resourcesListChanged": null }),
                json!({ "resourceSubscriptions": "file:///a" }),
                json!({ "resourceSubscriptions": [1] }),
            ] {
                let params = modern(json!({ "notifications": notifications }));
                let error = wire.request("subscriptions/listen", params).await["error"].take();
                assert_eq!(error["code"], -32602, "{notifications}");
            }
        });
    }

    #[test]
    fn watches_so_many_resources_for_a_subscription_and_says_which() {
        block_on(async {
            let (server, _, resources) = all();
            let mut wire = Wire::open(server.max_watched_resources(2));
            let honoured = listen(&mut wire, 1, json!({ "resourceSubscriptions": ["x://1", "x://2", "x://3"] })).await;
            assert_eq!(honoured, json!({ "resourceSubscriptions": ["x://1", "x://2"] }));
            resources.updated("x://3");
            resources.updated("x://2");
            assert_eq!(wire.receive().await, updated_for(1, "x://2"));
        });
    }

    #[test]
    fn watches_no_uri_beyond_the_limit() {
        block_on(async {
            let (longest, longer) = ("x".repeat(limits::MAX_URI_BYTES), "x".repeat(limits::MAX_URI_BYTES + 1));
            let mut wire = Wire::open(all().0);
            let honoured = listen(&mut wire, 1, json!({ "resourceSubscriptions": [longer, longest] })).await;
            assert_eq!(honoured, json!({ "resourceSubscriptions": [longest] }));
        });
    }

    #[test]
    fn sends_nothing_for_a_subscription_that_is_cancelled() {
        block_on(async {
            let (server, _, resources) = all();
            let mut wire = Wire::open(server);
            for id in [1, 2] {
                listen(&mut wire, id, json!({ "resourceSubscriptions": ["file:///a"] })).await;
            }
            wire.cancel(1).await;
            assert_silent(&mut wire).await;
            resources.updated("file:///a");
            assert_eq!(wire.receive().await, updated_for(2, "file:///a"));
            assert_silent(&mut wire).await;
        });
    }

    #[test]
    fn tells_a_session_and_a_subscription_on_one_connection_each_what_it_wants() {
        block_on(async {
            let (server, prompts, resources) = all();
            let mut wire = session(server).await;
            listen(&mut wire, "l", json!({ "resourceSubscriptions": ["file:///a"] })).await;
            resources.updated("file:///a");
            assert_eq!(wire.receive().await, updated_for("l", "file:///a"));
            prompts.add(prompt("second")).unwrap();
            assert_eq!(wire.receive().await, changed(PROMPTS));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn ends_subscriptions_with_their_results_when_the_input_ends() {
        block_on(async {
            let mut wire = Wire::open(all().0);
            listen(&mut wire, "l", json!({ "promptsListChanged": true })).await;
            let rest = wire.finish().await;
            assert_eq!((&rest[0]["id"], &rest[0]["result"]["resultType"]), (&json!("l"), &json!("complete")));
            assert_eq!(rest[0]["result"]["_meta"][ID], "l");
            let params = json!({ "_meta": { ID: "l" }, "requestId": "l" });
            assert_eq!(rest[1], json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
            assert_eq!(rest.len(), 2);
        });
    }
}

mod timing {
    use super::*;

    #[test]
    fn tells_nothing_until_the_client_is_ready_and_then_all_of_it() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = Wire::open(server);
            wire.initialize("2025-11-25".into()).await;
            subscribe(&mut wire, "file:///a").await;
            set.updated("other://a");
            set.updated("file:///a");
            set.updated("file:///a");
            set.add(resource("file:///b")).unwrap();
            // The last of the changes may be told a little later, and is told with those before.
            let sentinel = listen(&mut wire, "s", json!({ "resourceSubscriptions": ["sentinel://"] })).await;
            assert_eq!(sentinel, json!({ "resourceSubscriptions": ["sentinel://"] }));
            set.updated("sentinel://x");
            assert_eq!(wire.receive().await, updated_for("s", "sentinel://x"));
            wire.assert_silent().await;
            wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            assert_eq!(wire.receive().await, changed(RESOURCES));
            assert_eq!(wire.receive().await, updated("file:///a"));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn tells_a_modern_client_nothing_that_it_has_not_asked_for() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = Wire::open(server);
            assert_silent(&mut wire).await;
            set.add(resource("file:///b")).unwrap();
            set.updated("file:///a");
            listen(&mut wire, "s", json!({ "resourceSubscriptions": ["sentinel://"] })).await;
            // What is told a little later is told with this.
            set.updated("sentinel://x");
            assert_eq!(wire.receive().await, updated_for("s", "sentinel://x"));
            assert_silent(&mut wire).await;
        });
    }

    #[test]
    fn tells_many_updates_in_a_row_once_for_each_resource() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = session(server).await;
            subscribe(&mut wire, "file:///dir").await;
            subscribe(&mut wire, "other://a").await;
            let began = std::time::Instant::now();
            for _ in 0..300 {
                set.updated("file:///dir/a");
                set.updated("file:///dir/b");
            }
            set.updated("other://a");
            let periods = began.elapsed().as_millis() / 50 + 2;
            let mut told = 0;
            loop {
                let message = wire.receive().await;
                if message == updated("other://a") {
                    break;
                }
                told += 1;
            }
            assert!((2..=2 * periods).contains(&told), "{told} times in {periods} periods");
        });
    }

    #[test]
    fn forgets_news_that_the_session_unsubscribes_from_and_no_other() {
        block_on(async {
            let (server, set) = with_resources();
            let mut wire = Wire::open(server);
            wire.initialize("2025-11-25".into()).await;
            for uri in ["file:///a", "file:///dir", "file:///tree", "file:///tree/x"] {
                subscribe(&mut wire, uri).await;
            }
            let told = listen(&mut wire, "s", json!({ "resourceSubscriptions": ["sentinel://"] })).await;
            assert_eq!(told, json!({ "resourceSubscriptions": ["sentinel://"] }));
            for uri in ["file:///a", "file:///dir/x", "file:///tree/x", "sentinel://x"] {
                set.updated(uri);
            }
            assert_eq!(wire.receive().await, updated_for("s", "sentinel://x"));
            for uri in ["file:///a", "file:///dir", "file:///tree/x"] {
                unsubscribe(&mut wire, uri).await;
            }
            wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            assert_eq!(wire.receive().await, updated("file:///tree/x"));
            wire.assert_silent().await;
        });
    }

    #[test]
    fn tells_nothing_of_updates_before_the_server_serves_and_after_its_end() {
        block_on(async {
            let (server, set) = with_resources();
            set.updated("file:///a");
            let mut wire = session(server).await;
            subscribe(&mut wire, "file:///a").await;
            wire.assert_silent().await;
            assert_eq!(wire.finish().await, Vec::<Value>::new());
            set.updated("file:///a");
        });
    }
}
