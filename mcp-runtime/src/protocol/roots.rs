//! `roots/list`: the folders that the client works in.
//!
//! Spec: 2026-07-28, `client/roots`.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json;
use crate::jsonrpc::without_place;

/// The method. It has no params.
pub(crate) const METHOD: &str = "roots/list";

/// A folder or a file that the client works in.
///
/// It tells where to look; it is no permission, and a server has to check paths all the same.
///
/// # Spec
/// 2026-07-28, `schema`, `Root`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a URI that begins with `file://`, in all revisions so far.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

/// The result of `roots/list`.
#[derive(Debug, Deserialize)]
pub(crate) struct ListRootsResult {
    pub(crate) roots: Vec<Root>,
}

impl ListRootsResult {
    /// Reads a result.
    ///
    /// # Errors
    /// What is wrong with its shape.
    pub(crate) fn decode(raw: &RawValue) -> Result<Self, String> {
        // A derived struct would take an array for its members in order.
        if !raw.get().starts_with('{') {
            return Err("the result must be an object with `roots`".to_owned());
        }
        json::parse(raw.get()).map_err(|error| without_place(&error))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{ListRootsResult, Root};

    fn decoded(text: &str) -> Result<Vec<Root>, String> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        ListRootsResult::decode(raw).map(|result| result.roots)
    }

    #[test]
    fn reads_roots() {
        let text = r#"{"roots":[{"uri":"file:///work","name":"Work"},{"uri":"file:///tmp","_meta":{}}],"_meta":{}}"#;
        let root = |uri: &str, name: Option<&str>| Root { uri: uri.to_owned(), name: name.map(str::to_owned) };
        assert_eq!(decoded(text).unwrap(), [root("file:///work", Some("Work")), root("file:///tmp", None)]);
        assert_eq!(decoded(r#"{"roots":[]}"#).unwrap(), []);
    }

    #[test]
    fn says_what_is_wrong_with_a_result() {
        for (text, expected) in [
            ("[]", "the result must be an object with `roots`"),
            ("{}", "missing field `roots`"),
            (r#"{"roots":[{"name":"Work"}]}"#, "missing field `uri`"),
            (r#"{"roots":{}}"#, "invalid type: map, expected a sequence"),
        ] {
            assert_eq!(decoded(text).unwrap_err(), expected);
        }
    }
}
