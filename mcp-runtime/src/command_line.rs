//! The command line of a server: serving stdin and stdout, and trying the tools from a terminal.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal as _, Write as _};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde_json::{Map, Value};

use crate::client::ClientError;
use crate::error::ServeError;
use crate::executor::reactor::Reactor;
use crate::protocol::Revision;
use crate::server::Server;
use crate::{executor, log};

/// What the command line asks for.
#[derive(Debug, PartialEq)]
struct Options {
    command: Command,
    trace: bool,
    revision: Revision,
}

#[derive(Debug, PartialEq)]
enum Command {
    Serve,
    List,
    Call { tool: String, arguments: Value },
    Help,
    Version,
}

/// Does what the arguments ask for.
pub(crate) fn run(server: Server, args: Vec<OsString>) -> ExitCode {
    let options = match parse(args) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("error: {problem}\n\n{}", usage(&server));
            return ExitCode::from(2);
        }
    };
    log::install(options.trace);
    let done = match options.command {
        Command::Help => {
            print(&usage(&server));
            Ok(())
        }
        Command::Version => {
            print(&format!("{} {}", server.info.name, server.info.version));
            Ok(())
        }
        Command::Serve => serve(server),
        Command::List => block_on(list(server, options.revision)),
        Command::Call { tool, arguments } => block_on(call(server, &tool, arguments, options.revision)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn usage(server: &Server) -> String {
    let program = std::env::args_os().next().map(std::path::PathBuf::from);
    let program = program.as_deref().and_then(std::path::Path::file_name).and_then(OsStr::to_str);
    let program = program.unwrap_or(&server.info.name);
    let variable = log::LEVEL_VARIABLE;
    format!(
        "{name} {version}, a server of the Model Context Protocol

usage:
  {program}                      serve a client on stdin and stdout
  {program} list                 show the tools
  {program} call TOOL [JSON]     call a tool; JSON is the object of its arguments

options:
  --revision REVISION   for list and call: the protocol revision to speak, {oldest} to {newest}
                        (default {default})
  --trace               show every message on stderr, as {variable}=debug does
  --help, --version",
        name = server.info.name,
        version = server.info.version,
        oldest = Revision::V2024_11_05,
        newest = Revision::LATEST,
        default = Revision::LATEST_LEGACY,
    )
}

fn parse(args: Vec<OsString>) -> Result<Options, String> {
    let mut options = Options { command: Command::Serve, trace: false, revision: Revision::LATEST_LEGACY };
    let mut words = Vec::new();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let arg = arg.into_string().map_err(|arg| format!("`{}` is not Unicode", arg.to_string_lossy()))?;
        match arg.as_str() {
            "--trace" => options.trace = true,
            "--help" | "-h" => options.command = Command::Help,
            "--version" | "-V" => options.command = Command::Version,
            "--revision" => options.revision = revision(args.next().as_deref())?,
            "--http" => return Err("serving over HTTP is not supported by this version".to_owned()),
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
            _ => words.push(arg),
        }
    }
    if options.command == Command::Serve {
        options.command = command(&words)?;
    }
    Ok(options)
}

fn revision(value: Option<&OsStr>) -> Result<Revision, String> {
    let names: Vec<_> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
    value
        .and_then(OsStr::to_str)
        .and_then(Revision::from_name)
        .ok_or_else(|| format!("`--revision` takes one of {}", names.join(", ")))
}

fn command(words: &[String]) -> Result<Command, String> {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(Command::Serve),
        ["list"] => Ok(Command::List),
        ["call"] => Err("`call` needs the name of a tool; `list` shows them".to_owned()),
        ["call", tool] => Ok(Command::Call { tool: (*tool).to_owned(), arguments: Value::Object(Map::new()) }),
        ["call", tool, json] => Ok(Command::Call { tool: (*tool).to_owned(), arguments: arguments(json)? }),
        ["list" | "call", .., extra] => Err(format!("unexpected argument `{extra}`")),
        [word, ..] => Err(format!("unknown command `{word}`")),
    }
}

fn arguments(json: &str) -> Result<Value, String> {
    match serde_json::from_str(json) {
        Ok(arguments @ Value::Object(_)) => Ok(arguments),
        Ok(_) => Err(format!("the arguments must be a JSON object such as '{{\"name\":\"value\"}}', got {json}")),
        Err(error) => Err(format!("the arguments are not JSON: {error}")),
    }
}

fn serve(server: Server) -> Result<(), String> {
    if std::io::stdin().is_terminal() {
        eprintln!(
            "{} serves the Model Context Protocol: a client is expected on stdin, one JSON-RPC message a line. \
             `--help` shows what else it can do; end the input to leave.",
            server.info.name
        );
    }
    let reactor = Reactor::default();
    let started = if server.needs_runtime() { reactor.block_on(server.start())? } else { ready(server.start()) };
    let server = started.map_err(|error| error.to_string())?;
    let reactor = Arc::new(reactor);
    let result = executor::serve_stdio(&server, Arc::clone(&reactor));
    if server.has_shutdown_hooks() {
        reactor.block_on(server.shut_down())?;
    }
    result.map_err(|error| ServeError::Io(error).to_string())
}

/// The output of a future that does not wait.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn block_on(work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start a tokio runtime: {error}"))?;
    let done = runtime.block_on(work);
    // A tool that never ends must not keep the program.
    runtime.shutdown_background();
    done
}

/// Prints the tools as a table of name and first line of the description.
async fn list(server: Server, revision: Revision) -> Result<(), String> {
    let mut client = server.connect_as(revision).await.map_err(|error| error.to_string())?;
    let tools = client.list_tools().await.map_err(|error| error.to_string())?;
    let text = |tool: &Value, member: &str| tool.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows: Vec<_> = tools.iter().map(|tool| (text(tool, "name"), text(tool, "description"))).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, description) in rows {
        print(&format!("{name:width$}  {}", description.lines().next().unwrap_or_default()));
    }
    Ok(())
}

/// Connects, lists and calls, and prints what the tool says. Its failure is the failure of the program.
async fn call(server: Server, tool: &str, arguments: Value, revision: Revision) -> Result<(), String> {
    let call = async {
        let mut client = server.connect_as(revision).await?;
        client.list_tools().await?;
        client.call_tool(tool, arguments).await
    };
    let result = call.await.map_err(|error: ClientError| error.to_string())?;
    let blocks = result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<_> = blocks.iter().map(shown).collect();
    if result.get("isError") == Some(&Value::Bool(true)) {
        return Err(shown.join("\n"));
    }
    for text in shown {
        print(&text);
    }
    Ok(())
}

/// Prints a line; that nobody reads it, as after `| head`, is no failure.
fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A block as a person reads it: text as it is, anything else as JSON.
fn shown(block: &Value) -> String {
    match block.get("text").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => block.to_string(),
    }
}
