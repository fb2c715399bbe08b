//! What the words of the command line mean.

use std::ffi::{OsStr, OsString};

use serde_json::{Map, Value};

use crate::json;
use crate::log;
use crate::protocol::{Implementation, Revision};
use crate::text::{nearest, shortened};

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) command: Command,
    pub(super) trace: bool,
    pub(super) revision: Revision,
}

#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Serve,
    /// Over HTTP, at an address.
    ServeHttp(String),
    /// What a client would.
    Ask(Inquiry),
    Help,
    Version,
}

/// What the server is asked.
#[derive(Debug, PartialEq)]
pub(super) enum Inquiry {
    List,
    Call { tool: String, arguments: Value },
    Read { uri: String },
    Get { prompt: String, arguments: Value },
}

/// What can be written.
pub(super) fn usage(server: &Implementation) -> String {
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let program = program.as_deref().and_then(std::path::Path::file_name).and_then(OsStr::to_str);
    let program = program.unwrap_or(&server.name);
    let variable = log::LEVEL_VARIABLE;
    format!(
        "{name} {version}, a server of the Model Context Protocol

usage:
  {program}                      serve a client on stdin and stdout
  {program} list                 show the tools, prompts and resources
  {program} call TOOL [JSON]     call a tool; JSON is the object of its arguments
  {program} read URI             read a resource
  {program} get PROMPT [JSON]    get a prompt; JSON is the object of its arguments

options:
  --http ADDRESS        serve over HTTP, at http://ADDRESS/mcp, such as 127.0.0.1:8080 or 8080{needs_http}
  --revision REVISION   for all but serving: the protocol revision to speak, {oldest} to {newest}
                        (default {default})
  --trace               show every message on stderr, as {variable}=debug does
  --help, --version",
        needs_http = if cfg!(feature = "http") {
            ""
        } else {
            "\n                        (not built in: needs the feature `http` of mcp-runtime)"
        },
        name = server.name,
        version = server.version,
        oldest = Revision::V2024_11_05,
        newest = Revision::LATEST,
        default = Revision::LATEST_LEGACY,
    )
}

/// Reads the words.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn parse(args: Vec<OsString>) -> Result<Options, String> {
    let mut options = Options { command: Command::Serve, trace: false, revision: Revision::LATEST_LEGACY };
    let (mut words, mut http) = (Vec::new(), None);
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let arg = arg.into_string().map_err(|arg| format!("`{}` is not Unicode", arg.to_string_lossy()))?;
        match arg.as_str() {
            "--trace" => options.trace = true,
            "--help" | "-h" => options.command = Command::Help,
            "--version" | "-V" => options.command = Command::Version,
            "--revision" => options.revision = revision(args.next().as_deref().and_then(OsStr::to_str))?,
            "--http" => http = Some(address(args.next())?),
            option => match option.split_once('=') {
                Some(("--revision", value)) => options.revision = revision(Some(value))?,
                Some(("--http", value)) => http = Some(address(Some(value.into()))?),
                _ if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
                _ => words.push(arg),
            },
        }
    }
    if options.command == Command::Serve {
        options.command = command(&words)?;
    }
    if let Some(address) = http {
        match options.command {
            Command::Serve => options.command = Command::ServeHttp(address),
            Command::ServeHttp(_) | Command::Help | Command::Version => {}
            Command::Ask(_) => return Err("`--http` is for serving only".to_owned()),
        }
    }
    Ok(options)
}

/// Where to listen: a host and a port, or a port alone.
fn address(value: Option<OsString>) -> Result<String, String> {
    let value = value.and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty());
    let value = value.ok_or("`--http` takes an address, such as 127.0.0.1:8080")?;
    if value.parse::<u16>().is_ok() { Ok(format!("127.0.0.1:{value}")) } else { Ok(value) }
}

fn revision(value: Option<&str>) -> Result<Revision, String> {
    let names: Vec<_> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
    value.and_then(Revision::from_name).ok_or_else(|| format!("`--revision` takes one of {}", names.join(", ")))
}

fn command(words: &[String]) -> Result<Command, String> {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(Command::Serve),
        ["help"] => Ok(Command::Help),
        ["list"] => Ok(Command::Ask(Inquiry::List)),
        ["call"] => Err("`call` needs the name of a tool; `list` shows them".to_owned()),
        ["call", tool] => Ok(call(tool, Value::Object(Map::new()))),
        ["call", tool, json] => Ok(call(tool, arguments(json)?)),
        ["call", _, _, extra, ..] => {
            Err(format!("unexpected argument `{extra}`: the arguments of the tool are one word of JSON"))
        }
        ["read"] => Err("`read` needs the URI of a resource; `list` shows them".to_owned()),
        ["read", uri] => Ok(Command::Ask(Inquiry::Read { uri: (*uri).to_owned() })),
        ["get"] => Err("`get` needs the name of a prompt; `list` shows them".to_owned()),
        ["get", prompt] => Ok(get(prompt, Value::Object(Map::new()))),
        ["get", prompt, json] => Ok(get(prompt, arguments(json)?)),
        ["get", _, _, extra, ..] => {
            Err(format!("unexpected argument `{extra}`: the arguments of the prompt are one word of JSON"))
        }
        ["list", extra, ..] | ["read", _, extra, ..] => Err(format!("unexpected argument `{extra}`")),
        [word, ..] => {
            let meant = nearest(word, &["list", "call", "read", "get", "help"]);
            let guess = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            Err(format!("unknown command `{word}`{guess}"))
        }
    }
}

fn call(tool: &str, arguments: Value) -> Command {
    Command::Ask(Inquiry::Call { tool: tool.to_owned(), arguments })
}

fn get(prompt: &str, arguments: Value) -> Command {
    Command::Ask(Inquiry::Get { prompt: prompt.to_owned(), arguments })
}

fn arguments(json: &str) -> Result<Value, String> {
    let got = shortened(json);
    match json::tree(json) {
        Ok(arguments @ Value::Object(_)) => Ok(arguments),
        Ok(_) => Err(format!("the arguments must be a JSON object such as '{{\"name\":\"value\"}}', got {got}")),
        Err(error) => Err(format!("the arguments are not JSON: {error}; got {got} (in a shell, quote them with '…')")),
    }
}
