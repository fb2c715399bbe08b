//! `tools/call`: its params, its result, and the result's form in each revision.
//!
//! Spec: 2026-07-28, `server/tools`, "Calling Tools" and "Structured Content".

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::content::project_block;
use super::meta::RequestParams;
use super::{ContentBlock, Revision};
use crate::jsonrpc::{ErrorObject, as_string, write_json};

/// The params of `tools/call`.
#[derive(Debug)]
pub(crate) struct CallToolRequest<'a> {
    pub(crate) name: Cow<'a, str>,
    /// The arguments object, `{}` if there was none.
    pub(crate) arguments: &'a str,
}

impl<'a> CallToolRequest<'a> {
    /// Reads the params further.
    ///
    /// # Errors
    /// `-32602` if they do not have the shape of a call; what is inside `arguments` is not looked at.
    pub(crate) fn decode(params: &RequestParams<'a>) -> Result<Self, ErrorObject> {
        let name = params.name.ok_or_else(|| ErrorObject::invalid_params("`name` is missing: the name of the tool"))?;
        let name = as_string(name).ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = params.arguments.map_or("{}", RawValue::get);
        if !arguments.starts_with('{') {
            return Err(ErrorObject::invalid_params("`arguments` must be an object"));
        }
        Ok(Self { name, arguments })
    }
}

/// A whole result, for a tool that wants to say more than its return value can: content and structured content that
/// differ, or a failure with data.
///
/// # Examples
/// ```
/// use mcp_runtime::{CallToolResult, ContentBlock};
///
/// let result = CallToolResult::new([ContentBlock::text("3 of 5 sent")]).structured(serde_json::json!({ "sent": 3 }));
/// # let _ = result;
/// ```
///
/// # Spec
/// 2026-07-28, `schema`, `CallToolResult`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct CallToolResult {
    /// What the model sees.
    pub content: Vec<ContentBlock>,
    /// What programs see; since 2025-06-18.
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
    /// What else programs may want to know. In a box, since nearly no result has it.
    pub(crate) meta: Option<Box<Map<String, Value>>>,
}

impl CallToolResult {
    /// A result with these blocks.
    pub fn new(content: impl IntoIterator<Item = ContentBlock>) -> Self {
        Self { content: content.into_iter().collect(), ..Self::default() }
    }

    /// Adds structured content.
    #[must_use]
    pub fn structured(mut self, value: Value) -> Self {
        self.structured_content = Some(value);
        self
    }

    /// Adds `_meta`: what else programs may want to know, under keys of your own.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(Box::new(meta));
        self
    }

    /// Makes it a failure.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }
}

/// How the value that a tool returns becomes content. It follows from the output schema, so it is the same for every
/// call of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultShape {
    /// The unit type: neither content nor a schema.
    Nothing,
    /// Content blocks, one or a list: content and no schema.
    Content,
    /// A string: one text block.
    Text,
    /// A JSON object.
    Object,
    /// Any other JSON: a list, a number, an object or null.
    Other,
}

/// Appends the members of a call's result, without the braces, for a value that is already JSON.
pub(crate) fn write_value(out: &mut Vec<u8>, json: &str, shape: ResultShape, revision: Revision) {
    match shape {
        ResultShape::Nothing => out.extend_from_slice(br#""content":[]"#),
        ResultShape::Content => write_blocks(out, json, revision),
        // A type may say that it is a string, or an object, and write something else.
        ResultShape::Text if json.starts_with('"') => write_text_literal(out, json),
        ResultShape::Text => write_text(out, json),
        ResultShape::Object if !json.starts_with('{') => {
            write_structured(out, json, revision.structured_is_object(), revision);
        }
        ResultShape::Object => write_structured(out, json, false, revision),
        ResultShape::Other => write_structured(out, json, revision.structured_is_object(), revision),
    }
}

/// A string's JSON is the literal that the text block needs.
fn write_text_literal(out: &mut Vec<u8>, literal: &str) {
    out.extend_from_slice(br#""content":[{"type":"text","text":"#);
    out.extend_from_slice(literal.as_bytes());
    out.extend_from_slice(b"}]");
}

/// Blocks are sent as they are, unless the revision is too old for some of them.
fn write_blocks(out: &mut Vec<u8>, json: &str, revision: Revision) {
    let (open, json, close) = match json.as_bytes().first() {
        Some(b'[') => ("", json, ""),
        Some(b'{') => ("[", json, "]"),
        _ => ("", "[]", ""),
    };
    out.extend_from_slice(br#""content":"#);
    if revision.has_structured_content() {
        for part in [open, json, close] {
            out.extend_from_slice(part.as_bytes());
        }
        return;
    }
    let mut blocks: Vec<Value> = serde_json::from_str(&[open, json, close].concat()).unwrap_or_default();
    for block in &mut blocks {
        project_block(block, revision);
    }
    write_json(out, &blocks);
}

/// The text mirror is the structured content as it is sent, so that both parse to the same value. Before revision
/// 2026-07-28 a null says nothing in text.
fn write_structured(out: &mut Vec<u8>, json: &str, wrapped: bool, revision: Revision) {
    let (open, close) = if wrapped { (r#"{"result":"#, "}") } else { ("", "") };
    out.extend_from_slice(br#""content":["#);
    if json != "null" || revision.is_modern() {
        out.extend_from_slice(br#"{"type":"text","text":""#);
        for part in [open, json, close] {
            escape_json(out, part.as_bytes());
        }
        out.extend_from_slice(br#""}"#);
    }
    out.push(b']');
    if revision.has_structured_content() {
        out.extend_from_slice(br#","structuredContent":"#);
        for part in [open, json, close] {
            out.extend_from_slice(part.as_bytes());
        }
    }
}

/// Writes JSON as the inside of a JSON string. It holds no raw control characters, so quotes and backslashes are all
/// that needs escaping.
fn escape_json(out: &mut Vec<u8>, json: &[u8]) {
    out.reserve(json.len() + json.len() / 8);
    let mut rest = json;
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain);
        out.push(b'\\');
        let (byte, tail) = special.split_at(1);
        out.extend_from_slice(byte);
        rest = tail;
    }
    out.extend_from_slice(rest);
}

/// Appends the members of a full result.
pub(crate) fn write_result(out: &mut Vec<u8>, result: &CallToolResult, revision: Revision) {
    let mut blocks = Vec::new();
    write_json(&mut blocks, &result.content);
    write_blocks(out, std::str::from_utf8(&blocks).unwrap_or_default(), revision);
    if let Some(value) = result.structured_content.as_ref().filter(|_| revision.has_structured_content()) {
        let wrapped = revision.structured_is_object() && !value.is_object();
        out.extend_from_slice(if wrapped {
            br#","structuredContent":{"result":"#.as_slice()
        } else {
            br#","structuredContent":"#
        });
        write_json(out, value);
        if wrapped {
            out.push(b'}');
        }
    }
    if result.is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
}

/// Appends the members of a failure: one text block and the flag.
pub(crate) fn write_failure(out: &mut Vec<u8>, text: &str) {
    write_text(out, text);
    out.extend_from_slice(br#","isError":true"#);
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#""content":[{"type":"text","text":"#);
    write_json(out, text);
    out.extend_from_slice(b"}]");
}
