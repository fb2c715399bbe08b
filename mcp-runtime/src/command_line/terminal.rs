//! Trying the tools from a terminal.

#![expect(clippy::indexing_slicing, reason = "a member that a JSON value does not have reads as null")]

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::client::ClientError;
use crate::protocol::Revision;
use crate::server::Server;
use crate::text::shortened;

/// Prints a line; that nobody reads it, as after `| head`, is no failure.
pub(super) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints what the server has as tables: the tools and how each is called, then the prompts and the resources, each with
/// the first line of its description.
pub(super) async fn list(server: Server, revision: Revision) -> Result<(), String> {
    if !server.offers_anything() {
        return Err("this server has no tools: add them with `.tools(tools![…])`".to_owned());
    }
    let listed = async {
        let mut client = server.connect_as(revision).await?;
        let offered = client.server_capabilities().await?;
        let tools = if offered["tools"].is_object() { client.list_tools().await? } else { Vec::new() };
        let prompts = if offered["prompts"].is_object() { client.list_prompts().await? } else { Vec::new() };
        let (mut resources, mut templates) = (Vec::new(), Vec::new());
        if offered["resources"].is_object() {
            resources = client.list_resources().await?;
            templates = client.list_resource_templates().await?;
        }
        Ok([
            ("tools", tools.iter().map(row(signature)).collect::<Vec<_>>()),
            ("prompts", prompts.iter().map(row(prompt_signature)).collect()),
            ("resources", resources.iter().map(row(|resource| text(&resource["uri"]))).collect()),
            ("resource templates", templates.iter().map(row(|template| text(&template["uriTemplate"]))).collect()),
        ])
    };
    let tables = listed.await.map_err(|error: ClientError| error.to_string())?;
    let tables: Vec<_> = tables.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
    for (index, (name, rows)) in tables.iter().enumerate() {
        // A server of tools alone needs no heading.
        if *name != "tools" || tables.len() > 1 {
            print(&format!("{}{name}:", if index > 0 { "\n" } else { "" }));
        }
        let width = rows.iter().map(|(signature, _)| signature.chars().count()).max().unwrap_or_default();
        for (signature, description) in rows {
            print(&format!("{signature:width$}  {description}"));
        }
    }
    Ok(())
}

fn row(signature: impl Fn(&Value) -> String) -> impl Fn(&Value) -> (String, String) {
    move |listed| (signature(listed), description(listed).to_owned())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// `review code [style]`: the name, and the arguments with the optional ones in brackets.
fn prompt_signature(prompt: &Value) -> String {
    let arguments = prompt["arguments"].as_array().into_iter().flatten();
    let words = arguments.map(|argument| match argument["required"].as_bool() {
        Some(true) => text(&argument["name"]),
        _ => format!("[{}]", text(&argument["name"])),
    });
    std::iter::once(text(&prompt["name"])).chain(words).collect::<Vec<_>>().join(" ")
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
        if let Err(problem) = check_listed(&client.list_tools().await?, "tool", tool) {
            return Ok(Err(problem));
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

/// Reads a resource and prints its contents: text as it is, bytes as bytes.
pub(super) async fn read(server: Server, uri: &str, revision: Revision) -> Result<(), String> {
    let read = async { server.connect_as(revision).await?.read_resource(uri).await };
    let result = read.await.map_err(|error: ClientError| error.to_string())?;
    for contents in result["contents"].as_array().into_iter().flatten() {
        let bytes = contents["blob"].as_str().and_then(|blob| STANDARD.decode(blob).ok());
        match bytes {
            Some(bytes) => drop(std::io::stdout().write_all(&bytes)),
            None => print(&text(&contents["text"])),
        }
    }
    Ok(())
}

/// Gets a prompt and prints its messages, each with who says it.
pub(super) async fn get(server: Server, prompt: &str, arguments: Value, revision: Revision) -> Result<(), String> {
    let get = async {
        let mut client = server.connect_as(revision).await?;
        if let Err(problem) = check_listed(&client.list_prompts().await?, "prompt", prompt) {
            return Ok(Err(problem));
        }
        client.get_prompt(prompt, arguments).await.map(Ok)
    };
    let result = get.await.map_err(|error: ClientError| error.to_string())??;
    for message in result["messages"].as_array().into_iter().flatten() {
        print(&format!("{}: {}", text(&message["role"]), shown(&message["content"])));
    }
    Ok(())
}

fn check_listed(listed: &[Value], noun: &str, name: &str) -> Result<(), String> {
    let is_listed = listed.iter().any(|listed| listed["name"] == name);
    is_listed.then_some(()).ok_or_else(|| format!("unknown {noun}: {}; `list` shows them", shortened(name)))
}

/// A block as a person reads it: text as it is, anything else as JSON.
fn shown(block: &Value) -> String {
    match block["text"].as_str() {
        Some(text) => text.to_owned(),
        None => block.to_string(),
    }
}
