//! The arguments of a tool that clients mirror in headers, by `x-mcp-header` in its input schema.
//!
//! Spec: 2026-07-28, `server/tools`, "x-mcp-header", and `basic/transports/streamable-http`, "Custom Headers from Tool
//! Parameters".

use serde_json::Value;

use crate::json;

/// The keyword.
pub(crate) const HEADER: &str = "x-mcp-header";

/// Keywords whose values are data, in which the keyword means nothing.
const DATA: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// An argument that is mirrored in a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mirrored {
    /// The names of the members that lead to it.
    pub(crate) path: Vec<String>,
    /// The header, in lower case.
    pub(crate) header: String,
}

/// Everything that a schema says about headers.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) mirrored: Vec<Mirrored>,
    /// What is wrong with it; a client would leave the whole tool out.
    pub(crate) problems: Vec<String>,
}

impl Headers {
    /// Looks through the text of a schema.
    pub(crate) fn of(schema: &str) -> Self {
        let mut headers = Self::default();
        // Nearly no schema has the keyword.
        if schema.contains(HEADER) {
            if let Ok(schema) = json::tree(schema) {
                headers.look_at(&schema, &mut Vec::new(), true);
            }
        }
        headers
    }

    /// Looks at a schema, which `properties` alone lead to or not.
    fn look_at(&mut self, schema: &Value, path: &mut Vec<String>, is_reached: bool) {
        let Value::Object(members) = schema else {
            if let Value::Array(items) = schema {
                for item in items {
                    self.look_at(item, path, false);
                }
            }
            return;
        };
        if let Some(header) = members.get(HEADER) {
            self.add(header, members.get("type").and_then(Value::as_str), path, is_reached && !path.is_empty());
        }
        for (keyword, value) in members.iter().filter(|(keyword, _)| !DATA.contains(&keyword.as_str())) {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        path.push(name.clone());
                        self.look_at(property, path, is_reached);
                        path.pop();
                    }
                }
                // Their members are schemas under names of the user's.
                ("$defs" | "definitions" | "patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                    for schema in schemas.values() {
                        self.look_at(schema, path, false);
                    }
                }
                _ => self.look_at(value, path, false),
            }
        }
    }

    fn add(&mut self, header: &Value, ty: Option<&str>, path: &[String], is_reached: bool) {
        let name = path.join(".");
        let header = header.as_str().unwrap_or_default();
        let is_token_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let full = format!("mcp-param-{}", header.to_ascii_lowercase());
        let problem = if header.is_empty() || !header.bytes().all(is_token_byte) {
            format!("`{header}` is no header name: use letters, digits and `-`")
        } else if !is_reached {
            "only an argument, or a member of one by `properties` alone, can be mirrored in a header".to_owned()
        } else if !matches!(ty, Some("string" | "integer" | "boolean")) {
            "only a string, an integer or a boolean can be mirrored in a header".to_owned()
        } else if self.mirrored.iter().any(|other| other.header == full) {
            format!("another argument has the header `{}`", header.to_ascii_lowercase())
        } else {
            return self.mirrored.push(Mirrored { path: path.to_vec(), header: full });
        };
        self.problems.push(format!("`{name}`: {problem}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: &Value) -> (Vec<String>, Vec<String>) {
        let headers = Headers::of(&schema.to_string());
        let shown = headers.mirrored.iter().map(|mirrored| format!("{}={}", mirrored.path.join("."), mirrored.header));
        (shown.collect(), headers.problems)
    }

    #[test]
    fn finds_arguments_at_every_depth_of_properties() {
        let (mirrored, problems) = of(&json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "x-mcp-header": { "type": "string" },
            "place": { "type": "object", "properties": { "floor": { "type": "integer", "x-mcp-header": "Floor" } } },
            "plain": { "type": "string", "default": { "x-mcp-header": "No" } },
        } }));
        assert_eq!(mirrored, ["region=mcp-param-region", "place.floor=mcp-param-floor"]);
        assert_eq!(problems, [] as [&str; 0]);
    }

    #[test]
    fn refuses_what_clients_would() {
        let refused = |property: Value| {
            let schema = json!({ "type": "object", "properties": { "a": { "type": "string", "x-mcp-header": "A" }, "b": property } });
            of(&schema).1
        };
        let unreached = "only an argument, or a member of one by `properties` alone, can be mirrored in a header";
        let other = "only a string, an integer or a boolean can be mirrored in a header";
        assert_eq!(refused(json!({ "type": "number", "x-mcp-header": "B" })), [format!("`b`: {other}")]);
        assert_eq!(refused(json!({ "type": ["string", "null"], "x-mcp-header": "B" })), [format!("`b`: {other}")]);
        assert_eq!(
            refused(json!({ "type": "string", "x-mcp-header": "My Region" })),
            ["`b`: `My Region` is no header name: use letters, digits and `-`"]
        );
        assert_eq!(
            refused(json!({ "type": "string", "x-mcp-header": "a" })),
            ["`b`: another argument has the header `a`"]
        );
        for unreachable in [
            json!({ "type": "array", "items": { "type": "string", "x-mcp-header": "B" } }),
            json!({ "anyOf": [{ "type": "string", "x-mcp-header": "B" }] }),
        ] {
            assert_eq!(refused(unreachable), [format!("`b`: {unreached}")]);
        }
        let nested = json!({ "type": "object", "$defs": { "c": { "type": "string", "x-mcp-header": "C" } } });
        assert_eq!(of(&nested).1, [format!("``: {unreached}")]);
    }
}
