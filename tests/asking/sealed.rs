//! What travels through the client between the rounds: of no use for anything but going on with the call it is of.

use std::time::Duration;

use mcp_runtime::{AskError, Context, Form, Server, StateKey, tool, tools};
use serde_json::{Value, json};

use crate::support::{Wire, all_capabilities, asked, block_on, call, error, modern_of, named, retry, text};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Name {
    name: String,
}

/// Ask two things, one after the other.
#[tool]
#[expect(unused_variables, reason = "they are for the binding")]
async fn greet(a: Option<Value>, b: Option<Value>, ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("a", "A?").await?;
    let Name { name: other } = ctx.elicit("b", "B?").await?;
    Ok(format!("{name} {other}"))
}

/// The same by another name.
#[tool]
async fn other(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("a", "A?").await?;
    let Name { name: other } = ctx.elicit("b", "B?").await?;
    Ok(format!("{name} {other}"))
}

fn server() -> Server {
    Server::new("t", "1").tools(tools![greet, other])
}

fn with_keys(keys: &[u8]) -> Wire {
    Wire::open(keys.iter().fold(server(), |server, byte| server.state_key(StateKey::new([*byte; 32]))))
}

/// Begins a call and answers its first question; returns what it asks next.
async fn begun(wire: &mut Wire, arguments: Value) -> Value {
    let one = asked(wire, call("greet", arguments.clone())).await;
    asked(wire, retry(call("greet", arguments), &one, json!({ "a": named("Ada") }))).await
}

/// The last round of a call.
fn last(asked: &Value, arguments: Value) -> Value {
    retry(call("greet", arguments), asked, json!({ "b": named("Bob") }))
}

async fn is_refused(wire: &mut Wire, params: Value) {
    let shown = params.to_string();
    let error = error(wire, params).await;
    assert_eq!((&error["code"], error.get("data")), (&json!(-32602), None), "{shown}");
    assert!(error["message"].as_str().expect("a text").starts_with("`requestState` is none that this server"));
}

#[test]
fn refuses_a_state_that_is_no_string() {
    block_on(async {
        let mut wire = Wire::open(server());
        for state in [json!(7), json!({}), json!([]), json!(true), json!("")] {
            let mut params = call("greet", json!({}));
            params["requestState"] = state;
            is_refused(&mut wire, params).await;
        }
    });
}

#[test]
fn refuses_a_state_that_was_changed() {
    block_on(async {
        let mut wire = Wire::open(server());
        let two = begun(&mut wire, json!({})).await;
        let state = two["requestState"].as_str().expect("a string").to_owned();
        for at in (0..state.len()).step_by(7) {
            let mut changed = state.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let mut params = last(&two, json!({}));
            params["requestState"] = String::from_utf8(changed).expect("ASCII").into();
            is_refused(&mut wire, params).await;
        }
        for end in [0, 1, 3, 10, state.len() / 2, state.len() - 1] {
            let mut params = last(&two, json!({}));
            params["requestState"] = state[..end].into();
            is_refused(&mut wire, params).await;
        }
        for changed in [format!("{state}{state}"), format!(" {state}"), format!("{state}\n"), state.to_lowercase()] {
            let mut params = last(&two, json!({}));
            params["requestState"] = changed.into();
            is_refused(&mut wire, params).await;
        }
        assert_eq!(text(&mut wire, last(&two, json!({}))).await, "Ada Bob");
    });
}

#[test]
fn shows_the_client_nothing_of_what_is_remembered() {
    block_on(async {
        let mut wire = Wire::open(server());
        let two = begun(&mut wire, json!({})).await;
        assert!(!two["requestState"].to_string().contains("Ada"));
        assert!(two["requestState"].as_str().expect("a string").starts_with("v1."));
    });
}

#[test]
fn refuses_the_state_of_another_tool() {
    block_on(async {
        let mut wire = Wire::open(server());
        let two = begun(&mut wire, json!({})).await;
        let mut params = last(&two, json!({}));
        params["name"] = "other".into();
        is_refused(&mut wire, params).await;
    });
}

#[test]
fn refuses_the_state_of_other_arguments() {
    block_on(async {
        let mut wire = Wire::open(server());
        let arguments = json!({ "a": { "x": 1, "y": [1, 2] }, "b": 18_446_744_073_709_551_615_u64 });
        let two = begun(&mut wire, arguments.clone()).await;
        for other in [
            json!({}),
            json!({ "a": { "x": 1, "y": [1, 2] } }),
            json!({ "a": { "x": 1, "y": [2, 1] }, "b": 18_446_744_073_709_551_615_u64 }),
            json!({ "a": { "x": 1, "y": [1, 2] }, "b": 18_446_744_073_709_551_614_u64 }),
            json!({ "a": { "x": "1", "y": [1, 2] }, "b": 18_446_744_073_709_551_615_u64 }),
            json!({ "a": { "x": 1, "y": [1, 2], "z": null }, "b": 18_446_744_073_709_551_615_u64 }),
        ] {
            is_refused(&mut wire, last(&two, other)).await;
        }
        assert_eq!(text(&mut wire, last(&two, arguments)).await, "Ada Bob");
    });
}

#[test]
fn rounds_no_number_of_the_arguments() {
    block_on(async {
        let mut wire = Wire::open(server());
        let line = |arguments: &str, more: &str| {
            let meta = modern_of(json!({}), all_capabilities())["_meta"].to_string();
            let params = format!(r#"{{"name":"greet","arguments":{arguments},"_meta":{meta}{more}}}"#);
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
        };
        // Each pair is one number as a float.
        for (arguments, other) in [
            (r#"{"a":340282366920938463463374607431768211455}"#, r#"{"a":340282366920938463463374607431768211454}"#),
            (r#"{"a":0.10000000000000000555}"#, r#"{"a":0.1}"#),
        ] {
            let asked = wire.exchange(&line(arguments, "")).await["result"].take();
            let state = format!(r#","requestState":{}"#, asked["requestState"]);
            assert_eq!(wire.exchange(&line(other, &state)).await["error"]["code"], -32602, "{other}");
            let again = wire.exchange(&line(arguments, &state)).await;
            assert_eq!(again["result"]["resultType"], "input_required", "{again}");
        }
    });
}

#[test]
fn takes_the_same_arguments_as_another_writes_them() {
    block_on(async {
        let mut wire = Wire::open(server());
        let two = begun(&mut wire, json!({ "a": { "x": 1, "y": ["é/"] }, "b": 2.5 })).await;
        let meta = modern_of(json!({}), all_capabilities())["_meta"].to_string();
        let arguments = r#"{  "b" : 25e-1, "\u0061" : {"y":[ "\u00e9\/" ],"x" : 1.0 } }"#;
        let state = &two["requestState"];
        let answers = json!({ "b": named("Bob") });
        let params = format!(
            r#"{{"requestState":{state},"inputResponses":{answers},"name":"\u0067reet","arguments":{arguments},"_meta":{meta}}}"#
        );
        let response =
            wire.exchange(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)).await;
        assert_eq!(response["result"]["content"][0]["text"], "Ada Bob", "{response}");
    });
}

#[test]
fn refuses_the_state_of_another_server() {
    block_on(async {
        let (mut one, mut other) = (Wire::open(server()), Wire::open(server()));
        let two = begun(&mut one, json!({})).await;
        is_refused(&mut other, last(&two, json!({}))).await;
        assert_eq!(text(&mut one, last(&two, json!({}))).await, "Ada Bob");
    });
}

#[test]
fn goes_on_with_the_calls_of_servers_that_share_a_key() {
    block_on(async {
        let (mut one, mut other) = (with_keys(&[7]), with_keys(&[7]));
        let first = asked(&mut one, call("greet", json!({}))).await;
        let two = asked(&mut other, retry(call("greet", json!({})), &first, json!({ "a": named("Ada") }))).await;
        assert_eq!(text(&mut one, last(&two, json!({}))).await, "Ada Bob");
    });
}

#[test]
fn replaces_a_key() {
    block_on(async {
        let (mut before, mut during, mut after) = (with_keys(&[1]), with_keys(&[2, 1]), with_keys(&[2]));
        let old = begun(&mut before, json!({})).await;
        assert_eq!(text(&mut during, last(&old, json!({}))).await, "Ada Bob");
        is_refused(&mut after, last(&old, json!({}))).await;
        let new = begun(&mut during, json!({})).await;
        assert_eq!(text(&mut after, last(&new, json!({}))).await, "Ada Bob");
        is_refused(&mut before, last(&new, json!({}))).await;
    });
}

#[test]
fn refuses_a_state_that_is_too_old() {
    block_on(async {
        let mut wire = Wire::open(server().state_ttl(Duration::ZERO));
        let one = asked(&mut wire, call("greet", json!({}))).await;
        is_refused(&mut wire, retry(call("greet", json!({})), &one, json!({ "a": named("Ada") }))).await;
        // The longest there is does not overflow.
        let mut wire = Wire::open(server().state_ttl(Duration::MAX));
        let two = begun(&mut wire, json!({})).await;
        assert_eq!(text(&mut wire, last(&two, json!({}))).await, "Ada Bob");
    });
}

#[test]
fn does_without_a_state_that_is_null() {
    block_on(async {
        let mut wire = Wire::open(server());
        let mut params = call("greet", json!({}));
        params["requestState"] = Value::Null;
        params["inputResponses"] = json!({ "a": named("Ada"), "b": named("Bob") });
        assert_eq!(text(&mut wire, params).await, "Ada Bob");
    });
}
