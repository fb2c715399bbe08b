//! Who answers what a server asks, for clients in the same process.

use serde_json::{Map, Value, json};

/// What a server asks its client.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// The key that the handler has given it; only revision 2026-07-28 tells it.
    pub key: Option<String>,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Its params, such as the `message` and the `requestedSchema` of a form; null if it has none.
    pub params: Value,
}

/// Answers each question with a result.
pub(crate) struct Answers(Box<dyn FnMut(&Question) -> Value + Send>);

impl Answers {
    pub(crate) fn new(answer: impl FnMut(&Question) -> Value + Send + 'static) -> Self {
        Self(Box::new(answer))
    }

    fn answer(&mut self, key: Option<String>, asked: &Value) -> Value {
        let method = asked.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        (self.0)(&Question { key, method, params: asked.get("params").cloned().unwrap_or_default() })
    }

    /// The response to a request of a server.
    pub(crate) fn respond(&mut self, id: &Value, request: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "result": self.answer(None, request) })
    }

    /// The params of the next round, if the result of the last one asks something.
    pub(crate) fn next_round(&mut self, params: &Value, result: &mut Value) -> Option<Value> {
        if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
            return None;
        }
        let mut next = params.as_object().cloned().unwrap_or_default();
        let asked = result.get("inputRequests").and_then(Value::as_object).into_iter().flatten();
        let answers: Map<String, Value> =
            asked.map(|(key, asked)| (key.clone(), self.answer(Some(key.clone()), asked))).collect();
        next.insert("inputResponses".to_owned(), Value::Object(answers));
        if let Some(state) = result.get_mut("requestState") {
            next.insert("requestState".to_owned(), state.take());
        }
        Some(Value::Object(next))
    }
}
