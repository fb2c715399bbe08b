//! Trying the tools from a terminal.

#![expect(clippy::indexing_slicing, reason = "a member that a JSON value does not have reads as null")]

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::options::Inquiry;
use crate::client::{Client, ClientError};
use crate::json;
use crate::run::block_on;
use crate::text::{nearest, shortened};

/// Prints a line; that nobody reads it, as after `| head`, is no failure.
pub(super) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Opens the connection, asks, and prints the answer.
pub(super) fn ask(client: Client, inquiry: &Inquiry) -> Result<(), String> {
    let client = answered(client.open())?;
    match inquiry {
        Inquiry::List => list(client),
        Inquiry::Call { tool, arguments } => call(client, tool, arguments),
        Inquiry::Read { uri } => read(client, uri),
        Inquiry::Get { prompt, arguments } => get(client, prompt, arguments),
    }
}

/// Waits for an answer.
fn answered<T>(answer: impl Future<Output = Result<T, ClientError>>) -> Result<T, String> {
    block_on(answer).map_err(|error| error.to_string())
}

/// Prints what the server has as tables: the tools and how each is called, then the prompts and the resources, each with
/// the first line of its description.
fn list(mut client: Client) -> Result<(), String> {
    let offered = answered(client.server_capabilities())?;
    let mut tables: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for Listing { capability, method, member, heading, signature } in LISTINGS {
        if !offered[capability].is_object() {
            continue;
        }
        let listed = answered(client.list(method, member))?;
        if !listed.is_empty() {
            tables.push((heading, listed.iter().map(|listed| (signature(listed), description(listed))).collect()));
        }
    }
    drop(client);
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

/// A list of the server, and how it is printed.
struct Listing {
    capability: &'static str,
    method: &'static str,
    member: &'static str,
    heading: &'static str,
    signature: fn(&Value) -> String,
}

const LISTINGS: [Listing; 4] = [
    Listing { capability: "tools", method: "tools/list", member: "tools", heading: "tools", signature },
    Listing {
        capability: "prompts",
        method: "prompts/list",
        member: "prompts",
        heading: "prompts",
        signature: prompt_signature,
    },
    Listing {
        capability: "resources",
        method: "resources/list",
        member: "resources",
        heading: "resources",
        signature: |resource| text(&resource["uri"]),
    },
    Listing {
        capability: "resources",
        method: "resources/templates/list",
        member: "resourceTemplates",
        heading: "resource templates",
        signature: |template| text(&template["uriTemplate"]),
    },
];

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

fn description(tool: &Value) -> String {
    tool["description"].as_str().and_then(|text| text.lines().next()).unwrap_or("(no description)").to_owned()
}

/// Lists and calls, and prints what the tool says. Its failure is the failure of the program.
fn call(mut client: Client, tool: &str, arguments: &Value) -> Result<(), String> {
    check_listed(&mut client, "tool", tool)?;
    let result = answered(client.call_requested(tool, arguments))?;
    drop(client);
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
fn read(mut client: Client, uri: &str) -> Result<(), String> {
    check_offered(&mut client, "resources")?;
    let result = answered(client.resource_requested(uri))?;
    drop(client);
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
fn get(mut client: Client, prompt: &str, arguments: &Value) -> Result<(), String> {
    check_listed(&mut client, "prompt", prompt)?;
    let result = answered(client.prompt_requested(prompt, arguments))?;
    drop(client);
    for message in result["messages"].as_array().into_iter().flatten() {
        print(&format!("{}: {}", text(&message["role"]), shown(&message["content"])));
    }
    Ok(())
}

/// Refuses the name of a tool or a prompt, whichever the noun says, that the list of them does not have.
fn check_listed(client: &mut Client, noun: &str, name: &str) -> Result<(), String> {
    let kind = format!("{noun}s");
    check_offered(client, &kind)?;
    let listed = answered(client.list(&format!("{kind}/list"), &kind))?;
    let names: Vec<&str> = listed.iter().filter_map(|listed| listed["name"].as_str()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    // A person sees that a guess is wrong, so any is made.
    let guess = nearest(name, &names).map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
    Err(format!("unknown {noun}: {}; {guess}`list` shows them", shortened(name)))
}

/// Refuses to ask for what the server has nothing of.
fn check_offered(client: &mut Client, kind: &str) -> Result<(), String> {
    let offered = answered(client.server_capabilities())?;
    if offered[kind].is_object() { Ok(()) } else { Err(has_no(kind)) }
}

/// Says that a server has nothing of a kind, and how that is changed.
pub(super) fn has_no(kind: &str) -> String {
    format!("this server has no {kind}: add them with `.{kind}({kind}![…])`")
}

/// A block as a person reads it: text as it is, anything else as JSON.
fn shown(block: &Value) -> String {
    match block["text"].as_str() {
        Some(text) => text.to_owned(),
        None => json::text(block),
    }
}
