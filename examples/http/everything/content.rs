//! Tools for every kind of content, and for what a call can do besides returning something.

use std::time::Duration;

use mcp_runtime::{
    ContentBlock, Context, LogLevel, Prompt, PromptSet, ResourceContents, SetError, State, Tool, ToolDef, ToolSet,
    tool, tools,
};
use serde_json::json;
use tokio::time::sleep;

/// All of them, the most harmless first.
pub(crate) fn all() -> impl IntoIterator<Item = ToolDef> {
    tools![
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_error_handling,
        test_tool_with_progress,
        test_tool_with_logging,
        test_logging_tool,
        test_reconnection,
        test_custom_header,
        test_trigger_tool_change,
        test_trigger_prompt_change,
    ]
}

/// A red pixel.
pub(crate) const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2,
    0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 12, b'I', b'D', b'A', b'T', 8, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0, 0, 3, 1,
    1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82,
];

/// One silent sample.
const WAV: &[u8] = &[
    b'R', b'I', b'F', b'F', 38, 0, 0, 0, b'W', b'A', b'V', b'E', b'f', b'm', b't', b' ', 16, 0, 0, 0, 1, 0, 1, 0, 0x40,
    0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0, b'd', b'a', b't', b'a', 2, 0, 0, 0, 0, 0,
];

/// Say something.
#[tool(read_only)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Show a pixel.
#[tool(read_only)]
fn test_image_content() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

/// Play a silence.
#[tool(read_only)]
fn test_audio_content() -> ContentBlock {
    ContentBlock::audio(WAV, "audio/wav")
}

/// Bring a document along.
#[tool(read_only)]
fn test_embedded_resource() -> ContentBlock {
    let document = ResourceContents::text("test://embedded-resource", "This is an embedded resource content.");
    ContentBlock::resource(document.mime_type("text/plain"))
}

/// Answer with several kinds of content at once.
#[tool(read_only)]
fn test_multiple_content_types() -> Vec<ContentBlock> {
    let document = ResourceContents::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    vec![
        ContentBlock::text("Multiple content types test:"),
        ContentBlock::image(PNG, "image/png"),
        ContentBlock::resource(document.mime_type("application/json")),
    ]
}

/// Fail.
#[tool(read_only)]
fn test_error_handling() -> Result<(), String> {
    Err("This tool intentionally returns an error for testing".to_owned())
}

/// Report progress on the way to the answer.
#[tool(read_only)]
async fn test_tool_with_progress(ctx: &Context) -> &'static str {
    for step in [0.0, 50.0, 100.0] {
        ctx.progress(step, Some(100.0), Some("working"));
        sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// Log on the way to the answer.
#[tool(read_only)]
async fn test_tool_with_logging(ctx: &Context) -> &'static str {
    for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        ctx.log(LogLevel::Info, text);
        sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// Log a little.
#[tool(read_only)]
fn test_logging_tool(ctx: &Context) -> &'static str {
    ctx.log(LogLevel::Info, "logged, for those who want to read it");
    "done"
}

/// Hang up on the client, who comes back for the answer.
#[tool(read_only)]
async fn test_reconnection(ctx: &Context) -> &'static str {
    if ctx.close_stream(Duration::from_millis(500)) {
        sleep(Duration::from_millis(100)).await;
    }
    "Reconnection test completed successfully"
}

/// Take an argument that proxies can route by.
#[tool(read_only)]
fn test_custom_header(#[arg(header = "Value")] value: String) -> String {
    value
}

/// Change the list of tools, and change it back.
#[tool]
fn test_trigger_tool_change(set: &State<ToolSet>) -> Result<(), SetError> {
    let passing =
        Tool::builder("test_passing_tool").description("Here and gone.").input_schema(json!({ "type": "object" }));
    set.add(passing.handler(|_: serde_json::Value, _| async { Ok::<_, String>("hello") }))?;
    set.remove("test_passing_tool");
    Ok(())
}

/// Change the list of prompts, and change it back.
#[tool]
fn test_trigger_prompt_change(set: &State<PromptSet>) -> Result<(), SetError> {
    set.add(Prompt::builder("test_passing_prompt").description("Here and gone.").text("hello"))?;
    set.remove("test_passing_prompt");
    Ok(())
}

/// A tool with a schema of its own, with keywords that no derive writes.
pub(crate) fn json_schema_tool() -> Tool {
    let address = json!({
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": address },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    });
    let tool = Tool::builder("json_schema_2020_12_tool").description("Take arguments that depend on each other.");
    tool.input_schema(schema)
        .handler(|arguments: serde_json::Value, _| async move { Ok::<_, String>(arguments.to_string()) })
}
