//! `tools/call`: its params, its result, and the result's form in each revision.
//!
//! Spec: 2026-07-28, `server/tools`, "Calling Tools" and "Structured Content".

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::content::project_block;
use super::meta::RequestParams;
use super::{ContentBlock, Revision};
use crate::json;
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

/// How many bytes a value takes in a result, about.
pub(crate) fn value_bytes(json: &str, shape: ResultShape) -> usize {
    match shape {
        ResultShape::Nothing => 0,
        ResultShape::Content | ResultShape::Text => json.len(),
        // Once as it is, and once as a string.
        ResultShape::Object | ResultShape::Other => 2 * json.len() + json.len() / 8,
    }
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
    let Ok(Value::Array(mut blocks)) = json::tree(&[open, json, close].concat()) else {
        return out.extend_from_slice(b"[]");
    };
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

/// How many bytes are looked at together for what needs escaping.
const PIECE_BYTES: usize = 64;

/// Writes JSON as the inside of a JSON string. It holds no raw control characters, so quotes and backslashes are all
/// that needs escaping.
fn escape_json(out: &mut Vec<u8>, json: &[u8]) {
    let mut rest = json;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at_checked(PIECE_BYTES).unwrap_or((rest, &[]));
        if piece.iter().any(|byte| needs_escape(*byte)) {
            escape_piece(out, piece);
            rest = behind;
        } else {
            let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            let (plain, behind) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
            out.extend_from_slice(plain);
            rest = behind;
        }
    }
}

/// Byte by byte, since the members of an object have a quote every few bytes: to search for each and to copy what is in
/// between takes three times as long.
fn escape_piece(out: &mut Vec<u8>, piece: &[u8]) {
    // A place that is passed over is the backslash in front of the next. There are as many as a `u8` can count, so that none
    // has to be asked for: a piece takes two for each of its bytes at most.
    let mut escaped = [b'\\'; 1 << u8::BITS];
    let mut len = 0_u8;
    for byte in piece {
        len += ESCAPES.get(usize::from(*byte)).copied().unwrap_or_default();
        if let Some(place) = escaped.get_mut(usize::from(len)) {
            *place = *byte;
        }
        len += 1;
    }
    out.extend_from_slice(escaped.get(..usize::from(len)).unwrap_or_default());
}

/// How many bytes are put in front of a byte.
#[expect(clippy::indexing_slicing, reason = "a table has a place for every byte")]
const ESCAPES: [u8; 256] = {
    let mut escapes = [0; 256];
    escapes[b'"' as usize] = 1;
    escapes[b'\\' as usize] = 1;
    escapes
};

fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\')
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

#[cfg(test)]
mod tests {
    use super::{PIECE_BYTES, ResultShape, Revision, escape_json, value_bytes, write_value};

    #[test]
    fn foretells_how_long_a_value_is_in_a_result() {
        let text = format!("\"{}\"", "x".repeat(10_000));
        let object = format!("{{{}\"last\":1}}", "\"member\":\"a value of some length\",".repeat(1000));
        for (json, shape) in [(&text, ResultShape::Text), (&object, ResultShape::Object), (&text, ResultShape::Other)] {
            let mut out = Vec::with_capacity(value_bytes(json, shape) + 128);
            let capacity = out.capacity();
            write_value(&mut out, json, shape, Revision::LATEST);
            assert_eq!(out.capacity(), capacity, "{shape:?} takes {} bytes", out.len());
        }
    }

    #[test]
    fn escapes_as_a_serializer_does() {
        let plain = "x".repeat(3 * PIECE_BYTES);
        let parts = ["", "\"", "\\", "\"\"\\\\", "é😀", &"\"".repeat(2 * PIECE_BYTES), &plain, r#"{"a":"b\"c"}"#];
        for (first, second) in parts.iter().flat_map(|first| parts.iter().map(move |second| (first, second))) {
            for shift in [0, 1, PIECE_BYTES - 1, PIECE_BYTES] {
                let text = format!("{}{first}{second}{first}", &plain[..shift]);
                let mut escaped = Vec::new();
                escape_json(&mut escaped, text.as_bytes());
                assert_eq!(
                    format!("\"{}\"", String::from_utf8(escaped).unwrap()),
                    serde_json::to_string(&text).unwrap()
                );
            }
        }
    }
}
