//! What nobody sends who means well, and handlers that ask too much.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::{AskError, Context, CreateMessageRequest, Form, SamplingMessage, Server, State, tool, tools};
use serde_json::{Value, json};

use crate::support::{
    Wire, all_capabilities, answer, asked, block_on, call, failure, keys, modern_of, named, retry, session, text,
    text_of,
};

#[derive(serde::Deserialize, schemars::JsonSchema, Form, Debug)]
struct Name {
    name: String,
}

/// Ask by keys, all at once.
#[tool]
async fn by_keys(keys: Vec<String>, ctx: &Context) -> Result<String, AskError> {
    let mut asking: Vec<_> = keys.iter().map(|key| Box::pin(ctx.elicit::<Name>(key, key))).collect();
    let mut names = vec![None; keys.len()];
    std::future::poll_fn(|cx| {
        for (at, future) in asking.iter_mut().enumerate() {
            if names[at].is_none()
                && let std::task::Poll::Ready(name) = future.as_mut().poll(cx)
            {
                match name {
                    Ok(Name { name }) => names[at] = Some(name),
                    Err(error) => return std::task::Poll::Ready(Err(error)),
                }
            }
        }
        let all: Option<Vec<String>> = names.iter().cloned().collect();
        all.map_or(std::task::Poll::Pending, |all| std::task::Poll::Ready(Ok(all.join(","))))
    })
    .await
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![by_keys])
}

#[test]
fn takes_any_text_for_a_key() {
    block_on(async {
        let odd = [
            String::new(),
            "\"quoted\"\\".to_owned(),
            "line\nfeed\r\u{2028}\0".to_owned(),
            "{\"a\":1}".to_owned(),
            "ключ 🗝".to_owned(),
            "x".repeat(100_000),
            "__proto__".to_owned(),
            "expires".to_owned(),
        ];
        let first = || call("by_keys", json!({ "keys": odd }));
        let mut wire = Wire::open(server());
        let all = asked(&mut wire, first()).await;
        assert_eq!(keys(&all), odd);
        // One by one, so that each has to be remembered.
        let last = &odd[odd.len() - 1];
        let answers: Value =
            odd[..7].iter().filter(|key| key.len() < 100).map(|key| (key.clone(), named("a"))).collect();
        let rest = asked(&mut wire, retry(first(), &all, answers)).await;
        let answers = json!({ last: named("z"), odd[5].as_str(): named("y") });
        assert_eq!(text(&mut wire, retry(first(), &rest, answers)).await, "a,a,a,a,a,y,a,z");
        // In a session a key is nobody's business.
        let mut wire = session(server(), "2025-11-25").await;
        wire.send_call("call", "by_keys", json!({ "keys": odd })).await;
        for name in 0..odd.len() {
            let question = wire.receive().await;
            answer(&mut wire, &question, named(&name.to_string())).await;
        }
        assert_eq!(text_of(&wire.receive().await["result"]), "0,1,2,3,4,5,6,7");
    });
}

#[test]
fn asks_no_more_at_a_time_than_it_may() {
    block_on(async {
        let many = |count: u32| json!({ "keys": (0..count).map(|key| key.to_string()).collect::<Vec<_>>() });
        let mut wire = Wire::open(server());
        assert_eq!(keys(&asked(&mut wire, call("by_keys", many(100))).await).len(), 100);
        let expected = "this call asks more than the 100 questions that are allowed at a time";
        for count in [101, 10_000] {
            assert_eq!(failure(&mut wire, call("by_keys", many(count))).await, expected);
        }
        let mut wire = Wire::open(server().max_open_questions(2));
        assert_eq!(keys(&asked(&mut wire, call("by_keys", many(2))).await).len(), 2);
        assert!(failure(&mut wire, call("by_keys", many(3))).await.contains("the 2 questions"));
        // With an answer there is room for another one.
        let mut params = call("by_keys", many(3));
        params["inputResponses"] = json!({ "0": named("a") });
        assert_eq!(keys(&asked(&mut wire, params).await), ["1", "2"]);

        let mut wire = session(server().max_open_questions(2), "2025-06-18").await;
        wire.send_call("call", "by_keys", many(3)).await;
        let mut methods = Vec::new();
        loop {
            let message = wire.receive().await;
            if message["id"] == "call" {
                assert!(text_of(&message["result"]).contains("the 2 questions"));
                break;
            }
            methods.push(message["method"].as_str().expect("a text").to_owned());
        }
        // Those that were asked are withdrawn, and before the response.
        let cancelled = "notifications/cancelled";
        assert_eq!(methods, ["elicitation/create", "elicitation/create", cancelled, cancelled]);
        wire.assert_silent().await;
    });
}

/// Let the model write twice.
#[tool]
async fn talk(ctx: &Context) -> Result<String, AskError> {
    let request = || CreateMessageRequest::new(9, [SamplingMessage::user("Hi")]);
    let one = ctx.sample("one", request()).await?;
    let other = ctx.sample("other", request()).await?;
    Ok(one.text() + &other.text())
}

#[test]
fn remembers_answers_that_no_tree_of_values_could_hold() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![talk]));
        let meta = modern_of(json!({}), all_capabilities())["_meta"].to_string();
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for odd in
            ["1e400", "-1e999999", "123456789012345678901234567890", deep.as_str(), "\"\\ud800\"", "{\"a\":1,\"a\":2}"]
        {
            let written = |text: &str| {
                format!(r#"{{"role":"assistant","content":{{"type":"text","text":"{text}"}},"model":"m","odd":{odd}}}"#)
            };
            let line = |more: &str| {
                let params = format!(r#"{{"name":"talk","arguments":{{}},"_meta":{meta},{more}}}"#);
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
            };
            let asked = wire.exchange(&line(&format!(r#""inputResponses":{{"one":{}}}"#, written("a")))).await;
            let state = &asked["result"]["requestState"];
            assert!(state.is_string(), "{odd:.40}: {asked}");
            let more = format!(r#""inputResponses":{{"other":{}}},"requestState":{state}"#, written("b"));
            let response = wire.exchange(&line(&more)).await;
            assert_eq!(text_of(&response["result"]), "ab", "{odd:.40}");
        }
    });
}

#[test]
fn bears_arguments_of_any_depth() {
    block_on(async {
        let mut wire = Wire::open(server());
        let meta = modern_of(json!({}), all_capabilities())["_meta"].to_string();
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let params =
            format!(r#"{{"name":"by_keys","arguments":{{"keys":{deep}}},"_meta":{meta},"requestState":"v1.AA"}}"#);
        let response =
            wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!(response["error"]["code"], -32602, "{response}");
        let params = format!(
            r#"{{"name":"by_keys","arguments":{{"keys":["a"]}},"_meta":{meta},"inputResponses":{{"a":{deep}}}}}"#
        );
        let response =
            wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!(response["error"]["code"], -32602, "{response}");
    });
}

#[test]
fn takes_the_answer_to_a_key_that_is_there_twice_as_one() {
    block_on(async {
        let mut wire = Wire::open(server());
        let meta = modern_of(json!({}), all_capabilities())["_meta"].to_string();
        let answers = format!(r#"{{"a":{},"\u0061":{}}}"#, named("1"), named("2"));
        let params =
            format!(r#"{{"name":"by_keys","arguments":{{"keys":["a"]}},"_meta":{meta},"inputResponses":{answers}}}"#);
        let response =
            wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!(text_of(&response["result"]), "2");
    });
}

#[test]
fn bears_a_flood_of_answers() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        wire.send_call("call", "by_keys", json!({ "keys": ["a"] })).await;
        let question = wire.receive().await;
        let stray = |id: u32| json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string() + "\n";
        let flood: String = (2..20_000).map(stray).collect();
        wire.send_bytes(flood.as_bytes()).await;
        wire.assert_silent().await;
        answer(&mut wire, &question, named("Ada")).await;
        assert_eq!(text_of(&wire.receive().await["result"]), "Ada");
    });
}

/// How many handlers are alive.
#[derive(Clone, Default)]
struct Alive(Arc<AtomicUsize>);

/// Counts a handler as alive.
struct Life(Arc<AtomicUsize>);

impl Drop for Life {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ask and hold on to something.
#[tool]
async fn hold(alive: &State<Alive>, ctx: &Context) -> Result<String, AskError> {
    alive.0.fetch_add(1, Ordering::SeqCst);
    let _life = Life(Arc::clone(&alive.0));
    Ok(ctx.elicit::<Name>("name", "Name?").await?.name)
}

#[test]
fn holds_nothing_while_the_client_thinks_in_the_modern_era() {
    block_on(async {
        let alive = Alive::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![hold]).state(alive.clone()));
        for _ in 0..1000 {
            asked(&mut wire, call("hold", json!({}))).await;
            assert_eq!(alive.0.load(Ordering::SeqCst), 0);
        }
        let mut wire = session(Server::new("t", "1").tools(tools![hold]).state(alive.clone()), "2025-06-18").await;
        wire.send_call("call", "hold", json!({})).await;
        wire.receive().await;
        assert_eq!(alive.0.load(Ordering::SeqCst), 1);
        wire.cancel("call").await;
        assert_eq!(wire.receive().await["method"], "notifications/cancelled");
        wire.assert_silent().await;
        assert_eq!(alive.0.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn waits_for_answers_while_many_calls_wait_for_their_turn() {
    block_on(async {
        let server = server().max_calls_in_flight(1).max_waiting_bytes(1);
        let mut wire = session(server, "2025-06-18").await;
        wire.send_call("call", "by_keys", json!({ "keys": ["a"] })).await;
        let question = wire.receive().await;
        for id in 0..5 {
            wire.send_call(id, "by_keys", json!({ "keys": [] })).await;
            // Each is read by itself.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
        }
        answer(&mut wire, &question, named("Ada")).await;
        let mut ended = Vec::new();
        for _ in 0..6 {
            let response = wire.receive().await;
            ended.push((response["id"].clone(), response["error"]["code"].clone()));
        }
        ended.sort_by_key(|(id, _)| id.to_string());
        // One may wait, the others are refused: reading could not stop.
        let refused = |id: u8| (json!(id), json!(-32600));
        let expected =
            [(json!("call"), json!(null)), (json!(0), json!(null)), refused(1), refused(2), refused(3), refused(4)];
        assert_eq!(ended, expected);
    });
}
