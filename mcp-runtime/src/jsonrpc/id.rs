//! The id of a request.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::json;

/// The longest id, in bytes of JSON.
pub(super) const MAX_ID_BYTES: usize = 1024;

/// The id of a request: a string or an integer, kept exactly as the client wrote it.
///
/// `1` and `"1"` are different ids, and integers of any size are echoed digit by digit. Two spellings of one string,
/// such as `"a"` and `"\u0061"`, are the same id.
#[derive(Debug, Clone)]
pub struct RequestId(Text);

/// How many bytes an id may have that is copied rather than shared: all but the ids of few clients have less.
const SHORT_BYTES: usize = 22;

/// The JSON of an id. It is cloned for each call, which must not cost an allocation.
#[derive(Clone)]
enum Text {
    Short { len: u8, bytes: [u8; SHORT_BYTES] },
    Long(Arc<str>),
}

impl Text {
    fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT_BYTES];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short { len, bytes }
            }
            _ => Self::Long(text.into()),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Self::Long(text) => text.as_bytes(),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            // It was made of a text.
            Self::Short { .. } => std::str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Self::Long(text) => text,
        }
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl RequestId {
    /// Takes the id from its JSON text, if it is a string or an integer, and not too long to be repeated in every message
    /// about the request.
    pub(crate) fn from_json(text: &str) -> Option<Self> {
        let is_id = match text.as_bytes().first()? {
            b'"' => true,
            b'-' | b'0'..=b'9' => !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')),
            _ => false,
        };
        (is_id && text.len() <= MAX_ID_BYTES).then(|| Self(Text::new(text)))
    }

    /// The id as it stands in JSON: a string with its quotes, or the digits of an integer.
    #[must_use]
    pub fn as_json(&self) -> &str {
        self.0.as_str()
    }

    /// The same as bytes, to be written.
    pub(crate) fn as_json_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The same, to be part of a message.
    pub(crate) fn as_raw(&self) -> &RawValue {
        // It was taken from JSON, so it is JSON.
        json::parse(self.as_json()).unwrap_or(RawValue::NULL)
    }

    /// What two ids are compared by: the text, with the escapes of a string resolved.
    fn key(&self) -> Cow<'_, [u8]> {
        let bytes = self.as_json_bytes();
        if bytes.first() == Some(&b'"') && bytes.contains(&b'\\') {
            if let Ok(unescaped) = json::parse::<String>(self.as_json()) {
                return Cow::Owned(format!("\"{unescaped}\"").into_bytes());
            }
        }
        Cow::Borrowed(bytes)
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for RequestId {}

impl Hash for RequestId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_json())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_ID_BYTES, RequestId, SHORT_BYTES};

    #[test]
    fn keeps_ids_of_every_length_as_they_are_written() {
        for len in (2..=SHORT_BYTES + 2).chain([MAX_ID_BYTES]) {
            for letter in ["x", "é"] {
                let filling = letter.repeat((len - 2) / letter.len());
                let json = format!("\"{filling}\"");
                let id = RequestId::from_json(&json).expect("it is an id");
                assert_eq!((id.as_json(), id.to_string(), id.as_raw().get()), (&*json, json.clone(), &*json));
                assert_eq!(id, id.clone());
            }
        }
        assert!(RequestId::from_json(&format!("\"{}\"", "x".repeat(MAX_ID_BYTES))).is_none());
    }

    #[test]
    fn tells_numbers_from_strings_and_one_spelling_from_none() {
        let id = |json: &str| RequestId::from_json(json).expect("it is an id");
        assert_ne!(id("1"), id("\"1\""));
        assert_eq!(id(r#""a""#), id(r#""\u0061""#));
        assert_eq!(id(r#""abcdefghijklmnopqrst""#), id(r#""abcdefghijklmnopqrs\u0074""#));
        assert!(
            ["1.0", "1e3", "null", "true", "[1]", "{}", ""]
                .into_iter()
                .all(|json| RequestId::from_json(json).is_none())
        );
    }
}
