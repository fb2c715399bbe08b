//! A whole connection, with messages and what is none in any order.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Runtime;

use super::oracle::{self, Members, Reading};
use crate::handle::ServerHandle;
use crate::jsonrpc::RequestId;
use crate::transport::{Transport as _, memory};
use crate::{Context, Server, tool, tools};

/// How long a connection may take. Nothing is asserted about it.
const PATIENCE: Duration = Duration::from_secs(60);

const MAX_LINE_BYTES: usize = 500;

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
}

#[derive(Debug, Arbitrary)]
enum Message<'a> {
    Initialize(Id),
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
}

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

/// Each request has one response, unless it was cancelled, and nothing else has one. The server reads on whatever comes,
/// and ends with its input.
pub fn session(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let mut sent = Vec::new();
    for step in &input.steps {
        step.write(&mut sent);
    }
    // Not ended by a newline: the end of input is one.
    sent.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}");
    let mut due = Due::default();
    for line in oracle::lines(&sent, MAX_LINE_BYTES) {
        due.add(line.map_or(Reading::AnswerWithoutId, oracle::read));
    }

    let Served { runtime, server } = served();
    let connection = play(server, sent, input.cuts);
    let received = runtime.block_on(async { tokio::time::timeout(PATIENCE, connection).await });
    due.check(&received.expect("the server ends with its input"));
}

/// The server, which is put together once, and what it runs on.
struct Served {
    runtime: Runtime,
    server: ServerHandle,
}

fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let server = Server::new("fuzzed", "1")
            .tools(tools![turns, fail])
            .max_line_bytes(MAX_LINE_BYTES)
            .max_calls_in_flight(2)
            .max_waiting_bytes(4096)
            .max_output_bytes(4096)
            .shutdown_grace(PATIENCE);
        let server = runtime.block_on(server.start()).expect("the server starts");
        Served { runtime, server }
    })
}

/// Sends everything, and returns everything that comes back until the server has ended.
async fn play(server: &'static ServerHandle, sent: Vec<u8>, cuts: Vec<u16>) -> Vec<u8> {
    let (ours, theirs) = memory::pair();
    let serving = tokio::spawn(server.serve(theirs));
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

/// What has to come back.
#[derive(Default)]
struct Due {
    ids: HashMap<RequestId, Requests>,
    without_id: usize,
}

/// The requests of one id.
#[derive(Default)]
struct Requests {
    sent: usize,
    /// How many of them a cancellation may have reached.
    cancelled: usize,
    answered: usize,
}

impl Due {
    fn add(&mut self, reading: Reading) {
        match reading {
            Reading::Answer(id) => self.ids.entry(id).or_default().sent += 1,
            Reading::AnswerWithoutId => self.without_id += 1,
            Reading::Cancel(id) => {
                if let Some(requests) = self.ids.get_mut(&id) {
                    requests.cancelled = requests.sent.min(requests.cancelled + 1);
                }
            }
            Reading::Nothing => {}
        }
    }

    fn check(mut self, received: &[u8]) {
        let received = std::str::from_utf8(received).expect("the output is UTF-8");
        assert!(received.ends_with('\n'), "every message is a line");
        for line in received.lines() {
            self.take(line);
        }
        assert_eq!(self.without_id, 0, "so many errors without an id are missing");
        for (id, requests) in self.ids {
            let Requests { sent, cancelled, answered } = requests;
            assert!((sent - cancelled..=sent).contains(&answered), "{id}: {sent}, {cancelled}, {answered}\n{received}");
        }
    }

    fn take(&mut self, line: &str) {
        let message = Members::of(line).unwrap_or_else(|| panic!("no message: {line}"));
        let names: Vec<&str> = message.names().collect();
        assert_eq!(message.get("jsonrpc"), Some("\"2.0\""), "{line}");
        match names.as_slice() {
            ["jsonrpc", "method", "params"] => {
                assert_eq!(message.get("method"), Some("\"notifications/progress\""), "{line}");
            }
            ["jsonrpc", "error"] => {
                self.without_id = self.without_id.checked_sub(1).unwrap_or_else(|| panic!("not due: {line}"));
            }
            ["jsonrpc", "id", "result" | "error"] => {
                let id = message.get("id").and_then(RequestId::from_json).expect("an id was sent");
                self.ids.get_mut(&id).unwrap_or_else(|| panic!("not due: {line}")).answered += 1;
            }
            _ => panic!("neither a response nor a notification: {line}"),
        }
    }
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
            Self::TooLong(more) => sent.resize(sent.len() + MAX_LINE_BYTES + usize::from(*more), b'7'),
        }
        sent.push(b'\n');
    }
}

impl Message<'_> {
    fn to_line(&self) -> String {
        let call = |id: Id, is_modern: bool, tool: &str, arguments: &str| {
            let params = format!(r#""name":"{tool}","arguments":{arguments}"#);
            let meta = if is_modern { MODERN } else { r#""_meta":{"progressToken":7}"# };
            request(id, "tools/call", &format!("{{{params},{meta}}}"))
        };
        let plain = |id: Id, is_modern: bool, method: &str| {
            request(id, method, &if is_modern { format!("{{{MODERN}}}") } else { "{}".to_owned() })
        };
        match *self {
            Self::Initialize(id) => request(
                id,
                "initialize",
                r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"f","version":"1"}}"#,
            ),
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
        }
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
