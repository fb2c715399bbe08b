//! One tool, driven in both eras by a client that answers alike in each.

use mcp_runtime::{
    AskError, ClientCapability, Context, CreateMessageRequest, Form, SamplingMessage, Server, tool, tools,
};
use serde_json::{Value, json};

use crate::support::{Wire, accept, all_capabilities, answer, block_on, modern_of, retry, session_of, written};

#[derive(serde::Deserialize, schemars::JsonSchema, Form, Debug)]
#[expect(dead_code, reason = "what a tool shows is all that is read")]
struct Order {
    #[schemars(range(min = 1, max = 9))]
    count: u8,
    note: Option<String>,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Sure {
    sure: bool,
}

/// Order something, with everything that can be asked.
#[tool]
async fn order(what: &str, ctx: &Context) -> Result<String, AskError> {
    let order: Order = loop {
        match ctx.elicit("order", format!("How many of {what}?")).await {
            Ok(order) => break order,
            Err(AskError::Invalid(_)) => {}
            Err(error) => return Err(error),
        }
    };
    let reference = ctx.once("reference", async { 7_u8 }).await?;
    let (sure, words) = tokio::join!(ctx.elicit::<Sure>("sure", "Sure?"), ctx.sample("words", words(what)));
    let roots =
        if ctx.client_capabilities().has(ClientCapability::Roots) { ctx.roots("roots").await?.len() } else { 0 };
    let sure = sure.map(|sure| sure.sure);
    Ok(format!("{order:?} {reference} {sure:?} {} {roots}", words?.text()))
}

fn words(what: &str) -> CreateMessageRequest {
    CreateMessageRequest::new(50, [SamplingMessage::user(format!("Praise {what}."))])
}

/// How a client answers: by the method, the params, and how many questions it had before.
type Answers = fn(&str, &Value, usize) -> Value;

/// What a call comes to in the legacy era.
async fn in_session(revision: &str, capabilities: Value, answers: Answers) -> Value {
    let server = Server::new("t", "1").tools(tools![order]);
    let mut wire = session_of(server, revision, capabilities).await;
    wire.send_call("call", "order", json!({ "what": "tea" })).await;
    for count in 0.. {
        let message = wire.receive().await;
        let Some(method) = message["method"].as_str() else { return message["result"].clone() };
        let result = answers(method, &message["params"], count);
        answer(&mut wire, &message, result).await;
    }
    unreachable!("the call ends")
}

/// What a call comes to in the modern era.
async fn in_rounds(capabilities: Value, answers: Answers) -> Value {
    let mut wire = Wire::open(Server::new("t", "1").tools(tools![order]));
    let mut params = modern_of(json!({ "name": "order", "arguments": { "what": "tea" } }), capabilities);
    let mut count = 0;
    loop {
        let mut response = wire.request("tools/call", params.clone()).await;
        let result = response["result"].take();
        if result["resultType"] != "input_required" {
            return result;
        }
        let mut responses = json!({});
        for (key, question) in result["inputRequests"].as_object().expect("an object") {
            responses[key] = answers(question["method"].as_str().expect("a text"), &question["params"], count);
            count += 1;
        }
        params = retry(params, &result, responses);
    }
}

/// Runs the call in the last revision with sessions and in the modern one; both have to come to the same.
fn both(capabilities: Value, answers: Answers) -> String {
    block_on(async {
        let one = in_session("2025-11-25", capabilities.clone(), answers).await;
        let other = in_rounds(capabilities, answers).await;
        assert_eq!((&one["content"], one.get("isError")), (&other["content"], other.get("isError")));
        one["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {one}")).to_owned()
    })
}

fn kindly(method: &str, params: &Value, _: usize) -> Value {
    match (method, params["message"].as_str()) {
        ("elicitation/create", Some("Sure?")) => accept(json!({ "sure": true })),
        ("elicitation/create", _) => accept(json!({ "count": 2.0, "note": null })),
        ("sampling/createMessage", _) => written("Tea!"),
        _ => json!({ "roots": [{ "uri": "file:///tea" }] }),
    }
}

#[test]
fn comes_to_the_same_with_kind_answers() {
    assert_eq!(both(all_capabilities(), kindly), "Order { count: 2, note: None } 7 Ok(true) Tea! 1");
    let without_roots = json!({ "elicitation": {}, "sampling": {} });
    assert_eq!(both(without_roots, kindly), "Order { count: 2, note: None } 7 Ok(true) Tea! 0");
}

#[test]
fn comes_to_the_same_with_answers_that_do_not_fit_at_first() {
    let said = both(all_capabilities(), |method, params, count| match count {
        0 => accept(json!({ "count": 10 })),
        1 => accept(json!({ "count": "many" })),
        2 => accept(json!({ "count": 3, "note": "soon" })),
        _ => kindly(method, params, count),
    });
    assert_eq!(said, r#"Order { count: 3, note: Some("soon") } 7 Ok(true) Tea! 1"#);
}

#[test]
fn comes_to_the_same_with_a_user_who_declines() {
    let said = both(all_capabilities(), |method, params, count| match count {
        1 => json!({ "action": "decline" }),
        _ => kindly(method, params, count),
    });
    assert_eq!(said, "Order { count: 2, note: None } 7 Err(Declined) Tea! 1");
    let said = both(all_capabilities(), |_, _, _| json!({ "action": "cancel" }));
    assert_eq!(said, "the user closed the question without an answer; another call asks it again");
}
