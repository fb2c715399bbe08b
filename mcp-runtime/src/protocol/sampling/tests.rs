use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{
    CreateMessageRequest, CreateMessageResult, IncludeContext, ModelPreferences, SamplingMessage,
    SamplingMessageContentBlock, SamplingTool, ToolChoice, ToolResultContent, ToolUseContent,
};
use crate::protocol::{ClientCapabilities, ClientCapability, ContentBlock, Revision, Role};

fn projected(request: &CreateMessageRequest, revision: Revision) -> Value {
    request.project(revision, request.required())
}

fn tool_use(id: &str) -> ToolUseContent {
    ToolUseContent { id: id.to_owned(), name: "look_up".to_owned(), input: Map::new(), meta: None }
}

fn decoded(text: &str) -> Result<CreateMessageResult, String> {
    let raw: &RawValue = serde_json::from_str(text).unwrap();
    CreateMessageResult::decode(raw)
}

#[test]
fn asks_for_a_message_in_every_revision() {
    let request = CreateMessageRequest::new(100, [SamplingMessage::user("Hi")]);
    for revision in Revision::ALL {
        assert_eq!(
            projected(&request, *revision),
            json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi" } }], "maxTokens": 100 }),
            "{revision}"
        );
    }
    assert_eq!(request.required().to_json(), json!({ "sampling": {} }));
}

#[test]
fn sends_every_setting() {
    let preferences = ModelPreferences::new()
        .hint("haiku")
        .hint("mini")
        .cost_priority(0.25)
        .speed_priority(1.0)
        .intelligence_priority(0.0);
    let request = CreateMessageRequest::new(100, [SamplingMessage::assistant("Yes?")])
        .system_prompt("Be brief.")
        .model_preferences(preferences)
        .temperature(0.5)
        .stop_sequences(["END"])
        .metadata(Map::from_iter([("trace".to_owned(), json!(7))]))
        .tools([SamplingTool::new("look_up", "Look up a word.", json!({ "type": "object" }))])
        .tool_choice(ToolChoice::Required)
        .include_context(IncludeContext::ThisServer);
    let capabilities = request.required().with(ClientCapability::SamplingContext);
    let expected = json!({
        "messages": [{ "role": "assistant", "content": { "type": "text", "text": "Yes?" } }],
        "maxTokens": 100,
        "systemPrompt": "Be brief.",
        "modelPreferences": {
            "hints": [{ "name": "haiku" }, { "name": "mini" }],
            "costPriority": 0.25,
            "speedPriority": 1.0,
            "intelligencePriority": 0.0,
        },
        "temperature": 0.5,
        "stopSequences": ["END"],
        "metadata": { "trace": 7 },
        "tools": [{ "name": "look_up", "description": "Look up a word.", "inputSchema": { "type": "object" } }],
        "toolChoice": { "mode": "required" },
        "includeContext": "thisServer",
    });
    assert_eq!(request.project(Revision::V2025_11_25, capabilities), expected);
    assert_eq!(request.required().to_json(), json!({ "sampling": { "tools": {} } }));
    assert_eq!(request.check(), Ok(()));
}

#[test]
fn leaves_out_context_that_the_client_cannot_give() {
    let request = CreateMessageRequest::new(1, [SamplingMessage::user("Hi")]);
    let request = request.include_context(IncludeContext::AllServers);
    let with = ClientCapabilities::from(ClientCapability::SamplingContext);
    assert_eq!(request.project(Revision::LATEST, with)["includeContext"], json!("allServers"));
    let without = request.project(Revision::LATEST, ClientCapabilities::default());
    assert_eq!(without.get("includeContext"), None);
}

#[test]
fn sends_several_contents_as_each_revision_has_them() {
    let message = SamplingMessage::user("What is this?").and(SamplingMessageContentBlock::image([0, 1], "image/png"));
    let request = CreateMessageRequest::new(1, [message]);
    let (text, image) = (
        json!({ "type": "text", "text": "What is this?" }),
        json!({ "type": "image", "data": "AAE=", "mimeType": "image/png" }),
    );
    for revision in Revision::ALL {
        let expected = if *revision >= Revision::V2025_11_25 {
            json!([{ "role": "user", "content": [text, image] }])
        } else {
            json!([{ "role": "user", "content": text }, { "role": "user", "content": image }])
        };
        assert_eq!(projected(&request, *revision)["messages"], expected, "{revision}");
    }
}

#[test]
fn says_what_sound_was_to_a_client_that_cannot_take_it() {
    let sound = SamplingMessageContentBlock::audio([0], "audio/wav");
    let request = CreateMessageRequest::new(1, [SamplingMessage::user(sound)]);
    let content = |revision| projected(&request, revision)["messages"][0]["content"].clone();
    assert_eq!(
        content(Revision::V2024_11_05),
        json!({ "type": "text", "text": "[audio of type audio/wav: this client's protocol version cannot carry it]" })
    );
    for revision in &Revision::ALL[1..] {
        let expected = json!({ "type": "audio", "data": "AA==", "mimeType": "audio/wav" });
        assert_eq!(content(*revision), expected, "{revision}");
    }
}

#[test]
fn goes_on_after_a_tool_use() {
    let answer = decoded(
        r#"{"role":"assistant","model":"m","stopReason":"toolUse","content":[{"type":"text","text":"Wait."},
            {"type":"tool_use","id":"u1","name":"look_up","input":{"word":"ok"},"_meta":{"k":1}}]}"#,
    )
    .unwrap();
    let id = answer.tool_uses().next().unwrap().id.clone();
    let result = ToolResultContent::new(id, [ContentBlock::text("fine")]).structured(json!([1])).failed();
    let messages = [SamplingMessage::user("Hi"), answer.into_message(), SamplingMessage::user(result)];
    let request = CreateMessageRequest::new(1, messages);
    assert_eq!(request.check(), Ok(()));
    assert_eq!(request.required().to_json(), json!({ "sampling": { "tools": {} } }));
    let result = |structured: Value| {
        json!({
            "type": "tool_result", "toolUseId": "u1", "content": [{ "type": "text", "text": "fine" }],
            "structuredContent": structured, "isError": true,
        })
    };
    for (revision, structured) in
        [(Revision::V2025_11_25, json!({ "result": [1] })), (Revision::V2026_07_28, json!([1]))]
    {
        assert_eq!(
            projected(&request, revision)["messages"],
            json!([
                { "role": "user", "content": { "type": "text", "text": "Hi" } },
                { "role": "assistant", "content": [
                    { "type": "text", "text": "Wait." },
                    { "type": "tool_use", "id": "u1", "name": "look_up", "input": { "word": "ok" }, "_meta": { "k": 1 } },
                ] },
                { "role": "user", "content": result(structured) },
            ]),
            "{revision}"
        );
    }
}

#[test]
fn refuses_what_no_client_could_take() {
    let result = |id: &str| ToolResultContent::new(id, []);
    let user = SamplingMessage::user("Hi");
    let asks = |messages: &[SamplingMessage]| CreateMessageRequest::new(1, messages.iter().cloned());
    let prefers = |preferences| asks(&[SamplingMessage::user("Hi")]).model_preferences(preferences);
    for (request, expected) in [
        (asks(&[]), "a model needs at least one message to answer"),
        (asks(std::slice::from_ref(&user)).temperature(f64::NAN), "`temperature` is not a finite number"),
        (prefers(ModelPreferences::new().cost_priority(1.5)), "a priority is a number from 0.0 to 1.0, got 1.5"),
        (
            asks(&[SamplingMessage::assistant(tool_use("u1"))]),
            "the tool use `u1` has no tool result in the next message",
        ),
        (
            asks(&[
                SamplingMessage::assistant(tool_use("u1")).and(tool_use("u2")),
                SamplingMessage::user(result("u1")),
            ]),
            "the tool use `u2` has no tool result in the next message",
        ),
        (
            asks(&[SamplingMessage::assistant(tool_use("u1")), SamplingMessage::user(result("u1")).and("Hi")]),
            "a message with tool results is one of the user, with nothing else in it",
        ),
        (
            asks(&[user.clone(), SamplingMessage::user(result("u1"))]),
            "the tool result for `u1` answers no tool use of the message before",
        ),
        (asks(&[SamplingMessage::user(tool_use("u1"))]), "a message with tool uses is one of the assistant"),
    ] {
        assert_eq!(request.check().unwrap_err(), expected);
    }
}

#[test]
fn reads_what_the_model_has_written() {
    let single = decoded(
        r#"{"role":"assistant","content":{"type":"text","text":"Hello","annotations":{}},"model":"m","_meta":{}}"#,
    )
    .unwrap();
    assert_eq!((single.role, single.text(), single.model.as_str()), (Role::Assistant, "Hello".to_owned(), "m"));
    assert_eq!(single.stop_reason, None);
    let several = decoded(
        r#"{"role":"assistant","content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"},
            {"type":"image","data":"AAE=","mimeType":"image/png"}],"model":"m","stopReason":"endTurn"}"#,
    )
    .unwrap();
    assert_eq!(several.text(), "Hello");
    assert_eq!(several.content[2].to_bytes(), Some(vec![0, 1]));
    assert_eq!(several.stop_reason.as_deref(), Some("endTurn"));
}

#[test]
fn says_what_is_wrong_with_a_result() {
    for (text, expected) in [
        ("[]", "the result must be an object with `role`, `content` and `model`"),
        ("{}", "missing field `role`"),
        (r#"{"role":"assistant","model":"m"}"#, "missing field `content`"),
        (r#"{"role":"assistant","content":[]}"#, "missing field `model`"),
        (r#"{"role":"assistant","model":"m","content":{"type":"text"}}"#, "`content`: missing field `text`"),
        (
            r#"{"role":"assistant","model":"m","content":{"type":"video"}}"#,
            "`content`: unknown variant `video`, expected one of `text`, `image`, `audio`, `tool_use`",
        ),
        (r#"{"role":"robot","model":"m","content":[]}"#, "unknown variant `robot`, expected `user` or `assistant`"),
    ] {
        assert_eq!(decoded(text).unwrap_err(), expected);
    }
}
