//! What the official conformance suite wants of `input_required` results, each of its scenarios as a test.

use mcp_runtime::{
    AskError, ClientCapability, Context, CreateMessageRequest, Form, SamplingMessage, Server, prompt, prompts, tool,
    tools,
};
use serde_json::{Value, json};

use crate::support::{
    Wire, accept, all_capabilities, asked, block_on, call, error, keys, modern_of, result, retry, text, written,
};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Name {
    name: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Colour {
    color: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Sure {
    ok: bool,
}

fn question(text: &str) -> CreateMessageRequest {
    CreateMessageRequest::new(100, [SamplingMessage::user(text)])
}

/// Greet the user.
#[tool(name = "test_input_required_result_elicitation")]
async fn elicitation(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Ask the model.
#[tool(name = "test_input_required_result_sampling")]
async fn sampling(ctx: &Context) -> Result<String, AskError> {
    Ok(ctx.sample("capital_question", question("What is the capital of France?")).await?.text())
}

/// Ask for the roots.
#[tool(name = "test_input_required_result_list_roots")]
async fn list_roots(ctx: &Context) -> Result<String, AskError> {
    let roots = ctx.roots("client_roots").await?;
    Ok(format!("{} {:?}", roots[0].uri, roots[0].name))
}

/// Ask for leave.
#[tool(name = "test_input_required_result_request_state")]
async fn request_state(ctx: &Context) -> Result<String, AskError> {
    let Sure { ok } = ctx.elicit("confirm", "Sure?").await?;
    Ok(if ok { "state-ok" } else { "no" }.to_owned())
}

/// Ask everything at once.
#[tool(name = "test_input_required_result_multiple_inputs")]
async fn multiple_inputs(ctx: &Context) -> Result<String, AskError> {
    let (name, greeting, roots) = tokio::join!(
        ctx.elicit::<Name>("user_name", "What is your name?"),
        ctx.sample("greeting", question("Greet.")),
        ctx.roots("client_roots"),
    );
    Ok(format!("{}, {}, {}", greeting?.text(), name?.name, roots?.len()))
}

/// Ask one thing after the other.
#[tool(name = "test_input_required_result_multi_round")]
async fn multi_round(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("step1", "What is your name?").await?;
    let Colour { color } = ctx.elicit("step2", format!("Which colour, {name}?")).await?;
    Ok(format!("{name} likes {color}"))
}

/// Ask only what can be asked.
#[tool(name = "test_input_required_result_capabilities")]
async fn capabilities(ctx: &Context) -> Result<String, AskError> {
    if ctx.client_capabilities().has(ClientCapability::ElicitationForm) {
        ctx.elicit::<Name>("name", "What is your name?").await?;
    }
    Ok(ctx.sample("text", question("Say something.")).await?.text())
}

/// Greet somebody.
#[prompt(name = "test_input_required_result_prompt")]
async fn context_prompt(ctx: &Context) -> Result<String, AskError> {
    let content = ctx.elicit_with(
        "user_context",
        "What is it about?",
        json!({ "type": "object", "properties": { "context": { "type": "string" } }, "required": ["context"] }),
    );
    Ok(format!("It is about {}.", content.await?["context"]))
}

fn open() -> Wire {
    let tools = tools![elicitation, sampling, list_roots, request_state, multiple_inputs, multi_round, capabilities];
    Wire::open(Server::new("t", "1").tools(tools).prompts(prompts![context_prompt]))
}

/// The params of a first call of a scenario's tool.
fn first(scenario: &str) -> Value {
    call(&format!("test_input_required_result_{scenario}"), json!({}))
}

#[test]
fn basic_elicitation() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("elicitation")).await;
        let schema = json!({
            "type": "object",
            "properties": { "name": { "type": "string" } },
            "required": ["name"],
        });
        let params = json!({ "mode": "form", "message": "What is your name?", "requestedSchema": schema });
        let expected = json!({ "user_name": { "method": "elicitation/create", "params": params } });
        assert_eq!(asked["inputRequests"], expected);
        let answers = json!({ "user_name": accept(json!({ "name": "Alice" })) });
        assert_eq!(text(&mut wire, retry(first("elicitation"), &asked, answers)).await, "Hello, Alice!");
    });
}

#[test]
fn basic_sampling() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("sampling")).await;
        let message =
            json!({ "role": "user", "content": { "type": "text", "text": "What is the capital of France?" } });
        let params = json!({ "messages": [message], "maxTokens": 100 });
        let expected = json!({ "capital_question": { "method": "sampling/createMessage", "params": params } });
        assert_eq!(asked["inputRequests"], expected);
        let answers = json!({ "capital_question": written("Paris") });
        assert_eq!(text(&mut wire, retry(first("sampling"), &asked, answers)).await, "Paris");
    });
}

#[test]
fn basic_list_roots() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("list_roots")).await;
        assert_eq!(asked["inputRequests"], json!({ "client_roots": { "method": "roots/list" } }));
        let answers = json!({ "client_roots": { "roots": [{ "uri": "file:///w", "name": "W" }] } });
        assert_eq!(text(&mut wire, retry(first("list_roots"), &asked, answers)).await, "file:///w Some(\"W\")");
    });
}

#[test]
fn request_state_is_echoed() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("request_state")).await;
        let answers = json!({ "confirm": accept(json!({ "ok": true })) });
        assert_eq!(text(&mut wire, retry(first("request_state"), &asked, answers)).await, "state-ok");
    });
}

#[test]
fn multiple_input_requests() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("multiple_inputs")).await;
        assert_eq!(keys(&asked), ["user_name", "greeting", "client_roots"]);
        let answers = json!({
            "greeting": written("Hello"),
            "client_roots": { "roots": [] },
            "user_name": accept(json!({ "name": "Alice" })),
        });
        assert_eq!(text(&mut wire, retry(first("multiple_inputs"), &asked, answers)).await, "Hello, Alice, 0");
    });
}

#[test]
fn multi_round_changes_the_state() {
    block_on(async {
        let mut wire = open();
        let one = asked(&mut wire, first("multi_round")).await;
        assert_eq!(keys(&one), ["step1"]);
        let answers = json!({ "step1": accept(json!({ "name": "Alice" })) });
        let two = asked(&mut wire, retry(first("multi_round"), &one, answers)).await;
        assert_eq!(keys(&two), ["step2"]);
        assert_ne!(one["requestState"], two["requestState"]);
        assert_eq!(two["inputRequests"]["step2"]["params"]["message"], "Which colour, Alice?");
        // Only what is new is sent.
        let answers = json!({ "step2": accept(json!({ "color": "teal" })) });
        assert_eq!(text(&mut wire, retry(first("multi_round"), &two, answers)).await, "Alice likes teal");
    });
}

#[test]
fn missing_input_response() {
    block_on(async {
        let mut wire = open();
        let mut params = first("elicitation");
        params["inputResponses"] = json!({ "wrong_key": accept(json!({ "name": "Alice" })) });
        assert_eq!(keys(&asked(&mut wire, params).await), ["user_name"]);
        // One of several.
        let all = asked(&mut wire, first("multiple_inputs")).await;
        let answers = json!({ "greeting": written("Hello") });
        let rest = asked(&mut wire, retry(first("multiple_inputs"), &all, answers)).await;
        assert_eq!(keys(&rest), ["user_name", "client_roots"]);
        // None of them, with the state: no progress and no harm.
        let again = asked(&mut wire, retry(first("multiple_inputs"), &rest, json!({}))).await;
        let answers = json!({ "client_roots": { "roots": [] }, "user_name": accept(json!({ "name": "Alice" })) });
        assert_eq!(text(&mut wire, retry(first("multiple_inputs"), &again, answers)).await, "Hello, Alice, 0");
    });
}

#[test]
fn non_tool_request() {
    block_on(async {
        let mut wire = open();
        let first = || modern_of(json!({ "name": "test_input_required_result_prompt" }), all_capabilities());
        let asked = wire.request("prompts/get", first()).await["result"].take();
        assert_eq!((&asked["resultType"], keys(&asked)), (&"input_required".into(), vec!["user_context"]));
        let answers = json!({ "user_context": accept(json!({ "context": "trees" })) });
        let got = wire.request("prompts/get", retry(first(), &asked, answers)).await["result"].take();
        assert_eq!(got["resultType"], "complete");
        assert_eq!(got["messages"][0]["content"]["text"], "It is about \"trees\".");
    });
}

#[test]
fn unsupported_methods() {
    block_on(async {
        let mut wire = open();
        for method in ["tools/list", "prompts/list", "server/discover"] {
            // They pay no heed to what belongs to other methods.
            for more in [json!({}), json!({ "inputResponses": [], "requestState": 7 })] {
                let response = wire.request(method, modern_of(more, crate::support::all_capabilities())).await;
                assert_eq!(response["result"]["resultType"], "complete", "{response}");
                assert_eq!(response["result"].get("inputRequests"), None);
            }
        }
    });
}

#[test]
fn tampered_state() {
    block_on(async {
        let mut wire = open();
        let asked = asked(&mut wire, first("request_state")).await;
        let answers = json!({ "confirm": accept(json!({ "ok": true })) });
        let mut params = retry(first("request_state"), &asked, answers);
        let state = params["requestState"].as_str().expect("it is a string").to_owned();
        params["requestState"] = format!("{state}-TAMPERED").into();
        assert_eq!(error(&mut wire, params).await["code"], -32602);
    });
}

#[test]
fn capability_check() {
    block_on(async {
        let mut wire = open();
        let params = json!({ "name": "test_input_required_result_capabilities", "arguments": {} });
        let asked = asked(&mut wire, modern_of(params, json!({ "sampling": {} }))).await;
        assert_eq!(keys(&asked), ["text"]);
        assert_eq!(asked["inputRequests"]["text"]["method"], "sampling/createMessage");
    });
}

#[test]
fn ignore_extra_params() {
    block_on(async {
        let mut wire = open();
        let mut params = first("elicitation");
        params["inputResponses"] = json!({ "user_name": accept(json!({ "name": "Alice" })), "extra": 1, "": null });
        params["unknown"] = json!({ "a": 1 });
        assert_eq!(text(&mut wire, params).await, "Hello, Alice!");
    });
}

#[test]
fn validate_input() {
    block_on(async {
        let mut wire = open();
        let mut params = first("elicitation");
        params["inputResponses"] = json!({ "user_name": 12345 });
        assert_eq!(error(&mut wire, params.clone()).await["code"], -32602);
        params["inputResponses"] = Value::Null;
        assert_eq!(result(&mut wire, params).await["resultType"], "input_required");
    });
}
