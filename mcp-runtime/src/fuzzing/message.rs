//! One line as a message.

use serde_json::value::RawValue;

use super::oracle::{Kind, Members, Reading, read};
use crate::jsonrpc::{self, ErrorObject, Message, RequestId};
use crate::protocol::call::CallToolRequest;
use crate::protocol::lifecycle::InitializeRequest;
use crate::protocol::meta::RequestParams;
use crate::protocol::progress::cancelled_request;

/// No line makes decoding fail; what it is agrees with a plainer reading, and an id is echoed as it stands.
pub fn message(data: &[u8]) {
    let line = data.trim_ascii();
    if line.is_empty() || line.contains(&b'\n') {
        return;
    }
    let expected = read(line);
    match jsonrpc::decode(line) {
        Message::Request { id, method, params } => {
            assert_eq!(expected, Reading::Answer(id.clone(), Kind::of(Some(&method))));
            assert_echoed(line, &id, &ErrorObject::method_not_found(&method));
            assert_found(line, params);
            for error in [
                RequestParams::decode(params).and_then(|params| CallToolRequest::decode(&params).map(drop)).err(),
                InitializeRequest::decode(params).err(),
            ] {
                assert_echoed(line, &id, &error.unwrap_or_else(|| ErrorObject::parse("")));
            }
        }
        Message::Notification { method, params } => {
            let read = match &*method {
                "notifications/initialized" => Reading::Ready,
                "notifications/cancelled" => cancelled_request(params).map_or(Reading::Nothing, Reading::Cancel),
                _ => Reading::Nothing,
            };
            assert_eq!(expected, read);
        }
        Message::Response(_) => assert_eq!(expected, Reading::Nothing),
        Message::Invalid { id: Some(id), error } => {
            assert!(matches!(&expected, Reading::Answer(expected, _) if *expected == id), "{expected:?}");
            assert_echoed(line, &id, &error);
        }
        Message::Invalid { id: None, error } => {
            assert_eq!(expected, Reading::AnswerWithoutId);
            let mut out = Vec::new();
            jsonrpc::write_error(&mut out, None, &error);
            assert_eq!(member(&out, "id"), None);
            assert!(member(&out, "error").is_some());
        }
    }
}

/// What is found in the params on the way is what they have when they are read by themselves.
fn assert_found(line: &[u8], params: Option<&RawValue>) {
    let mut found = None;
    jsonrpc::decode_with(line, |walk| RequestParams::walk(&mut found, walk));
    let Some(found) = found else { return };
    let decoded = RequestParams::decode(params).expect("what is plain can be read");
    let of = |params: &RequestParams<'_>| {
        let (call, level) = (CallToolRequest::decode(params), params.meta.log_level());
        format!("{params:?} {level:?} {call:?}")
    };
    assert_eq!(of(&found), of(&decoded));
}

/// Both kinds of response are one line with the id of the request, character by character.
fn assert_echoed(line: &[u8], id: &RequestId, error: &ErrorObject) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    jsonrpc::begin_result(&mut good, id);
    good.extend_from_slice(b"{}");
    jsonrpc::end(&mut good);
    jsonrpc::write_error(&mut bad, Some(id), error);
    for (response, kind) in [(good, "result"), (bad, "error")] {
        assert_eq!(member(&response, "id"), member(line, "id"));
        assert!(member(&response, kind).is_some());
    }
}

/// A member of a message on one line.
fn member(line: &[u8], name: &str) -> Option<String> {
    let line = std::str::from_utf8(line).expect("messages are UTF-8");
    let line = line.strip_suffix('\n').unwrap_or(line);
    assert!(!line.contains('\n'), "a message is one line: {line}");
    let members = Members::of_message(line).expect("a message is an object");
    members.get(name).map(str::to_owned)
}
