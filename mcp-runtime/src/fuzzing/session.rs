//! A whole connection, with messages and what is none in any order.

#![allow(clippy::unused_async, reason = "a tool that changes the others in its first poll is tested")]

use std::sync::OnceLock;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Runtime;

use super::due::Due;
use super::oracle;
use crate::handle::ServerHandle;
use crate::transport::{Transport as _, memory};
use crate::{
    Context, LogLevel, ResourceSet, Server, State, ToolSet, prompt, prompts, resource, resources, tool, tools,
};

/// How long a connection may take. Nothing is asserted about it.
const PATIENCE: Duration = Duration::from_secs(60);

const MAX_LINE_BYTES: usize = 1000;

const MAX_BATCH_MESSAGES: usize = 5;

const MODERN: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"}"#;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    steps: Vec<Step<'a>>,
    /// How many bytes are sent at a time, over and over.
    cuts: Vec<u16>,
}

#[derive(Debug, Arbitrary)]
enum Step<'a> {
    Message(Message<'a>),
    /// A message with one of its bytes put in the place of another.
    Spoilt(Message<'a>, u16, u8),
    /// A message that breaks off, and goes on with the next line.
    Torn(Message<'a>, u16),
    /// Anything, which may be several lines.
    Bytes(&'a [u8]),
    TooLong(u8),
    Batch(Vec<Message<'a>>),
    /// A batch with one of its bytes put in the place of another.
    SpoiltBatch(Vec<Message<'a>>, u16, u8),
}

#[derive(Debug, Arbitrary)]
enum Message<'a> {
    Initialize(Id, Version),
    Ping(Id),
    Discover(Id, bool),
    List(Id, bool),
    /// A call that takes so many turns.
    Call(Id, bool, u8),
    CallFailing(Id, bool),
    CallUnknown(Id, bool),
    Method(Id, &'a str),
    Cancel(Id),
    Initialized,
    Response(Id),
    /// Asks to be told of changes, or of nothing.
    Listen(Id, bool),
    /// A call that changes the tools.
    Change(Id, bool),
    /// A prompt that takes so many turns.
    Prompt(Id, bool, u8),
    /// A resource, by what stands for its variable.
    Read(Id, bool, &'a str),
    Complete(Id, bool, &'a str),
    /// Watches a resource, or no more.
    Watch(Id, bool),
    LogLevel(Id, u8),
}

/// A revision that a handshake asks for.
#[derive(Debug, Clone, Copy, Arbitrary)]
struct Version(u8);

/// One of few ids, so that they meet, in one of several spellings.
#[derive(Debug, Clone, Copy, Arbitrary)]
struct Id(u8);

/// Waits its turn so many times.
#[tool]
async fn turns(turns: u8, ctx: &Context) -> u8 {
    for turn in 0..turns {
        ctx.progress(turn.into(), None, None);
        tokio::task::yield_now().await;
    }
    turns
}

#[tool]
async fn fail() -> Result<(), String> {
    tokio::task::yield_now().await;
    Err("no".to_owned())
}

/// Can be hidden.
#[tool]
fn seen() {}

/// Hides a tool, or shows it.
#[tool]
async fn show(is_shown: bool, set: &State<ToolSet>) {
    if is_shown {
        set.enable("seen");
    } else {
        set.disable("seen");
    }
}

/// Waits its turn so many times.
#[prompt]
async fn in_turns(#[arg(complete = numbers)] count: u8, ctx: &Context) -> String {
    ctx.log(LogLevel::Info, turns(count, ctx).await);
    count.to_string()
}

fn numbers(typed: &str) -> Vec<String> {
    (0..u8::MAX).map(|number| number.to_string()).filter(|number| number.starts_with(typed)).collect()
}

/// Says that it has changed whenever it is read.
#[resource("x://{name}{?times}")]
async fn changing(name: &str, times: Option<u8>, set: &State<ResourceSet>, ctx: &Context) -> Option<String> {
    set.updated("x://a");
    tokio::task::yield_now().await;
    (name != ctx.resource_uri()?).then(|| name.repeat(times.unwrap_or(1).into()))
}

/// Each request has one response, unless it was cancelled, and nothing else has one; those to a batch come in one array. A
/// subscription is acknowledged before it is told of anything, and silent once it is cancelled. The server reads on whatever
/// comes, and ends with its input.
pub fn session(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let mut sent = Vec::new();
    for step in &input.steps {
        step.write(&mut sent);
    }
    // Not ended by a newline: the end of input is one.
    sent.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}");
    let connection = async {
        let server = server().start().await.expect("the server starts");
        play(server, sent.clone(), input.cuts).await
    };
    let received = runtime().block_on(async { tokio::time::timeout(PATIENCE, connection).await });
    let received = received.expect("the server ends with its input");
    let received = std::str::from_utf8(&received).expect("the output is UTF-8");
    if let Some(due) = Due::new(&oracle::lines(&sent, MAX_LINE_BYTES), MAX_BATCH_MESSAGES, received) {
        due.check(received);
    }
}

/// What the server runs on, which is started once.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME
        .get_or_init(|| tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts"))
}

/// A server of its own for each connection, since it is changed.
fn server() -> Server {
    let mut server = Server::new("fuzzed", "1")
        .tools(tools![turns, fail, seen, show])
        .prompts(prompts![in_turns])
        .resources(resources![changing])
        .client_logging()
        .max_line_bytes(MAX_LINE_BYTES)
        .max_batch_messages(MAX_BATCH_MESSAGES)
        .max_calls_in_flight(2)
        .max_waiting_bytes(4096)
        .max_output_bytes(4096)
        .max_subscriptions(2)
        .shutdown_grace(PATIENCE);
    let (tools, resources) = (server.tool_set(), server.resource_set());
    server.state(tools).state(resources)
}

/// Sends everything, and returns everything that comes back until the server has ended.
async fn play(server: ServerHandle, sent: Vec<u8>, cuts: Vec<u16>) -> Vec<u8> {
    let (ours, theirs) = memory::pair();
    let serving = tokio::spawn(async move { server.serve(theirs).await });
    let (mut reader, mut writer) = ours.split();
    // A task of its own, since either side may wait until the other has read.
    let writing = tokio::spawn(async move {
        let (mut rest, mut cuts) = (sent.as_slice(), cuts.iter().cycle());
        while !rest.is_empty() {
            let cut = cuts.next().map_or(rest.len(), |cut| usize::from(*cut).clamp(1, rest.len()));
            let (piece, after) = rest.split_at(cut);
            writer.write_all(piece).await.expect("the server reads");
            rest = after;
            // The server gets to see the piece before the next one comes.
            tokio::task::yield_now().await;
        }
        writer.shutdown().await.expect("the connection is open");
    });
    let mut received = Vec::new();
    reader.read_to_end(&mut received).await.expect("the connection is open");
    writing.await.expect("the client writes all");
    serving.await.expect("serving does not panic").expect("serving ends well");
    received
}

impl Step<'_> {
    fn write(&self, sent: &mut Vec<u8>) {
        match self {
            Self::Message(message) => sent.extend_from_slice(message.to_line().as_bytes()),
            Self::Spoilt(message, at, byte) => {
                let mut line = message.to_line().into_bytes();
                let at = usize::from(*at) % line.len();
                line[at] = *byte;
                sent.extend_from_slice(&line);
            }
            Self::Torn(message, at) => {
                let line = message.to_line();
                sent.extend_from_slice(&line.as_bytes()[..usize::from(*at) % line.len()]);
                return;
            }
            Self::Bytes(bytes) => sent.extend_from_slice(bytes),
            Self::Batch(messages) => sent.extend_from_slice(to_batch(messages).as_bytes()),
            Self::SpoiltBatch(messages, at, byte) => {
                let mut line = to_batch(messages).into_bytes();
                let at = usize::from(*at) % line.len();
                line[at] = *byte;
                sent.extend_from_slice(&line);
            }
            Self::TooLong(more) => sent.resize(sent.len() + MAX_LINE_BYTES + usize::from(*more), b'7'),
        }
        sent.push(b'\n');
    }
}

impl Message<'_> {
    fn to_line(&self) -> String {
        let any = |id: Id, is_modern: bool, method: &str, params: &str| {
            let meta = if is_modern { MODERN } else { r#""_meta":{"progressToken":7}"# };
            request(id, method, &format!("{{{params},{meta}}}"))
        };
        let call = |id: Id, is_modern: bool, tool: &str, arguments: &str| {
            any(id, is_modern, "tools/call", &format!(r#""name":"{tool}","arguments":{arguments}"#))
        };
        let plain = |id: Id, is_modern: bool, method: &str| {
            request(id, method, &if is_modern { format!("{{{MODERN}}}") } else { "{}".to_owned() })
        };
        match *self {
            Self::Initialize(id, version) => {
                let client = r#""capabilities":{},"clientInfo":{"name":"f","version":"1"}"#;
                request(id, "initialize", &format!(r#"{{"protocolVersion":"{}",{client}}}"#, version.as_str()))
            }
            Self::Ping(id) => plain(id, false, "ping"),
            Self::Discover(id, is_modern) => plain(id, is_modern, "server/discover"),
            Self::List(id, is_modern) => plain(id, is_modern, "tools/list"),
            Self::Call(id, is_modern, turns) => call(id, is_modern, "turns", &format!(r#"{{"turns":{turns}}}"#)),
            Self::CallFailing(id, is_modern) => call(id, is_modern, "fail", "{}"),
            Self::CallUnknown(id, is_modern) => call(id, is_modern, "nobody", "{}"),
            Self::Method(id, method) => plain(id, true, method),
            Self::Cancel(id) => {
                let params = format!(r#"{{"requestId":{}}}"#, id.to_json());
                format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#)
            }
            Self::Initialized => r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            Self::Response(id) => format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, id.to_json()),
            Self::Listen(id, wants) => {
                let params = format!(r#"{{"notifications":{{"toolsListChanged":{wants}}},{MODERN}}}"#);
                request(id, "subscriptions/listen", &params)
            }
            Self::Prompt(id, is_modern, turns) => {
                let params = format!(r#""name":"in_turns","arguments":{{"count":"{turns}"}}"#);
                any(id, is_modern, "prompts/get", &params)
            }
            Self::Read(id, is_modern, name) => {
                any(id, is_modern, "resources/read", &format!(r#""uri":{}"#, json!(format!("x://{name}"))))
            }
            Self::Complete(id, is_modern, typed) => {
                let argument = json!({ "name": "count", "value": typed });
                let params = format!(r#""ref":{{"type":"ref/prompt","name":"in_turns"}},"argument":{argument}"#);
                any(id, is_modern, "completion/complete", &params)
            }
            Self::Watch(id, begins) => {
                let method = if begins { "resources/subscribe" } else { "resources/unsubscribe" };
                request(id, method, r#"{"uri":"x://a"}"#)
            }
            Self::LogLevel(id, level) => {
                let level = ["debug", "info", "error", "loud"][usize::from(level) % 4];
                request(id, "logging/setLevel", &format!(r#"{{"level":"{level}"}}"#))
            }
            Self::Change(id, is_shown) => call(id, true, "show", &format!(r#"{{"is_shown":{is_shown}}}"#)),
        }
    }
}

fn to_batch(messages: &[Message<'_>]) -> String {
    let messages: Vec<_> = messages.iter().map(Message::to_line).collect();
    format!("[{}]", messages.join(","))
}

impl Version {
    fn as_str(self) -> &'static str {
        const VERSIONS: &[&str] =
            &["2025-03-26", "2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01", "x"];
        VERSIONS[usize::from(self.0) % VERSIONS.len()]
    }
}

fn request(id: Id, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"method":{},"params":{params}}}"#, id.to_json(), json!(method))
}

impl Id {
    fn to_json(self) -> &'static str {
        const IDS: &[&str] = &["1", "2", "\"1\"", "\"a\"", r#""\u0061""#, r#""\ud800""#, "-0", "1e2", "null", "[]"];
        IDS[usize::from(self.0) % IDS.len()]
    }
}
