//! Sessions of the legacy era, where a question is a request of the server.

use std::time::Duration;

use mcp_runtime::{
    AskError, Context, CreateMessageRequest, Form, SamplingMessage, SamplingMessageContentBlock, SamplingTool, Server,
    ToolChoice, ToolResultContent, prompt, prompts, resource, resources, tool, tools,
};
use serde_json::{Value, json};

use crate::support::{
    LEGACY, Wire, accept, all_capabilities, answer, block_on, initialize_params, session, session_of, text_of, written,
};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Your name?").await?;
    Ok(format!("Hello, {name}!"))
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form, Debug)]
#[serde(rename_all = "lowercase")]
enum Speed {
    Any,
    /// By land.
    Slow,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form, Debug)]
#[expect(dead_code, reason = "what a tool shows is all that is read")]
struct Order {
    /// How many.
    #[serde(default = "three")]
    count: u8,
    #[serde(default)]
    gift: bool,
    speed: Speed,
}

fn three() -> u8 {
    3
}

/// Order something.
#[tool]
async fn order(ctx: &Context) -> Result<String, AskError> {
    let order: Order = ctx.elicit("order", "What?").await?;
    Ok(format!("{order:?}"))
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form, Debug)]
#[expect(dead_code, reason = "what a tool shows is all that is read")]
struct Speeds {
    speeds: Vec<Speed>,
}

/// Choose several.
#[tool]
async fn choose(ctx: &Context) -> Result<String, AskError> {
    let speeds: Speeds = ctx.elicit("speeds", "Which?").await?;
    Ok(format!("{speeds:?}"))
}

/// Ask by a schema.
#[tool]
async fn ask_with(schema: Value, ctx: &Context) -> Result<String, AskError> {
    let content = ctx.elicit_with("it", "It?", schema).await?;
    Ok(Value::Object(content).to_string())
}

/// Open a page.
#[tool]
async fn pay(url: &str, ctx: &Context) -> Result<String, AskError> {
    ctx.elicit_url("pay", "Pay here.", url).await?;
    Ok("thanks".to_owned())
}

/// Let the model write.
#[tool]
async fn write(ctx: &Context) -> Result<String, AskError> {
    let message = SamplingMessage::user("Look and listen.")
        .and(SamplingMessageContentBlock::image([1, 2, 3], "image/png"))
        .and(SamplingMessageContentBlock::audio([4], "audio/wav"));
    Ok(ctx.sample("text", CreateMessageRequest::new(9, [message])).await?.text())
}

/// Let the model call a tool.
#[tool]
async fn agent(ctx: &Context) -> Result<String, AskError> {
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    let mut messages = vec![SamplingMessage::user("Weather in Oslo?")];
    loop {
        let request = CreateMessageRequest::new(9, messages.clone())
            .tools([SamplingTool::new("weather", "Look at the sky.", schema.clone())])
            .tool_choice(ToolChoice::Auto);
        let written = ctx.sample(&format!("turn {}", messages.len()), request).await?;
        let Some(wanted) = written.tool_uses().next().cloned() else { return Ok(written.text()) };
        messages.push(written.into_message());
        messages.push(SamplingMessage::user(ToolResultContent::new(wanted.id, ["rain".into()])));
    }
}

/// Tell the roots.
#[tool]
async fn folders(ctx: &Context) -> Result<String, AskError> {
    let roots = ctx.roots("roots").await?;
    let shown: Vec<String> = roots.into_iter().map(|root| format!("{} {:?}", root.uri, root.name)).collect();
    Ok(shown.join(";"))
}

/// Ask everything at once.
#[tool]
async fn all(ctx: &Context) -> Result<String, AskError> {
    let request = CreateMessageRequest::new(9, [SamplingMessage::user("Greet.")]);
    let (name, text, roots) =
        tokio::join!(ctx.elicit::<Name>("name", "Your name?"), ctx.sample("text", request), ctx.roots("roots"),);
    Ok(format!("{} {} {}", text?.text(), name?.name, roots?.len()))
}

/// Ask, and say why there is no answer.
#[tool]
async fn why(ctx: &Context) -> String {
    match ctx.elicit::<Name>("name", "Your name?").await {
        Ok(Name { name }) => name,
        Err(error) => format!("{error:?}"),
    }
}

/// Say what the client can be asked.
#[tool]
fn abilities(ctx: &Context) -> String {
    format!("{:?}", ctx.client_capabilities())
}

/// Say at once what was said.
#[tool]
async fn echo(text: &str) -> String {
    text.to_owned()
}

/// Greet somebody.
#[prompt]
async fn hello(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Whom?").await?;
    Ok(format!("Greet {name}."))
}

/// A secret of the user.
#[resource("me://{what}")]
async fn me(what: &str, ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Who are you?").await?;
    Ok(format!("{what} of {name}"))
}

fn server() -> Server {
    Server::new("t", "1")
        .tools(tools![greet, order, choose, ask_with, pay, write, agent, folders, all, why, abilities, echo])
        .prompts(prompts![hello])
        .resources(resources![me])
}

/// Calls a tool and returns the question that it asks.
async fn question(wire: &mut Wire, tool: &str, arguments: Value) -> Value {
    wire.send_call("call", tool, arguments).await;
    wire.receive().await
}

/// The text that the call has ended with.
async fn text(wire: &mut Wire) -> String {
    let response = wire.receive().await;
    assert_eq!((&response["id"], &response["result"].get("isError")), (&"call".into(), &None), "{response}");
    text_of(&response["result"]).to_owned()
}

async fn failure(wire: &mut Wire) -> String {
    let response = wire.receive().await;
    assert_eq!((&response["id"], &response["result"]["isError"]), (&"call".into(), &true.into()), "{response}");
    text_of(&response["result"]).to_owned()
}

const WITH_FORMS: [&str; 2] = ["2025-06-18", "2025-11-25"];
#[test]
fn asks_with_a_request_that_has_exactly_these_members() {
    block_on(async {
        for revision in WITH_FORMS {
            let mut wire = session(server(), revision).await;
            let question = question(&mut wire, "greet", json!({})).await;
            let schema = json!({
                "type": "object",
                "properties": { "name": { "type": "string" } },
                "required": ["name"],
            });
            let mut params = json!({ "message": "Your name?", "requestedSchema": schema });
            if revision == "2025-11-25" {
                params["mode"] = "form".into();
            }
            let expected = json!({ "jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params });
            assert_eq!(question, expected, "{revision}");
            answer(&mut wire, &question, accept(json!({ "name": "Ada" }))).await;
            assert_eq!(text(&mut wire).await, "Hello, Ada!");
        }
    });
}

#[test]
fn shows_of_a_form_what_the_revision_can_show() {
    block_on(async {
        for (revision, speed, count) in [
            (
                "2025-06-18",
                json!({ "type": "string", "enum": ["any", "slow"], "enumNames": ["any", "slow: By land."] }),
                json!({ "type": "integer", "description": "How many.", "minimum": 0, "maximum": 255 }),
            ),
            (
                "2025-11-25",
                json!({ "type": "string", "oneOf": [
                    { "const": "any", "title": "any" },
                    { "const": "slow", "title": "slow: By land." },
                ] }),
                json!({ "type": "integer", "description": "How many.", "minimum": 0, "maximum": 255, "default": 3 }),
            ),
        ] {
            let mut wire = session(server(), revision).await;
            let question = question(&mut wire, "order", json!({})).await;
            let schema = &question["params"]["requestedSchema"];
            let gift = json!({ "type": "boolean", "default": false });
            assert_eq!(schema["properties"], json!({ "count": count, "gift": gift, "speed": speed }), "{revision}");
            assert_eq!(schema["required"], json!(["speed"]));
            answer(&mut wire, &question, accept(json!({ "speed": "slow", "count": 2.0 }))).await;
            assert_eq!(text(&mut wire).await, "Order { count: 2, gift: false, speed: Slow }");
        }
    });
}

#[test]
fn says_what_a_revision_cannot_show() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        wire.send_call("call", "choose", json!({})).await;
        assert_eq!(
            failure(&mut wire).await,
            "the question cannot be put to this client: a client of revision 2025-06-18 cannot show lists of choices \
             (`speeds`); ask for one choice, or for a boolean for each"
        );
        let mut wire = session(server(), "2025-11-25").await;
        let question = question(&mut wire, "choose", json!({})).await;
        answer(&mut wire, &question, accept(json!({ "speeds": ["slow", "any"] }))).await;
        assert_eq!(text(&mut wire).await, "Speeds { speeds: [Slow, Any] }");
    });
}

#[test]
fn asks_by_a_schema_that_is_made_at_run_time() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        let schema = json!({ "type": "object", "properties": { "it": { "type": "number", "maximum": 2 } } });
        let asked = question(&mut wire, "ask_with", json!({ "schema": schema })).await;
        assert_eq!(asked["params"]["requestedSchema"], schema);
        answer(&mut wire, &asked, accept(json!({ "it": 1.5 }))).await;
        assert_eq!(text(&mut wire).await, r#"{"it":1.5}"#);
        // An answer need not fill in anything.
        let asked = question(&mut wire, "ask_with", json!({ "schema": schema })).await;
        answer(&mut wire, &asked, json!({ "action": "accept" })).await;
        assert_eq!(text(&mut wire).await, "{}");
        let nested = json!({ "type": "object", "properties": { "it": { "type": "object" } } });
        wire.send_call("call", "ask_with", json!({ "schema": nested })).await;
        assert!(failure(&mut wire).await.starts_with("the question cannot be put to this client: `it` is an object"));
    });
}

#[test]
fn sends_the_user_to_a_page_since_2025_11_25() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        let mut ids = Vec::new();
        for _ in 0..2 {
            let mut asked = question(&mut wire, "pay", json!({ "url": "https://pay.example/7" })).await;
            ids.push(asked["params"]["elicitationId"].take());
            let params =
                json!({ "mode": "url", "message": "Pay here.", "url": "https://pay.example/7", "elicitationId": null });
            assert_eq!((&asked["method"], &asked["params"]), (&"elicitation/create".into(), &params));
            answer(&mut wire, &asked, json!({ "action": "accept" })).await;
            assert_eq!(text(&mut wire).await, "thanks");
        }
        assert!(ids[0].is_string() && ids[0] != ids[1], "{ids:?}");
        wire.send_call("call", "pay", json!({ "url": "javascript:alert(1)" })).await;
        assert!(failure(&mut wire).await.contains("is no URL that a client opens"));
        for revision in ["2024-11-05", "2025-03-26", "2025-06-18"] {
            let mut wire = session(server(), revision).await;
            wire.send_call("call", "pay", json!({ "url": "https://pay.example/7" })).await;
            assert!(failure(&mut wire).await.starts_with("this client cannot open a URL for the user"), "{revision}");
        }
    });
}

#[test]
fn samples_with_what_the_revision_has() {
    block_on(async {
        let text_block = json!({ "type": "text", "text": "Look and listen." });
        let image = json!({ "type": "image", "data": "AQID", "mimeType": "image/png" });
        let audio = json!({ "type": "audio", "data": "BA==", "mimeType": "audio/wav" });
        for revision in LEGACY {
            let mut wire = session(server(), revision).await;
            let asked = question(&mut wire, "write", json!({})).await;
            assert_eq!(
                (&asked["method"], &asked["params"]["maxTokens"]),
                (&"sampling/createMessage".into(), &9.into())
            );
            let messages = &asked["params"]["messages"];
            if revision == "2025-11-25" {
                let expected = json!([{ "role": "user", "content": [text_block, image, audio] }]);
                assert_eq!(*messages, expected);
            } else {
                assert_eq!(messages[0], json!({ "role": "user", "content": text_block }), "{revision}");
                assert_eq!(messages[1], json!({ "role": "user", "content": image }), "{revision}");
                let is_audio = messages[2] == json!({ "role": "user", "content": audio });
                assert_eq!(is_audio, revision != "2024-11-05", "{revision} {}", messages[2]);
            }
            answer(&mut wire, &asked, written("A dog.")).await;
            assert_eq!(text(&mut wire).await, "A dog.", "{revision}");
        }
    });
}

#[test]
fn samples_with_tools_in_turns() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        let asked = question(&mut wire, "agent", json!({})).await;
        assert_eq!(asked["params"]["tools"][0]["name"], "weather");
        assert_eq!(asked["params"]["toolChoice"], json!({ "mode": "auto" }));
        let tool_use = json!({ "type": "tool_use", "id": "u\"1", "name": "weather", "input": { "city": "Oslo" }, "_meta": { "x": [1] } });
        let first = json!({ "role": "assistant", "content": [tool_use], "model": "m", "stopReason": "toolUse" });
        answer(&mut wire, &asked, first).await;
        let asked = wire.receive().await;
        let messages = &asked["params"]["messages"];
        assert_eq!(messages[1], json!({ "role": "assistant", "content": tool_use }));
        let rain = json!({ "type": "text", "text": "rain" });
        let result = json!({ "type": "tool_result", "toolUseId": "u\"1", "content": [rain] });
        assert_eq!(messages[2], json!({ "role": "user", "content": result }));
        answer(&mut wire, &asked, written("It rains.")).await;
        assert_eq!(text(&mut wire).await, "It rains.");

        let mut wire = session_of(server(), "2025-11-25", json!({ "sampling": {} })).await;
        wire.send_call("call", "agent", json!({})).await;
        assert!(failure(&mut wire).await.contains("`sampling.tools`"));
    });
}

#[test]
fn asks_for_roots_without_params() {
    block_on(async {
        for revision in LEGACY {
            let mut wire = session(server(), revision).await;
            let asked = question(&mut wire, "folders", json!({})).await;
            assert_eq!(asked, json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }), "{revision}");
            let roots = json!([{ "uri": "file:///a", "name": "A" }, { "uri": "file:///b" }]);
            answer(&mut wire, &asked, json!({ "roots": roots })).await;
            assert_eq!(text(&mut wire).await, "file:///a Some(\"A\");file:///b None");
        }
    });
}

#[test]
fn asks_several_at_once_and_takes_the_answers_in_any_order() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        let name = question(&mut wire, "all", json!({})).await;
        let (sample, roots) = (wire.receive().await, wire.receive().await);
        assert_eq!([&name["id"], &sample["id"], &roots["id"]], [&json!(1), &json!(2), &json!(3)]);
        wire.assert_silent().await;
        answer(&mut wire, &roots, json!({ "roots": [] })).await;
        answer(&mut wire, &name, accept(json!({ "name": "Ada" }))).await;
        wire.assert_silent().await;
        answer(&mut wire, &sample, written("Ahoy")).await;
        assert_eq!(text(&mut wire).await, "Ahoy Ada 0");
    });
}

#[test]
fn tells_the_handler_what_the_user_did() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        for (result, expected) in [
            (json!({ "action": "decline" }), "Declined"),
            (json!({ "action": "cancel" }), "Cancelled"),
            (json!({ "action": "accept" }), r#"Invalid(["`name` is required and missing"])"#),
            (accept(json!({ "name": 7 })), r#"Invalid(["`name`: expected string, got integer 7"])"#),
            (accept(json!([])), r#"Invalid(["`content` must be an object with the fields of the form"])"#),
            (
                json!({ "action": "yes" }),
                r#"Invalid(["`action` must be \"accept\", \"decline\" or \"cancel\", got \"yes\""])"#,
            ),
            (json!("yes"), r#"Invalid(["`result` must be an object"])"#),
            (Value::Null, r#"Invalid(["`result` must be an object"])"#),
            (accept(json!({ "name": "Ada", "more": [[{}]] })), "Ada"),
        ] {
            let asked = question(&mut wire, "why", json!({})).await;
            answer(&mut wire, &asked, result.clone()).await;
            let said = text(&mut wire).await;
            assert_eq!(said, expected, "{result}");
        }
    });
}

#[test]
fn tells_the_handler_of_an_error_of_the_client() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        for (members, expected) in [
            (json!({ "error": { "code": -1, "message": "User rejected" } }), "-1, message: \"User rejected\""),
            (json!({ "error": { "code": -32601, "message": "no", "data": [1] } }), "-32601, message: \"no\""),
            (json!({ "error": "no" }), "-32603, message: \"the client's error is malformed\""),
            (json!({ "error": null }), "-32603, message: \"the client's error is malformed\""),
            (json!({ "error": { "code": -1, "message": "both" }, "result": {} }), "-1, message: \"both\""),
        ] {
            let asked = question(&mut wire, "why", json!({})).await;
            let mut message = json!({ "jsonrpc": "2.0", "id": asked["id"] });
            message.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
            wire.send(message).await;
            let said = text(&mut wire).await;
            assert!(said.starts_with(&format!("Refused(ErrorObject {{ code: {expected}")), "{said}");
        }
        let asked = question(&mut wire, "greet", json!({})).await;
        let error = json!({ "code": -1, "message": "User rejected" });
        wire.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error })).await;
        assert_eq!(failure(&mut wire).await, "the client refused the question: User rejected (-1)");
    });
}

#[test]
fn drops_answers_to_nothing() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        let good = accept(json!({ "name": "Eve" }));
        // Before the question is asked: the id can be guessed.
        answer(&mut wire, &json!({ "id": 1 }), good.clone()).await;
        let asked = question(&mut wire, "greet", json!({})).await;
        let ids = [
            json!(0),
            json!(2),
            json!(-1),
            json!("1"),
            json!(null),
            json!(1.0),
            json!([1]),
            json!({}),
            json!(true),
            json!(u64::MAX),
            json!("call"),
            json!("x".repeat(5000)),
        ];
        for id in ids {
            wire.send(json!({ "jsonrpc": "2.0", "id": id, "result": good })).await;
        }
        wire.send(json!({ "jsonrpc": "2.0", "result": good })).await;
        wire.send_line(r#"{"jsonrpc":"2.0","id":99999999999999999999999999,"result":{}}"#).await;
        wire.assert_silent().await;
        answer(&mut wire, &asked, accept(json!({ "name": "Ada" }))).await;
        answer(&mut wire, &asked, good.clone()).await;
        assert_eq!(text(&mut wire).await, "Hello, Ada!");
        answer(&mut wire, &asked, good).await;
        wire.assert_silent().await;
    });
}

#[test]
fn keeps_its_ids_apart_from_those_of_the_client() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        wire.send_call("call", "greet", json!({})).await;
        let asked = wire.receive().await;
        assert_eq!(asked["id"], 1);
        // A request with the id of the question, while the question is open.
        wire.send_call(1, "echo", json!({ "text": "hi" })).await;
        assert_eq!(text_of(&wire.receive().await["result"]), "hi");
        // The question is not cancelled by its id, which is that of no request of the client any more.
        wire.cancel(1).await;
        answer(&mut wire, &asked, accept(json!({ "name": "Ada" }))).await;
        let response = wire.receive().await;
        assert_eq!((&response["id"], text_of(&response["result"])), (&"call".into(), "Hello, Ada!"));
    });
}

#[test]
fn withdraws_the_questions_of_a_call_that_is_cancelled() {
    block_on(async {
        let mut wire = session(server(), "2025-11-25").await;
        let mut ids = Vec::new();
        ids.push(question(&mut wire, "all", json!({})).await["id"].clone());
        for _ in 0..2 {
            ids.push(wire.receive().await["id"].clone());
        }
        wire.cancel("call").await;
        let mut withdrawn = Vec::new();
        for _ in 0..3 {
            let notification = wire.receive().await;
            assert_eq!(notification["method"], "notifications/cancelled");
            withdrawn.push(notification["params"]["requestId"].clone());
        }
        withdrawn.sort_by_key(Value::as_u64);
        assert_eq!(withdrawn, ids);
        // The client may have answered before it has read that.
        answer(&mut wire, &json!({ "id": ids[0] }), accept(json!({ "name": "Ada" }))).await;
        wire.assert_silent().await;
    });
}

#[test]
fn withdraws_a_question_that_takes_too_long() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime starts").block_on(async {
        let mut wire = session(server().ask_timeout(Duration::from_secs(30)), "2025-06-18").await;
        let start = tokio::time::Instant::now();
        let asked = question(&mut wire, "greet", json!({})).await;
        let cancelled = wire.receive().await;
        assert_eq!(start.elapsed().as_secs(), 30);
        let expected =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": asked["id"] } });
        assert_eq!(cancelled, expected);
        assert_eq!(failure(&mut wire).await, "the client did not answer in time; another call asks again");
        // Ten minutes are the default.
        let mut wire = session(server(), "2025-06-18").await;
        let start = tokio::time::Instant::now();
        question(&mut wire, "greet", json!({})).await;
        wire.receive().await;
        assert_eq!(start.elapsed().as_secs(), 600);
    });
}

/// Ask, but not for long.
#[tool(timeout = 5)]
async fn impatient(ctx: &Context) -> Result<String, AskError> {
    ctx.elicit::<Name>("name", "Your name?").await.map(|name| name.name)
}

/// Ask, or go on after a while.
#[tool]
async fn either(ctx: &Context) -> Result<String, AskError> {
    tokio::select! {
        name = ctx.elicit::<Name>("name", "Your name?") => name.map(|name| name.name),
        () = tokio::time::sleep(Duration::from_secs(3)) => Ok("nobody".to_owned()),
    }
}

#[test]
fn withdraws_a_question_that_nobody_waits_for_any_more() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime starts").block_on(async {
        let mut wire = session(Server::new("t", "1").tools(tools![impatient, either]), "2025-06-18").await;
        for (tool, is_error) in [("impatient", true), ("either", false)] {
            let asked = question(&mut wire, tool, json!({})).await;
            let withdrawn = wire.receive().await;
            assert_eq!(withdrawn["params"], json!({ "requestId": asked["id"] }));
            let response = wire.receive().await;
            assert_eq!(response["result"]["isError"] == true, is_error, "{response}");
        }
    });
}

#[test]
fn tells_the_handler_that_the_client_has_gone() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        question(&mut wire, "why", json!({})).await;
        let rest = wire.finish().await;
        assert_eq!(rest.len(), 1, "{rest:?}");
        assert_eq!(text_of(&rest[0]["result"]), "ConnectionLost");
    });
}

#[test]
fn asks_nothing_that_the_client_has_not_declared() {
    block_on(async {
        for revision in LEGACY {
            let mut wire = session_of(server(), revision, json!({})).await;
            for tool in ["greet", "write", "folders"] {
                wire.send_call("call", tool, json!({})).await;
                assert!(failure(&mut wire).await.starts_with("this client cannot "), "{revision} {tool}");
            }
        }
        let mut wire = session_of(server(), "2025-11-25", json!({ "elicitation": { "url": {} } })).await;
        wire.send_call("call", "greet", json!({})).await;
        assert!(failure(&mut wire).await.contains("`elicitation.form`"));
        // Before 2025-06-18 there are no forms, whatever a client declares.
        for revision in ["2024-11-05", "2025-03-26"] {
            let mut wire = session(server(), revision).await;
            wire.send_call("call", "greet", json!({})).await;
            assert!(failure(&mut wire).await.contains("`elicitation.form`"), "{revision}");
        }
    });
}

#[test]
fn tells_what_the_client_has_declared() {
    block_on(async {
        for (revision, expected) in [
            ("2024-11-05", "{Roots, Sampling, SamplingContext}"),
            ("2025-06-18", "{ElicitationForm, Roots, Sampling, SamplingContext}"),
            ("2025-11-25", "{ElicitationForm, ElicitationUrl, Roots, Sampling, SamplingContext, SamplingTools}"),
        ] {
            let mut wire = session(server(), revision).await;
            assert_eq!(wire.text("abilities", json!({})).await, expected);
        }
    });
}

#[test]
fn asks_in_a_prompt_and_in_a_resource() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        for (method, params, expected) in [
            ("prompts/get", json!({ "name": "hello" }), "Greet Ada."),
            ("resources/read", json!({ "uri": "me://age" }), "age of Ada"),
        ] {
            wire.send(json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params })).await;
            let asked = wire.receive().await;
            answer(&mut wire, &asked, accept(json!({ "name": "Ada" }))).await;
            let response = wire.receive().await;
            assert!(response["result"].to_string().contains(expected), "{response}");
            wire.send(json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params })).await;
            let asked = wire.receive().await;
            answer(&mut wire, &asked, json!({ "action": "decline" })).await;
            let response = wire.receive().await;
            assert_eq!(response["error"]["code"], -32603, "{response}");
        }
    });
}

#[test]
fn asks_within_a_batch() {
    block_on(async {
        let mut wire = session(server(), "2025-03-26").await;
        let call = |id: u8, tool: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": {} } });
        wire.send(json!([call(1, "folders"), call(2, "write"), { "jsonrpc": "2.0", "id": 3, "method": "ping" }])).await;
        let (one, other) = (wire.receive().await, wire.receive().await);
        let mut questions = [one, other];
        questions.sort_by_key(|question| question["method"].to_string());
        let [roots, sample] = questions;
        assert_eq!((&roots["method"], &sample["method"]), (&"roots/list".into(), &"sampling/createMessage".into()));
        // The answers come as a batch too.
        wire.send(json!([
            { "jsonrpc": "2.0", "id": roots["id"], "result": { "roots": [] } },
            { "jsonrpc": "2.0", "id": sample["id"], "result": written("hi") },
        ]))
        .await;
        let mut responses = wire.receive().await;
        let responses = responses.as_array_mut().expect("it is a batch");
        responses.sort_by_key(|response| response["id"].as_u64());
        assert_eq!(responses.len(), 3);
        assert_eq!(text_of(&responses[1]["result"]), "hi");
    });
}

#[test]
fn asks_nothing_before_the_client_is_ready() {
    block_on(async {
        let mut wire = Wire::open(server());
        wire.request("initialize", initialize_params("2025-06-18", all_capabilities())).await;
        wire.send_call("call", "greet", json!({})).await;
        // The call goes on in a task, and may have come to its question by the second answer only.
        for _ in 0..3 {
            wire.assert_silent().await;
        }
        wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        let asked = wire.receive().await;
        assert_eq!(asked["method"], "elicitation/create");
        answer(&mut wire, &asked, accept(json!({ "name": "Ada" }))).await;
        assert_eq!(text(&mut wire).await, "Hello, Ada!");
    });
}

#[test]
fn serves_other_requests_while_it_asks() {
    block_on(async {
        let mut wire = session(server(), "2025-06-18").await;
        let asked = question(&mut wire, "greet", json!({})).await;
        for at in 0..20 {
            wire.send_call(at, "echo", json!({ "text": "hi" })).await;
            assert_eq!(wire.receive().await["id"], at);
        }
        answer(&mut wire, &asked, accept(json!({ "name": "Ada" }))).await;
        assert_eq!(text(&mut wire).await, "Hello, Ada!");
    });
}
