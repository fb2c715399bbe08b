//! Trying the tools from a terminal.

#![expect(clippy::indexing_slicing, reason = "a member that a JSON value does not have reads as null")]

use std::io::Write as _;

use serde_json::Value;

use crate::client::ClientError;
use crate::protocol::Revision;
use crate::server::Server;
use crate::text::shortened;

/// Prints a line; that nobody reads it, as after `| head`, is no failure.
pub(super) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints the tools as a table: how each is called, and the first line of its description.
pub(super) async fn list(server: Server, revision: Revision) -> Result<(), String> {
    if !server.has_tools() {
        return Err("this server has no tools: add them with `.tools(tools![…])`".to_owned());
    }
    let mut client = server.connect_as(revision).await.map_err(|error| error.to_string())?;
    let tools = client.list_tools().await.map_err(|error| error.to_string())?;
    let rows: Vec<_> = tools.iter().map(|tool| (signature(tool), description(tool))).collect();
    let width = rows.iter().map(|(signature, _)| signature.chars().count()).max().unwrap_or_default();
    for (signature, description) in rows {
        print(&format!("{signature:width$}  {description}"));
    }
    Ok(())
}

/// `search query [limit]`: the name, and the arguments with the optional ones in brackets.
fn signature(tool: &Value) -> String {
    let schema = &tool["inputSchema"];
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names = schema["properties"].as_object().into_iter().flat_map(serde_json::Map::keys);
    // The required ones first, since the client's tree has lost their order.
    let (needed, others): (Vec<_>, Vec<_>) = names.partition(|name| required.iter().any(|required| required == *name));
    let words = required.iter().filter_map(Value::as_str).filter(|name| needed.iter().any(|needed| needed == name));
    let words = words.map(str::to_owned).chain(others.into_iter().map(|name| format!("[{name}]")));
    let name = tool["name"].as_str().unwrap_or_default();
    std::iter::once(name.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn description(tool: &Value) -> &str {
    tool["description"].as_str().and_then(|text| text.lines().next()).unwrap_or("(no description)")
}

/// Connects, lists and calls, and prints what the tool says. Its failure is the failure of the program.
pub(super) async fn call(server: Server, tool: &str, arguments: Value, revision: Revision) -> Result<(), String> {
    let call = async {
        let mut client = server.connect_as(revision).await?;
        let tools = client.list_tools().await?;
        if !tools.iter().any(|listed| listed["name"] == tool) {
            return Ok(Err(format!("unknown tool: {}; `list` shows them", shortened(tool))));
        }
        client.call_tool(tool, arguments).await.map(Ok)
    };
    let result = call.await.map_err(|error: ClientError| error.to_string())??;
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<_> = blocks.iter().map(shown).collect();
    if result["isError"] == true {
        let text = shown.join("\n");
        return Err(if text.is_empty() { "the tool has failed and says nothing about it".to_owned() } else { text });
    }
    for text in shown {
        print(&text);
    }
    Ok(())
}

/// A block as a person reads it: text as it is, anything else as JSON.
fn shown(block: &Value) -> String {
    match block["text"].as_str() {
        Some(text) => text.to_owned(),
        None => block.to_string(),
    }
}
