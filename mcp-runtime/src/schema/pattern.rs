//! Regular expressions of schemas, compiled once.

#[cfg(feature = "pattern")]
use std::collections::HashMap;

use serde_json::Value;

/// The patterns that occur in the schemas of a tool's arguments.
///
/// Without the feature `pattern`, every string matches every pattern: one that comes from a type's own schema is then
/// published and not enforced.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    #[cfg(feature = "pattern")]
    compiled: HashMap<String, regex_lite::Regex>,
}

impl Patterns {
    /// Compiles every pattern in a schema; one that is no regular expression is reported.
    #[cfg(feature = "pattern")]
    pub(crate) fn add(&mut self, schema: &Value, problems: &mut Vec<String>) {
        match schema {
            Value::Object(map) => {
                if let Some(Value::String(pattern)) = map.get("pattern") {
                    match regex_lite::Regex::new(pattern) {
                        Ok(regex) => drop(self.compiled.insert(pattern.clone(), regex)),
                        Err(error) => problems.push(format!("`{pattern}` is no regular expression: {error}")),
                    }
                }
                map.values().for_each(|schema| self.add(schema, problems));
            }
            Value::Array(schemas) => schemas.iter().for_each(|schema| self.add(schema, problems)),
            _ => {}
        }
    }

    /// Does nothing without the feature.
    #[cfg(not(feature = "pattern"))]
    #[expect(clippy::unused_self, reason = "the feature gives it something to do")]
    pub(crate) fn add(&mut self, _: &Value, _: &mut Vec<String>) {}

    /// Whether a string matches a pattern, anywhere in the string.
    #[cfg(feature = "pattern")]
    pub(crate) fn matches(&self, pattern: &str, string: &str) -> bool {
        self.compiled.get(pattern).is_none_or(|regex| regex.is_match(string))
    }

    /// Everything matches without the feature.
    #[cfg(not(feature = "pattern"))]
    #[expect(clippy::unused_self, reason = "the feature gives it something to do")]
    pub(crate) fn matches(&self, _: &str, _: &str) -> bool {
        true
    }
}
