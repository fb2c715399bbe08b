//! `elicitation/create`: asking the user, by a form that the client shows or by a page that the client opens.
//!
//! Spec: 2025-06-18, 2025-11-25 and 2026-07-28, `client/elicitation`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Revision;
use crate::jsonrpc::{as_string, present};
use crate::text::shortened;

/// The method of both modes.
pub(crate) const METHOD: &str = "elicitation/create";

/// The params of an elicitation by a form. Before 2025-11-25 there was no other mode, and so no name for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ElicitRequestFormParams<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    message: &'a str,
    requested_schema: &'a Value,
}

impl<'a> ElicitRequestFormParams<'a> {
    /// Asks with a text and the schema of the form, as it is for the revision.
    pub(crate) fn new(message: &'a str, requested_schema: &'a Value, revision: Revision) -> Self {
        let mode = (revision >= Revision::V2025_11_25).then_some("form");
        Self { mode, message, requested_schema }
    }
}

/// The params of an elicitation by a URL. Since 2025-11-25.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ElicitRequestUrlParams<'a> {
    mode: &'static str,
    message: &'a str,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_id: Option<&'a str>,
}

impl<'a> ElicitRequestUrlParams<'a> {
    /// Asks with a text and a URL. The id, which no other elicitation of the server may have, is that of 2025-11-25 alone.
    pub(crate) fn new(message: &'a str, url: &'a str, elicitation_id: &'a str, revision: Revision) -> Self {
        let elicitation_id = (!revision.is_modern()).then_some(elicitation_id);
        Self { mode: "url", message, url, elicitation_id }
    }
}

/// Checks that a client can open a URL.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check_url(url: &str) -> Result<(), String> {
    let host = ["https://", "http://"].into_iter().find_map(|scheme| url.strip_prefix(scheme));
    let is_plain = url.bytes().all(|byte| byte.is_ascii_graphic());
    match host {
        Some(host) if is_plain && !host.is_empty() && !host.starts_with('/') => Ok(()),
        _ => Err(format!(
            "`{}` is no URL that a client opens; write one such as https://example.com/pay",
            shortened(url)
        )),
    }
}

/// What the user did.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ElicitResult<'a> {
    /// Sent the form, or agreed to open the page; what was filled in, unread, is there for a form only.
    Accept(Option<&'a RawValue>),
    /// Said no.
    Decline,
    /// Closed the question.
    Cancel,
}

#[derive(Deserialize)]
struct RawElicitResult<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl<'a> ElicitResult<'a> {
    /// Reads a result; what is inside of `content` is not looked at.
    ///
    /// # Errors
    /// What is wrong with its shape.
    pub(crate) fn decode(raw: &'a RawValue) -> Result<Self, String> {
        let raw: RawElicitResult<'_> = super::meta::object(raw, "result").map_err(|error| error.message)?;
        let action = raw.action.ok_or("`action` is missing: \"accept\", \"decline\" or \"cancel\"")?;
        match as_string(action).as_deref() {
            Some("accept") => Ok(Self::Accept(raw.content)),
            Some("decline") => Ok(Self::Decline),
            Some("cancel") => Ok(Self::Cancel),
            _ => {
                Err(format!("`action` must be \"accept\", \"decline\" or \"cancel\", got {}", shortened(action.get())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::{ElicitRequestFormParams, ElicitRequestUrlParams, ElicitResult, check_url};
    use crate::protocol::Revision;

    #[test]
    fn asks_by_a_form_in_each_revision() {
        let schema = json!({ "type": "object", "properties": {} });
        let params = |revision| json!(ElicitRequestFormParams::new("Sure?", &schema, revision));
        assert_eq!(params(Revision::V2025_06_18), json!({ "message": "Sure?", "requestedSchema": schema }));
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let expected = json!({ "mode": "form", "message": "Sure?", "requestedSchema": schema });
            assert_eq!(params(revision), expected, "{revision}");
        }
    }

    #[test]
    fn asks_by_a_url_in_each_revision() {
        let params = |revision| json!(ElicitRequestUrlParams::new("Pay", "https://pay.example/7", "e-7", revision));
        assert_eq!(
            params(Revision::V2025_11_25),
            json!({ "mode": "url", "message": "Pay", "url": "https://pay.example/7", "elicitationId": "e-7" })
        );
        assert_eq!(
            params(Revision::V2026_07_28),
            json!({ "mode": "url", "message": "Pay", "url": "https://pay.example/7" })
        );
    }

    #[test]
    fn takes_urls_that_a_client_can_open() {
        for url in ["https://example.com", "http://localhost:8080/a?b=c#d", "https://[::1]/"] {
            assert_eq!(check_url(url), Ok(()), "{url}");
        }
        for url in
            ["", "example.com", "/pay", "https://", "https:///pay", "javascript:alert(1)", "https://a b", "https://a\n"]
        {
            assert!(check_url(url).is_err(), "{url}");
        }
    }

    fn decoded(text: &str) -> Result<String, String> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        Ok(match ElicitResult::decode(raw)? {
            ElicitResult::Accept(content) => format!("accept {}", content.map_or("nothing", RawValue::get)),
            ElicitResult::Decline => "decline".to_owned(),
            ElicitResult::Cancel => "cancel".to_owned(),
        })
    }

    #[test]
    fn reads_what_the_user_did() {
        for (text, expected) in [
            (r#"{"action":"accept","content":{"n":30.0}}"#, r#"accept {"n":30.0}"#),
            (r#"{"action":"accept"}"#, "accept nothing"),
            (r#"{"action":"accept","content":null}"#, "accept nothing"),
            (r#"{"action":"decline","content":{}}"#, "decline"),
            (r#"{"action":"cancel","_meta":{"x":1},"resultType":"complete"}"#, "cancel"),
        ] {
            assert_eq!(decoded(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_a_result() {
        for (text, expected) in [
            ("[]", "`result` must be an object"),
            ("{}", r#"`action` is missing: "accept", "decline" or "cancel""#),
            (r#"{"action":"yes"}"#, r#"`action` must be "accept", "decline" or "cancel", got "yes""#),
            (r#"{"action":null}"#, r#"`action` must be "accept", "decline" or "cancel", got null"#),
            (r#"{"action":{}}"#, r#"`action` must be "accept", "decline" or "cancel", got {}"#),
        ] {
            assert_eq!(decoded(text).unwrap_err(), expected);
        }
    }
}
