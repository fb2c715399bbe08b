//! Completing the arguments of prompts and the variables of templates.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "the handlers have the shapes that are tested"
)]

mod common;

use std::collections::BTreeMap;
use std::convert::Infallible;

use common::memory::{LEGACY, Wire, block_on, modern, session};
use mcp_runtime::{
    Completion, CompletionRequest, Prompt, PromptArgument, Server, ServerResource, prompt, prompts, resource,
    resources, tool, tools,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Keen,
    Strict,
}

fn cities(typed: &str) -> Vec<&'static str> {
    ["Rome", "Riga", "Oslo"].into_iter().filter(|city| city.starts_with(typed)).collect()
}

/// The streets of the shop's towns.
struct Streets(BTreeMap<&'static str, [&'static str; 2]>);

fn streets(request: &CompletionRequest) -> Vec<String> {
    let streets = request.state::<Streets>().expect("the server has the streets");
    let of_city = request.argument("city").and_then(|city| streets.0.get(city));
    let of_city = of_city.into_iter().flatten().filter(|street| street.starts_with(request.value()));
    of_city.map(|street| (*street).to_owned()).collect()
}

async fn houses(request: CompletionRequest) -> Result<Completion, Infallible> {
    tokio::task::yield_now().await;
    Ok(Completion::new([format!("{}0", request.value()), format!("{}1", request.value())]).has_more())
}

/// Address a letter.
#[prompt]
fn address(
    #[arg(complete = cities)] city: &str,
    #[arg(complete = streets)] street: Option<String>,
    #[arg(complete = houses)] house: Option<u32>,
    tone: Option<Tone>,
    #[arg(default = false)] registered: bool,
    note: Option<String>,
) -> String {
    format!("{city} {street:?} {house:?} {tone:?} {registered} {note:?}")
}

/// A street.
#[resource("map://{city}/{street}{?tone}")]
fn street(#[arg(complete = cities)] city: &str, #[arg(complete = streets)] street: &str, tone: Option<Tone>) -> String {
    format!("{city} {street} {tone:?}")
}

/// The whole map.
#[resource("map://all")]
fn map() -> &'static str {
    "map"
}

fn post() -> Server {
    let streets = BTreeMap::from([("Oslo", ["Storgata", "Bygdøy allé"]), ("Rome", ["Via Appia", "Via Sacra"])]);
    Server::new("post", "1").prompts(prompts![address]).resources(resources![street, map]).state(Streets(streets))
}

fn of_prompt(name: &str, argument: &str, value: &str) -> Value {
    json!({ "ref": { "type": "ref/prompt", "name": name }, "argument": { "name": argument, "value": value } })
}

fn of_resource(uri: &str, argument: &str, value: &str) -> Value {
    json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": argument, "value": value } })
}

fn with_others(mut params: Value, others: Value) -> Value {
    params["context"] = json!({ "arguments": others });
    params
}

fn some(values: &[&str]) -> Value {
    json!({ "values": values, "total": values.len(), "hasMore": false })
}

async fn complete(wire: &mut Wire, params: Value) -> Value {
    let mut response = wire.request("completion/complete", params).await;
    assert_eq!(response.get("error"), None, "{response}");
    response["result"].take()
}

/// The completion of an argument in the session.
async fn completion(wire: &mut Wire, params: Value) -> Value {
    complete(wire, params).await["completion"].take()
}

async fn error(wire: &mut Wire, params: Value) -> Value {
    wire.request("completion/complete", params).await["error"].take()
}

mod values {
    use super::*;

    #[test]
    fn completes_by_what_is_typed_so_far() {
        block_on(async {
            let mut wire = session(post()).await;
            for (typed, expected) in [
                ("", some(&["Rome", "Riga", "Oslo"])),
                ("R", some(&["Rome", "Riga"])),
                ("Oslo", some(&["Oslo"])),
                ("x", some(&[])),
            ] {
                assert_eq!(completion(&mut wire, of_prompt("address", "city", typed)).await, expected);
                let of_template = of_resource("map://{city}/{street}{?tone}", "city", typed);
                assert_eq!(completion(&mut wire, of_template).await, expected);
            }
        });
    }

    #[test]
    fn completes_with_a_state_and_the_other_arguments() {
        block_on(async {
            let mut wire = session(post()).await;
            let params = of_prompt("address", "street", "S");
            let params = with_others(params, json!({ "city": "Oslo", "unknown": "x" }));
            assert_eq!(completion(&mut wire, params).await, some(&["Storgata"]));
            let params = of_resource("map://{city}/{street}{?tone}", "street", "Via");
            let params = with_others(params, json!({ "city": "Rome" }));
            assert_eq!(completion(&mut wire, params).await, some(&["Via Appia", "Via Sacra"]));
            for context in [Value::Null, json!({}), json!({ "arguments": {} })] {
                let mut params = of_prompt("address", "street", "");
                params["context"] = context;
                assert_eq!(completion(&mut wire, params).await, some(&[]));
            }
        });
    }

    #[test]
    fn completes_with_what_takes_its_time() {
        block_on(async {
            let mut wire = session(post()).await;
            let completion = completion(&mut wire, of_prompt("address", "house", "1")).await;
            assert_eq!(completion, json!({ "values": ["10", "11"], "hasMore": true }));
        });
    }

    #[test]
    fn completes_enums_and_booleans_by_their_values() {
        block_on(async {
            let mut wire = session(post()).await;
            for (typed, expected) in [
                ("", some(&["kind", "keen", "strict"])),
                ("k", some(&["kind", "keen"])),
                ("KE", some(&["keen"])),
                ("kindly", some(&[])),
            ] {
                assert_eq!(completion(&mut wire, of_prompt("address", "tone", typed)).await, expected, "{typed}");
                let of_template = of_resource("map://{city}/{street}{?tone}", "tone", typed);
                assert_eq!(completion(&mut wire, of_template).await, expected, "{typed}");
            }
            let booleans = completion(&mut wire, of_prompt("address", "registered", "")).await;
            assert_eq!(booleans, some(&["true", "false"]));
        });
    }

    #[test]
    fn has_no_values_for_what_can_be_anything() {
        block_on(async {
            let mut wire = session(post()).await;
            assert_eq!(completion(&mut wire, of_prompt("address", "note", "x")).await, some(&[]));
        });
    }

    #[test]
    fn completes_a_variable_of_a_uri_that_fits_the_template() {
        block_on(async {
            let mut wire = session(post()).await;
            let params = of_resource("map://Oslo/Storgata", "city", "O");
            assert_eq!(completion(&mut wire, params).await, some(&["Oslo"]));
        });
    }

    #[test]
    fn sends_a_hundred_values_at_most() {
        fn numbers(count: usize) -> Vec<String> {
            (0..count).map(|number| number.to_string()).collect()
        }

        block_on(async {
            let prompt = Prompt::builder("numbers");
            let prompt = ["exact", "many", "told", "guessed"]
                .iter()
                .fold(prompt, |prompt, name| prompt.argument(PromptArgument::new(*name)));
            let prompt = prompt
                .complete("exact", |_: &str| numbers(100))
                .complete("many", |_: &str| numbers(250))
                .complete("told", |_: &str| Completion::new(numbers(2)).total(7000))
                .complete("guessed", |_: &str| Completion::new(numbers(250)).has_more())
                .text("");
            let mut wire = session(Server::new("t", "1").prompts([prompt])).await;
            for (argument, values, total, has_more) in [
                ("exact", 100, Some(100), false),
                ("many", 100, Some(250), true),
                ("told", 2, Some(7000), true),
                ("guessed", 100, None, true),
            ] {
                let completion = completion(&mut wire, of_prompt("numbers", argument, "")).await;
                let mut expected = json!({ "values": numbers(values), "hasMore": has_more });
                if let Some(total) = total {
                    expected["total"] = total.into();
                }
                assert_eq!(completion, expected, "{argument}");
            }
        });
    }

    #[test]
    fn completes_what_is_built() {
        block_on(async {
            let prompt = Prompt::builder("go").argument(PromptArgument::new("city")).complete("city", cities).text("");
            let page = ServerResource::builder("docs://{page}")
                .complete("page", |request: CompletionRequest| async move { [format!("{}!", request.value())] });
            let page = page.text("");
            let mut wire = session(Server::new("t", "1").prompts([prompt]).resources([page])).await;
            assert_eq!(completion(&mut wire, of_prompt("go", "city", "O")).await, some(&["Oslo"]));
            assert_eq!(completion(&mut wire, of_resource("docs://{page}", "page", "a")).await, some(&["a!"]));
        });
    }

    #[test]
    fn gives_a_completer_what_is_typed_as_it_is() {
        block_on(async {
            let prompt = Prompt::builder("echo").argument(PromptArgument::new("a"));
            let prompt = prompt.complete("a", |typed: &str| vec![typed.to_owned()]).text("");
            let mut wire = session(Server::new("t", "1").prompts([prompt])).await;
            for typed in ["5", "null", "[\"a\"]", "\u{0}", "ä\n"] {
                assert_eq!(completion(&mut wire, of_prompt("echo", "a", typed)).await, some(&[typed]));
            }
        });
    }
}

mod refusals {
    use super::*;

    #[test]
    fn refuses_what_is_not_there() {
        block_on(async {
            let mut wire = session(post()).await;
            for (params, message) in [
                (of_prompt("none", "city", ""), "unknown prompt: none"),
                (of_prompt("adress", "city", ""), "unknown prompt: adress; did you mean `address`?"),
                (of_prompt("address", "none", ""), "unknown argument: none"),
                (of_resource("map://{none}", "city", ""), "unknown resource: map://{none}"),
                (of_resource("map://{city}/{street}{?tone}", "none", ""), "unknown argument: none"),
                (of_resource("map://all", "city", ""), "unknown argument: city"),
            ] {
                assert_eq!(error(&mut wire, params).await, json!({ "code": -32602, "message": message }));
            }
        });
    }

    #[test]
    fn refuses_params_that_are_none() {
        block_on(async {
            let mut wire = session(post()).await;
            let good = of_prompt("address", "city", "");
            let changed = |member: &str, value: Value| {
                let mut params = good.clone();
                params[member] = value;
                params
            };
            for params in [
                json!({}),
                json!({ "ref": good["ref"] }),
                json!({ "argument": good["argument"] }),
                changed("ref", json!(null)),
                changed("ref", json!("ref/prompt")),
                changed("ref", json!({ "type": "ref/tool", "name": "x" })),
                changed("ref", json!({ "name": "address" })),
                changed("ref", json!({ "type": "ref/prompt", "uri": "address" })),
                changed("argument", json!(null)),
                changed("argument", json!(["city", ""])),
                changed("argument", json!({ "name": "city" })),
                changed("argument", json!({ "name": "city", "value": 1 })),
                changed("argument", json!({ "name": 1, "value": "" })),
                changed("context", json!([])),
                changed("context", json!({ "arguments": ["a"] })),
                changed("context", json!({ "arguments": { "city": 1 } })),
            ] {
                assert_eq!(error(&mut wire, params.clone()).await["code"], -32602, "{params}");
            }
            let response = wire.exchange(r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete"}"#).await;
            assert_eq!(response["error"]["code"], -32602);
        });
    }

    #[test]
    fn tolerates_members_that_it_does_not_know() {
        block_on(async {
            let mut wire = session(post()).await;
            let params = json!({
                "ref": { "type": "ref/prompt", "name": "address", "title": "Address" },
                "argument": { "name": "city", "value": "O", "more": 1 },
                "context": { "arguments": {}, "more": [] },
                "more": {},
            });
            assert_eq!(completion(&mut wire, params).await, some(&["Oslo"]));
        });
    }

    #[test]
    fn goes_on_after_a_completer_fails_or_panics() {
        block_on(async {
            let prompt = || {
                let prompt = Prompt::builder("bad").argument(PromptArgument::new("panics"));
                let prompt = prompt.argument(PromptArgument::new("bursts")).argument(PromptArgument::new("fails"));
                prompt
                    .complete("panics", |typed: &str| {
                        assert!(typed.is_empty(), "secret");
                        [""; 0]
                    })
                    .complete("bursts", |request: CompletionRequest| async move {
                        assert!(request.value().is_empty(), "secret");
                        [""; 0]
                    })
                    .complete("fails", |_: &str| Err::<Vec<String>, _>("the list is gone"))
                    .text("")
            };
            let mut wire = session(Server::new("t", "1").prompts([prompt()])).await;
            for argument in ["panics", "bursts"] {
                let expected = json!({ "code": -32603, "message": "the completion failed unexpectedly" });
                assert_eq!(error(&mut wire, of_prompt("bad", argument, "x")).await, expected);
                assert_eq!(completion(&mut wire, of_prompt("bad", argument, "")).await, some(&[]));
            }
            let expected = json!({ "code": -32603, "message": "the list is gone" });
            assert_eq!(error(&mut wire, of_prompt("bad", "fails", "")).await, expected);
            let mut wire = session(Server::new("t", "1").prompts([prompt()]).mask_errors(true)).await;
            let expected = json!({ "code": -32603, "message": "the completion failed" });
            assert_eq!(error(&mut wire, of_prompt("bad", "fails", "")).await, expected);
        });
    }

    static STARTED: Notify = Notify::const_new();

    #[test]
    fn answers_nothing_to_a_completion_that_is_cancelled() {
        block_on(async {
            let prompt = Prompt::builder("slow").argument(PromptArgument::new("a"));
            let prompt = prompt.complete("a", |_: CompletionRequest| async {
                STARTED.notify_one();
                std::future::pending::<Vec<String>>().await
            });
            let mut wire = session(Server::new("t", "1").prompts([prompt.text("")])).await;
            let params = of_prompt("slow", "a", "");
            wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": params })).await;
            STARTED.notified().await;
            wire.cancel(1).await;
            wire.assert_silent().await;
            assert_eq!(wire.finish().await, Vec::<Value>::new());
        });
    }
}

mod revisions {
    use super::*;

    #[test]
    fn announces_completions_where_the_revision_has_the_capability_and_serves_them_in_all() {
        block_on(async {
            for revision in LEGACY {
                let mut wire = Wire::open(post());
                let capabilities = wire.initialize(revision.into()).await["result"]["capabilities"].take();
                let expected = (revision != "2024-11-05").then(|| json!({}));
                assert_eq!(capabilities.get("completions"), expected.as_ref(), "{revision}");
                let result = complete(&mut wire, of_prompt("address", "city", "O")).await;
                assert_eq!(result, json!({ "completion": some(&["Oslo"]) }), "{revision}");
            }
        });
    }

    #[test]
    fn completes_in_the_modern_era_without_a_hint_about_keeping_the_result() {
        block_on(async {
            let mut wire = Wire::open(post());
            let discovered = wire.request("server/discover", modern(json!({}))).await["result"].take();
            assert_eq!(discovered["capabilities"]["completions"], json!({}));
            for argument in ["city", "tone"] {
                let result = complete(&mut wire, modern(of_prompt("address", argument, "x"))).await;
                let members: Vec<_> = result.as_object().unwrap().keys().collect();
                assert_eq!(members, ["resultType", "completion", "_meta"]);
                assert_eq!((&result["resultType"], &result["completion"]), (&json!("complete"), &some(&[])));
            }
        });
    }

    /// A prompt that nothing completes.
    #[prompt]
    fn free(text: &str, number: Option<u32>) -> String {
        format!("{text} {number:?}")
    }

    #[test]
    fn has_no_completions_where_nothing_completes() {
        block_on(async {
            let mut wire = Wire::open(Server::new("t", "1").prompts(prompts![free]).resources(resources![map]));
            let capabilities = wire.initialize("2025-11-25".into()).await["result"]["capabilities"].take();
            assert_eq!(capabilities, json!({ "prompts": {}, "resources": {} }));
            assert_eq!(error(&mut wire, of_prompt("free", "text", "")).await["code"], -32601);
        });
    }

    /// A prompt that only its types complete.
    #[prompt]
    fn toned(text: &str, tone: Tone) -> String {
        format!("{text} {tone:?}")
    }

    #[resource("toned://{tone}")]
    fn toned_page(tone: Tone) -> String {
        format!("{tone:?}")
    }

    #[test]
    fn has_completions_where_only_the_values_of_a_type_complete() {
        block_on(async {
            for (server, params) in [
                (Server::new("t", "1").prompts(prompts![toned]), of_prompt("toned", "tone", "s")),
                (Server::new("t", "1").resources(resources![toned_page]), of_resource("toned://{tone}", "tone", "s")),
            ] {
                let mut wire = Wire::open(server);
                let capabilities = wire.initialize("2025-11-25".into()).await["result"]["capabilities"].take();
                assert_eq!(capabilities["completions"], json!({}));
                assert_eq!(completion(&mut wire, params).await, some(&["strict"]));
            }
        });
    }

    /// A tool with an enum.
    #[tool]
    fn tone(tone: Tone) -> String {
        format!("{tone:?}")
    }

    #[test]
    fn completes_no_arguments_of_tools() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![tone])).await;
            assert_eq!(error(&mut wire, of_prompt("tone", "tone", "")).await["code"], -32601);
        });
    }
}
