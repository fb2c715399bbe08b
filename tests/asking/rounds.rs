//! Calls of the modern era in rounds: what a handler may do, and what a client may send.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::{
    AskError, ClientCapability, Completion, Context, CreateMessageRequest, Form, Next, SamplingMessage, SamplingTool,
    Server, State, Tool, ToolError, ToolRequest, prompt, prompts, resource, resources, tool, tools,
};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::support::{
    Wire, accept, all_capabilities, asked, block_on, call, error, failure, keys, modern_of, named, result, retry, text,
    written,
};

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema, Form, Debug)]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Ask, and say why there is no answer.
#[tool]
async fn why(ctx: &Context) -> String {
    match ctx.elicit::<Name>("name", "Your name?").await {
        Ok(Name { name }) => name,
        Err(error) => format!("{error:?}"),
    }
}

fn open() -> Wire {
    Wire::open(Server::new("t", "1").tools(tools![greet, why]))
}

#[test]
fn refuses_answers_that_are_no_object() {
    block_on(async {
        let mut wire = open();
        for answers in [json!([]), json!([["name", named("Ada")]]), json!("name"), json!(7), json!(true)] {
            let mut params = call("greet", json!({}));
            params["inputResponses"] = answers.clone();
            let error = error(&mut wire, params).await;
            assert_eq!(error["code"], -32602, "{answers}");
            assert!(error["message"].as_str().expect("a text").starts_with("`inputResponses` must be an object"));
        }
    });
}

#[test]
fn refuses_an_answer_that_is_malformed_whatever_the_handler_makes_of_it() {
    block_on(async {
        let mut wire = open();
        let bad = [
            json!(12345),
            json!("Ada"),
            Value::Null,
            json!([]),
            json!({}),
            json!({ "action": "yes" }),
            json!({ "action": ["accept"] }),
            json!({ "method": "elicitation/create" }),
            accept(json!("Ada")),
            accept(json!(["Ada"])),
            json!({ "name": "Ada" }),
        ];
        for (tool, answer) in ["greet", "why"].iter().flat_map(|tool| bad.iter().map(move |answer| (tool, answer))) {
            let mut params = call(tool, json!({}));
            params["inputResponses"] = json!({ "name": answer });
            let error = error(&mut wire, params).await;
            assert_eq!(error["code"], -32602, "{answer}");
            let message = error["message"].as_str().expect("a text");
            assert!(message.starts_with("the answer `name` in `inputResponses` is malformed: "), "{message}");
        }
    });
}

#[test]
fn lets_a_client_mend_a_malformed_answer() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, call("greet", json!({}))).await;
        error(&mut wire, retry(call("greet", json!({})), &asked, json!({ "name": 1 }))).await;
        assert_eq!(
            text(&mut wire, retry(call("greet", json!({})), &asked, json!({ "name": named("Ada") }))).await,
            "Hello, Ada!"
        );
    });
}

#[test]
fn tells_the_handler_what_the_user_did() {
    block_on(async {
        let mut wire = open();
        for (answer, expected) in [
            (json!({ "action": "decline" }), "Declined"),
            (json!({ "action": "cancel", "content": null }), "Cancelled"),
            (json!({ "action": "accept" }), r#"Invalid(["`name` is required and missing"])"#),
            (accept(json!({ "name": 7 })), r#"Invalid(["`name`: expected string, got integer 7"])"#),
            (accept(json!({ "name": { "name": "Ada" } })), r#"Invalid(["`name`: expected string, got object"])"#),
        ] {
            let mut params = call("why", json!({}));
            params["inputResponses"] = json!({ "name": answer });
            assert_eq!(text(&mut wire, params.clone()).await, expected);
            params["name"] = "greet".into();
            assert!(!failure(&mut wire, params).await.is_empty());
        }
    });
}

/// Ask two at once, and go on without those that fail.
#[tool]
async fn two(ctx: &Context) -> String {
    let (a, b) = tokio::join!(ctx.elicit::<Name>("a", "A?"), ctx.elicit::<Name>("b", "B?"));
    format!("{a:?} {b:?}")
}

#[test]
fn keeps_no_malformed_answer_for_later_rounds() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![two]));
        let asked = asked(&mut wire, call("two", json!({}))).await;
        // The other is still open, and the call ends all the same.
        let params = retry(call("two", json!({})), &asked, json!({ "a": 7 }));
        assert_eq!(error(&mut wire, params).await["code"], -32602);
        let answers = json!({ "a": named("x"), "b": { "action": "decline" } });
        let text = text(&mut wire, retry(call("two", json!({})), &asked, answers)).await;
        assert_eq!(text, r#"Ok(Name { name: "x" }) Err(Declined)"#);
    });
}

/// Ask until the answer fits.
#[tool]
async fn stubborn(ctx: &Context) -> Result<String, AskError> {
    let mut tries = 1;
    loop {
        match ctx.elicit::<Name>("name", format!("Your name? ({tries})")).await {
            Ok(Name { name }) => return Ok(format!("{name} after {tries}")),
            Err(AskError::Invalid(_) | AskError::Declined) => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

#[test]
fn asks_anew_with_the_key_of_a_question_that_has_an_answer() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![stubborn]));
        let first = || call("stubborn", json!({}));
        let mut last = asked(&mut wire, first()).await;
        for (tries, answer) in
            [(2, accept(json!({}))), (3, json!({ "action": "decline" })), (4, accept(json!({ "name": 1 })))]
        {
            last = asked(&mut wire, retry(first(), &last, json!({ "name": answer }))).await;
            assert_eq!(last["inputRequests"]["name"]["params"]["message"], format!("Your name? ({tries})"));
        }
        assert_eq!(text(&mut wire, retry(first(), &last, json!({ "name": named("Ada") }))).await, "Ada after 4");
    });
}

/// Ask twice at a time with one key.
#[tool]
async fn twice(ctx: &Context) -> Result<String, AskError> {
    let (one, other) = tokio::join!(ctx.elicit::<Name>("it", "One?"), ctx.elicit::<Name>("it", "Other?"));
    Ok(format!("{} {}", one?.name, other?.name))
}

#[test]
fn asks_one_after_the_other_what_has_one_key() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![twice]));
        let first = || call("twice", json!({}));
        let one = asked(&mut wire, first()).await;
        assert_eq!(one["inputRequests"]["it"]["params"]["message"], "One?");
        let other = asked(&mut wire, retry(first(), &one, json!({ "it": named("1") }))).await;
        assert_eq!(other["inputRequests"]["it"]["params"]["message"], "Other?");
        assert_eq!(text(&mut wire, retry(first(), &other, json!({ "it": named("2") }))).await, "1 2");
    });
}

/// How often a step has run.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicUsize>);

/// Reserve once, and ask twice.
#[tool]
async fn book(runs: &State<Runs>, ctx: &Context) -> Result<String, AskError> {
    let step = async { runs.0.fetch_add(1, Ordering::SeqCst) };
    let number = ctx.once("reserve", step).await?;
    let failed: Result<u8, String> = ctx.once("fail", async { Err("full".to_owned()) }).await?;
    let big: u128 = ctx.once("big", async { u128::MAX - 1 }).await?;
    let Name { name } = ctx.elicit("name", "Name?").await?;
    let Name { name: other } = ctx.elicit("other", "Other name?").await?;
    Ok(format!("{number} {failed:?} {} {name} {other}", big == u128::MAX - 1))
}

#[test]
fn runs_a_step_once_over_all_rounds() {
    block_on(async {
        let runs = Runs::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![book]).state(runs.clone()));
        let first = || call("book", json!({}));
        let one = asked(&mut wire, first()).await;
        let two = asked(&mut wire, retry(first(), &one, json!({ "name": named("Ada") }))).await;
        let said = text(&mut wire, retry(first(), &two, json!({ "other": named("Bob") }))).await;
        assert_eq!(said, r#"0 Err("full") true Ada Bob"#);
        assert_eq!(runs.0.load(Ordering::SeqCst), 1);
        // Whoever sends an old state again goes on from there again.
        let said = text(&mut wire, retry(first(), &two, json!({ "other": named("Eve") }))).await;
        assert_eq!(said, r#"0 Err("full") true Ada Eve"#);
        assert_eq!(runs.0.load(Ordering::SeqCst), 1);
    });
}

/// Buy each, then ask.
#[tool]
async fn buy_each(items: Vec<String>, runs: &State<Runs>, ctx: &Context) -> Result<String, AskError> {
    let mut bought = Vec::new();
    for item in &items {
        let step = async { format!("{item} {}", runs.0.fetch_add(1, Ordering::SeqCst)) };
        bought.push(ctx.once("buy", step).await?);
    }
    let Name { name } = ctx.elicit("name", "Name?").await?;
    Ok(format!("{} for {name}", bought.join(", ")))
}

#[test]
fn tells_steps_of_one_key_apart_by_their_order() {
    block_on(async {
        let runs = Runs::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![buy_each]).state(runs.clone()));
        let first = || call("buy_each", json!({ "items": ["a", "b"] }));
        let one = asked(&mut wire, first()).await;
        let said = text(&mut wire, retry(first(), &one, json!({ "name": named("Ada") }))).await;
        assert_eq!(said, "a 0, b 1 for Ada");
        assert_eq!(runs.0.load(Ordering::SeqCst), 2);
    });
}

/// Remember much.
#[tool]
async fn heavy(bytes: usize, ctx: &Context) -> Result<String, AskError> {
    let text = ctx.once("much", async { "x".repeat(bytes) }).await?;
    ctx.elicit::<Name>("name", "Name?").await?;
    Ok(text.len().to_string())
}

/// Ask two things, one after the other.
#[tool]
async fn in_turn(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("a", "A?").await?;
    let Name { name: other } = ctx.elicit("b", "B?").await?;
    Ok(format!("{} {}", name.len(), other.len()))
}

#[test]
fn remembers_no_more_than_it_may() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![heavy, in_turn]).max_state_bytes(100));
        // The key has four bytes, and a string two quotes.
        let fits = call("heavy", json!({ "bytes": 94 }));
        let all = asked(&mut wire, fits.clone()).await;
        assert_eq!(text(&mut wire, retry(fits, &all, json!({ "name": named("Ada") }))).await, "94");
        let failed = failure(&mut wire, call("heavy", json!({ "bytes": 95 }))).await;
        assert!(failed.contains("larger than the 100 bytes that are allowed"), "{failed}");

        // An answer that need not be remembered may be of any size.
        let one = asked(&mut wire, call("in_turn", json!({}))).await;
        let long = named(&"x".repeat(1000));
        let failed = failure(&mut wire, retry(call("in_turn", json!({})), &one, json!({ "a": long }))).await;
        assert!(failed.contains("larger than the 100 bytes that are allowed"), "{failed}");
        let two = asked(&mut wire, retry(call("in_turn", json!({})), &one, json!({ "a": named("") }))).await;
        // Nobody has asked for it, so it is not kept either.
        let three = asked(&mut wire, retry(call("in_turn", json!({})), &two, json!({ "c": long }))).await;
        assert_eq!(text(&mut wire, retry(call("in_turn", json!({})), &three, json!({ "b": long }))).await, "0 1000");
    });
}

/// Turn the error into one of its own.
#[tool]
async fn own_error(ctx: &Context) -> Result<String, String> {
    ctx.elicit::<Name>("name", "Name?").await.map(|name| name.name).map_err(|_| "it did not work".to_owned())
}

/// Say it in words for the model.
#[tool]
async fn tool_error(ctx: &Context) -> Result<String, ToolError> {
    match ctx.roots("roots").await {
        Ok(_) => Ok("roots".to_owned()),
        Err(_) => Err(ToolError::failure("no roots").with_data(json!({ "a": 1 }))),
    }
}

/// Need tools of the model.
#[tool]
async fn agent(ctx: &Context) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let request = CreateMessageRequest::new(9, [SamplingMessage::user("Hi")]).tools([SamplingTool::new(
        "t",
        "T",
        json!({ "type": "object" }),
    )]);
    Ok(ctx.sample("text", request).await?.text())
}

/// Need a page to be opened.
#[tool]
async fn pay(ctx: &Context) -> Result<String, AskError> {
    ctx.elicit_url("pay", "Pay.", "https://pay.example").await?;
    Ok("paid".to_owned())
}

/// Greet somebody.
#[prompt]
async fn hello(ctx: &Context) -> Result<String, AskError> {
    Ok(ctx.elicit::<Name>("name", "Whom?").await?.name)
}

/// A secret.
#[resource("me://{what}")]
async fn me(what: &str, ctx: &Context) -> Result<String, AskError> {
    Ok(format!("{what} of {}", ctx.elicit::<Name>("name", "Who are you?").await?.name))
}

#[test]
fn says_which_capability_is_missing_whatever_the_error_of_the_handler_is() {
    block_on(async {
        let server = Server::new("t", "1")
            .tools(tools![greet, own_error, tool_error, agent, pay, why])
            .prompts(prompts![hello])
            .resources(resources![me]);
        let mut wire = Wire::open(server);
        let form = json!({ "elicitation": { "form": {} } });
        for (tool, declared, required) in [
            ("greet", json!({}), form.clone()),
            ("greet", json!({ "elicitation": { "url": {} } }), form.clone()),
            ("own_error", json!({ "sampling": {} }), form.clone()),
            ("tool_error", form.clone(), json!({ "roots": {} })),
            ("agent", json!({ "sampling": {} }), json!({ "sampling": { "tools": {} } })),
            ("agent", json!({}), json!({ "sampling": { "tools": {} } })),
            ("pay", json!({ "elicitation": {} }), json!({ "elicitation": { "url": {} } })),
        ] {
            let params = modern_of(json!({ "name": tool, "arguments": {} }), declared);
            let error = error(&mut wire, params).await;
            assert_eq!(
                (&error["code"], &error["data"]),
                (&json!(-32021), &json!({ "requiredCapabilities": required }))
            );
        }
        for (method, params) in
            [("prompts/get", json!({ "name": "hello" })), ("resources/read", json!({ "uri": "me://age" }))]
        {
            let response = wire.request(method, modern_of(params, json!({}))).await;
            assert_eq!(response["error"]["code"], -32021, "{response}");
        }
        // One that handles it is complete.
        let params = modern_of(json!({ "name": "why", "arguments": {} }), json!({}));
        assert_eq!(text(&mut wire, params).await, "Unsupported(ElicitationForm)");
        // What the last request has declared is forgotten.
        asked(&mut wire, call("greet", json!({}))).await;
        let params = modern_of(json!({ "name": "greet", "arguments": {} }), json!({}));
        assert_eq!(error(&mut wire, params).await["code"], -32021);
    });
}

#[test]
fn asks_in_a_resource() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").resources(resources![me]));
        let first = || modern_of(json!({ "uri": "me://age" }), all_capabilities());
        let asked = wire.request("resources/read", first()).await["result"].take();
        // What asks is not to be kept by anyone.
        let members: Vec<&String> = asked.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["resultType", "inputRequests", "requestState", "_meta"]);
        let next = retry(first(), &asked, json!({ "name": named("Ada") }));
        let read = wire.request("resources/read", next.clone()).await;
        assert_eq!(read["result"]["contents"][0]["text"], "age of Ada", "{read}");
        // The state is of this URI only.
        let mut other = next;
        other["uri"] = "me://size".into();
        assert_eq!(wire.request("resources/read", other).await["error"]["code"], -32602);
    });
}

fn complete_names(_: &str) -> Completion {
    Completion::new(["Ada"])
}

/// Greet one.
#[prompt]
async fn greet_one(#[arg(complete = complete_names)] name: &str) -> String {
    name.to_owned()
}

#[test]
fn asks_nothing_in_other_methods() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").prompts(prompts![greet_one]));
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "greet_one" },
            "argument": { "name": "name", "value": "" },
            "inputResponses": 7,
            "requestState": "v1.",
        });
        let response = wire.request("completion/complete", modern_of(params, all_capabilities())).await;
        assert_eq!(response["result"]["completion"]["values"], json!(["Ada"]), "{response}");
    });
}

/// Asks in a task of its own, and tells what that has come to.
fn in_task(done: UnboundedSender<String>) -> Tool {
    Tool::builder("in_task").handler(move |_: NoArguments, ctx: Context| {
        let done = done.clone();
        let task = tokio::spawn(async move {
            // Let the call wait first.
            tokio::task::yield_now().await;
            let answer = ctx.elicit::<Name>("name", "Name?").await;
            done.send(format!("{answer:?}")).expect("the test waits");
            answer
        });
        async move { task.await.expect("no panic").map(|name| name.name) }
    })
}

/// Answers, and lets a task ask later.
fn too_late(done: UnboundedSender<String>, go: Arc<Notify>) -> Tool {
    Tool::builder("too_late").handler(move |_: NoArguments, ctx: Context| {
        let (done, go) = (done.clone(), Arc::clone(&go));
        tokio::spawn(async move {
            go.notified().await;
            let answer = ctx.elicit::<Name>("name", "Name?").await;
            done.send(format!("{answer:?}")).expect("the test waits");
        });
        async { Ok::<_, AskError>("answered") }
    })
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NoArguments {}

#[test]
fn asks_in_a_task_and_lets_it_end_with_the_round() {
    block_on(async {
        let (sender, mut done) = unbounded_channel();
        let mut wire = Wire::open(Server::new("t", "1").tools([in_task(sender)]));
        let asked = asked(&mut wire, call("in_task", json!({}))).await;
        assert_eq!(done.recv().await.as_deref(), Some("Err(ConnectionLost)"));
        let said = text(&mut wire, retry(call("in_task", json!({})), &asked, json!({ "name": named("Ada") }))).await;
        assert_eq!(said, "Ada");
        assert_eq!(done.recv().await.as_deref(), Some(r#"Ok(Name { name: "Ada" })"#));
    });
}

#[test]
fn asks_nothing_after_the_answer() {
    block_on(async {
        for is_modern in [true, false] {
            let ((sender, mut done), go) = (unbounded_channel(), Arc::new(Notify::new()));
            let server = Server::new("t", "1").tools([too_late(sender, Arc::clone(&go))]);
            let mut wire;
            if is_modern {
                wire = Wire::open(server);
                assert_eq!(text(&mut wire, call("too_late", json!({}))).await, "answered");
            } else {
                wire = crate::support::session(server, "2025-06-18").await;
                assert_eq!(wire.text("too_late", json!({})).await, "answered");
            }
            go.notify_one();
            assert_eq!(done.recv().await.as_deref(), Some("Err(ConnectionLost)"));
            if !is_modern {
                wire.assert_silent().await;
            }
        }
    });
}

/// Ask, or give up after a while.
#[tool]
async fn either(ctx: &Context) -> Result<String, AskError> {
    tokio::select! {
        name = ctx.elicit::<Name>("name", "Name?") => name.map(|name| name.name),
        () = tokio::time::sleep(Duration::from_hours(1)) => Ok("nobody".to_owned()),
    }
}

/// Ask, give up at once, and go on.
#[tool]
async fn fickle(ctx: &Context) -> Result<String, AskError> {
    tokio::select! {
        biased;
        _ = ctx.elicit::<Name>("first", "First?") => {}
        () = std::future::ready(()) => {}
    }
    tokio::task::yield_now().await;
    Ok(ctx.elicit::<Name>("second", "Second?").await?.name)
}

#[test]
fn asks_what_is_waited_for_and_nothing_else() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![either, fickle]));
        let asked_either = asked(&mut wire, call("either", json!({}))).await;
        let answers = json!({ "name": named("Ada") });
        assert_eq!(text(&mut wire, retry(call("either", json!({})), &asked_either, answers)).await, "Ada");
        let asked_fickle = asked(&mut wire, call("fickle", json!({}))).await;
        assert_eq!(keys(&asked_fickle), ["second"]);
        let answers = json!({ "second": named("Ada") });
        assert_eq!(text(&mut wire, retry(call("fickle", json!({})), &asked_fickle, answers)).await, "Ada");
    });
}

/// Work a little, then ask.
#[tool(timeout = 3600)]
async fn worked(ctx: &Context) -> Result<String, AskError> {
    tokio::task::yield_now().await;
    let Name { name } = ctx.elicit("name", "Name?").await?;
    tokio::task::yield_now().await;
    Ok(name)
}

#[test]
fn goes_through_middleware_and_time_limits() {
    block_on(async {
        let calls = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&calls);
        let server =
            Server::new("t", "1").tools(tools![worked, greet]).middleware(move |request: ToolRequest, next: Next| {
                let seen = Arc::clone(&seen);
                async move {
                    seen.fetch_add(1, Ordering::SeqCst);
                    let response = next.run(request).await;
                    seen.fetch_add(100, Ordering::SeqCst);
                    response
                }
            });
        let mut wire = Wire::open(server);
        let asked = asked(&mut wire, call("worked", json!({}))).await;
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        let said = text(&mut wire, retry(call("worked", json!({})), &asked, json!({ "name": named("Ada") }))).await;
        assert_eq!((said.as_str(), calls.load(Ordering::SeqCst)), ("Ada", 102));
        // A missing capability is told through it.
        let params = modern_of(json!({ "name": "greet", "arguments": {} }), json!({}));
        assert_eq!(error(&mut wire, params).await["code"], -32021);
    });
}

/// Ask what cannot be asked, and be fine.
#[tool]
async fn modest(ctx: &Context) -> Result<String, AskError> {
    if !ctx.client_capabilities().has(ClientCapability::Roots) {
        return Ok("no roots".to_owned());
    }
    Ok(ctx.roots("roots").await?.len().to_string())
}

#[test]
fn tells_what_each_request_has_declared() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![modest]));
        asked(&mut wire, call("modest", json!({}))).await;
        let params = modern_of(json!({ "name": "modest", "arguments": {} }), json!({ "roots": [] }));
        assert_eq!(text(&mut wire, params).await, "no roots");
        // A session on the same connection has capabilities of its own.
        wire.initialize("2025-11-25".into()).await;
        wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!(wire.text("modest", json!({})).await, "no roots");
        asked(&mut wire, call("modest", json!({}))).await;
    });
}

#[test]
fn asks_nothing_of_a_call_that_is_malformed() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![heavy]));
        let failed = failure(&mut wire, call("heavy", json!({ "bytes": "many" }))).await;
        assert!(failed.contains("bytes"), "{failed}");
        let mut params = call("nothing", json!({}));
        params["inputResponses"] = json!({ "a": 1 });
        assert_eq!(error(&mut wire, params).await["code"], -32602);
    });
}

/// Let the model write.
#[tool]
async fn write(ctx: &Context) -> Result<String, AskError> {
    let request = CreateMessageRequest::new(9, [SamplingMessage::user("Hi")]);
    Ok(ctx.sample("text", request).await?.text())
}

/// Tell the roots.
#[tool]
async fn folders(ctx: &Context) -> Result<String, AskError> {
    Ok(ctx.roots("roots").await?.len().to_string())
}

#[test]
fn refuses_malformed_answers_of_the_model_and_of_roots() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![write, folders]));
        for (tool, key, answer) in [
            ("write", "text", json!({ "role": "assistant", "content": "hi", "model": "m" })),
            ("write", "text", json!({ "role": "system", "content": { "type": "text", "text": "" }, "model": "m" })),
            ("write", "text", json!([])),
            ("write", "text", json!({ "role": "assistant", "model": "m" })),
            ("folders", "roots", json!([])),
            ("folders", "roots", json!({ "roots": [{}] })),
            ("folders", "roots", json!({ "roots": {} })),
        ] {
            let mut params = call(tool, json!({}));
            params["inputResponses"] = json!({ key: answer });
            assert_eq!(error(&mut wire, params).await["code"], -32602, "{answer}");
        }
        let mut params = call("write", json!({}));
        params["inputResponses"] = json!({ "text": written("hi") });
        assert_eq!(result(&mut wire, params).await["content"][0]["text"], "hi");
    });
}

/// What a thing costs, which changes.
#[derive(Clone, Default)]
struct Price(Arc<AtomicUsize>);

/// Pay for a thing.
#[tool]
async fn buy(price: &State<Price>, ctx: &Context) -> Result<String, AskError> {
    let price = price.0.load(Ordering::SeqCst);
    let Name { name } = ctx.elicit("pay", format!("Who pays {price}?")).await?;
    Ok(format!("{name} pays {price}"))
}

#[test]
fn takes_an_answer_for_the_question_that_was_asked_only() {
    block_on(async {
        let price = Price::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![buy]).state(price.clone()));
        let first = || call("buy", json!({}));
        let cheap = asked(&mut wire, first()).await;
        price.0.store(1000, Ordering::SeqCst);
        let dear = asked(&mut wire, retry(first(), &cheap, json!({ "pay": named("Ada") }))).await;
        assert_eq!(dear["inputRequests"]["pay"]["params"]["message"], "Who pays 1000?");
        assert_eq!(text(&mut wire, retry(first(), &dear, json!({ "pay": named("Bob") }))).await, "Bob pays 1000");
    });
}

/// Pay, and ask something else then.
#[tool]
async fn pay_and_name(price: &State<Price>, ctx: &Context) -> Result<String, AskError> {
    let price = price.0.load(Ordering::SeqCst);
    let Name { name } = ctx.elicit("pay", format!("Who pays {price}?")).await?;
    let Name { name: other } = ctx.elicit("other", "And who else?").await?;
    Ok(format!("{name} and {other} pay {price}"))
}

#[test]
fn asks_again_what_has_changed_since_it_was_answered() {
    block_on(async {
        let price = Price::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![pay_and_name]).state(price.clone()));
        let first = || call("pay_and_name", json!({}));
        let one = asked(&mut wire, first()).await;
        let two = asked(&mut wire, retry(first(), &one, json!({ "pay": named("Ada") }))).await;
        assert_eq!(keys(&two), ["other"]);
        price.0.store(7, Ordering::SeqCst);
        let again = asked(&mut wire, retry(first(), &two, json!({ "other": named("Bob") }))).await;
        assert_eq!(again["inputRequests"]["pay"]["params"]["message"], "Who pays 7?");
    });
}

/// Reserve, which takes a while, and ask at the same time.
#[tool]
async fn reserve_and_ask(runs: &State<Runs>, ctx: &Context) -> Result<String, AskError> {
    let step = async {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        runs.0.fetch_add(1, Ordering::SeqCst)
    };
    let (number, name) = tokio::join!(ctx.once("reserve", step), ctx.elicit::<Name>("name", "Name?"));
    Ok(format!("{} {}", number?, name?.name))
}

#[test]
fn lets_a_step_end_before_the_round_does() {
    block_on(async {
        let runs = Runs::default();
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![reserve_and_ask]).state(runs.clone()));
        let first = || call("reserve_and_ask", json!({}));
        let one = asked(&mut wire, first()).await;
        assert_eq!(runs.0.load(Ordering::SeqCst), 1);
        assert_eq!(text(&mut wire, retry(first(), &one, json!({ "name": named("Ada") }))).await, "0 Ada");
        assert_eq!(runs.0.load(Ordering::SeqCst), 1);
    });
}

/// Ask within a step.
#[tool]
async fn step_that_asks(ctx: &Context) -> Result<String, AskError> {
    let step =
        async { ctx.elicit::<Name>("name", "Name?").await.map(|form| form.name).map_err(|error| error.to_string()) };
    let name: Result<String, String> = ctx.once("ask", step).await?;
    Ok(format!("{name:?}"))
}

#[test]
fn ends_the_round_of_a_step_that_asks() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![step_that_asks]));
        let one = asked(&mut wire, call("step_that_asks", json!({}))).await;
        let next = retry(call("step_that_asks", json!({})), &one, json!({ "name": named("Ada") }));
        assert_eq!(text(&mut wire, next).await, r#"Ok("Ada")"#);
    });
}

/// Ask until the answer fits.
#[tool]
async fn insist(ctx: &Context) -> Result<String, AskError> {
    loop {
        match ctx.elicit::<Name>("name", "Name?").await {
            Ok(Name { name }) => return Ok(name),
            Err(AskError::Invalid(_)) => {}
            Err(error) => return Err(error),
        }
    }
}

#[test]
fn asks_again_after_an_answer_that_does_not_fit() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").tools(tools![insist]));
        let first = || call("insist", json!({}));
        let one = asked(&mut wire, first()).await;
        let unfit = json!({ "name": accept(json!({ "name": 7 })) });
        let two = asked(&mut wire, retry(first(), &one, unfit)).await;
        assert_eq!(keys(&two), ["name"]);
        assert_eq!(text(&mut wire, retry(first(), &two, json!({ "name": named("Ada") }))).await, "Ada");
    });
}

/// What depends on who reads it.
#[resource("x://mine", ttl = 60, cache_scope = "public")]
async fn mine(ctx: &Context) -> Result<String, AskError> {
    Ok(ctx.elicit::<Name>("name", "Name?").await?.name)
}

#[test]
fn lets_nobody_keep_what_depends_on_an_answer() {
    block_on(async {
        let mut wire = Wire::open(Server::new("t", "1").resources(resources![mine]));
        let params = modern_of(json!({ "uri": "x://mine" }), all_capabilities());
        let asked = wire.request("resources/read", params.clone()).await["result"].take();
        let read = wire.request("resources/read", retry(params, &asked, json!({ "name": named("Ada") }))).await;
        assert_eq!((&read["result"]["contents"][0]["text"]), (&json!("Ada")));
        assert_eq!((&read["result"]["ttlMs"], &read["result"]["cacheScope"]), (&json!(0), &json!("private")));
    });
}
