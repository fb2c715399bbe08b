//! Lines and messages read once more, in the slowest and plainest way, to compare with.

use serde_json::value::RawValue;

use crate::json::{self, RawMembers, View};
use crate::jsonrpc::RequestId;

/// Splits the whole input at once. `None` stands for a line that is too long; blank lines are left out.
pub(super) fn lines(input: &[u8], max_line_bytes: usize) -> Vec<Option<&[u8]>> {
    let whole = input.split(|byte| *byte == b'\n');
    let lines = whole.map(|line| if line.len() > max_line_bytes { None } else { Some(trimmed(line)) });
    lines.filter(|line| *line != Some(b"")).collect()
}

/// Without white space around it, and without a byte order mark.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    if line.starts_with(b"\xEF\xBB\xBF") { line[3..].trim_ascii() } else { line }
}

/// What has to become of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// It is a request, or as good as one: its id has to be answered.
    Answer(RequestId, Kind),
    /// It is no message whose id could be read.
    AnswerWithoutId,
    /// It cancels a request.
    Cancel(RequestId),
    /// It says that the client of a session is ready.
    Ready,
    /// It is another notification, or a response.
    Nothing,
}

/// What a request asks for, as far as it matters to when it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Initialize,
    /// It may be answered later, or not at all if it is cancelled.
    Call,
    /// The same, but that its answer is the end of a subscription.
    Listen,
    /// It is answered at once.
    Other,
}

impl Kind {
    pub(super) fn of(method: Option<&str>) -> Self {
        match method {
            Some("initialize") => Self::Initialize,
            Some("tools/call" | "prompts/get" | "resources/read" | "completion/complete") => Self::Call,
            Some("subscriptions/listen") => Self::Listen,
            _ => Self::Other,
        }
    }
}

/// The messages of a batch; `None` if the line is none, or if it has none or too many.
pub(super) fn messages(line: &[u8], max_messages: usize) -> Option<Vec<&RawValue>> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.starts_with('['))?;
    let messages: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    (1..=max_messages).contains(&messages.len()).then_some(messages)
}

pub(super) fn read(line: &[u8]) -> Reading {
    let message = std::str::from_utf8(line).ok().and_then(Members::of_message);
    let Some(message) = message else { return Reading::AnswerWithoutId };
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    let is_twice = known.into_iter().any(|name| message.count(name) > 1);
    let method = message.get("method");
    if method.is_none() && (message.get("result").is_some() || message.get("error").is_some()) {
        return Reading::Nothing;
    }
    let id = match message.get("id").filter(|_| message.count("id") == 1).map(RequestId::from_json) {
        Some(None) => return Reading::AnswerWithoutId,
        id => id.flatten(),
    };
    let version: Option<String> = message.get("jsonrpc").and_then(string);
    let method = method.and_then(string);
    let is_message = version.as_deref() == Some("2.0") && method.is_some();
    match id {
        Some(id) => Reading::Answer(id, Kind::of(method.as_deref().filter(|_| !is_twice))),
        None if !is_message || is_twice => Reading::AnswerWithoutId,
        None if method.as_deref() == Some("notifications/initialized") => Reading::Ready,
        None if method.as_deref() == Some("notifications/cancelled") => {
            let params = message.get("params").and_then(Members::of);
            let cancelled = params.filter(|params| params.count("requestId") == 1);
            let id = cancelled.and_then(|params| params.get("requestId").and_then(RequestId::from_json));
            id.map_or(Reading::Nothing, Reading::Cancel)
        }
        None => Reading::Nothing,
    }
}

pub(super) fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// The members of an object, in order.
pub(super) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    pub(super) fn of(text: &'a str) -> Option<Self> {
        match View::of(text).filter(|_| text.starts_with('{'))? {
            View::Object(members) => {
                Some(Self(members.into_iter().map(|(name, value)| (name.into_owned(), value)).collect()))
            }
            _ => None,
        }
    }

    /// The same of a message, where a key that is no string is passed over.
    pub(super) fn of_message(text: &'a str) -> Option<Self> {
        let members = json::parse::<RawMembers<'_>>(text).ok()?.0;
        Some(Self(members.into_iter().filter_map(|(key, value)| Some((string(key.get())?, value))).collect()))
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(known, _)| known == name).count()
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}
