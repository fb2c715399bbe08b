//! What is measured: the stages of a call, each by itself, and whole calls. README.md says what each is for.

mod server;

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_runtime::__stages::{Connection, Received, decode};
use mcp_runtime::transport::{Transport as _, memory};
use mcp_runtime::{Server, ServerHandle, ToolOutput};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::runtime::Builder;

use self::server::{ORDERS, SHIPPED, many, server};

/// Something to do over and over.
pub(crate) struct Operation {
    /// The stage, a slash, and which of its cases it is.
    pub(crate) name: &'static str,
    /// Makes everything ready that does not count.
    pub(crate) prepare: fn() -> Run,
}

/// Does it once.
pub(crate) type Run = Box<dyn FnMut()>;

impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const fn operation(name: &'static str, prepare: fn() -> Run) -> Operation {
    Operation { name, prepare }
}

pub(crate) const OPERATIONS: &[Operation] = &[
    operation("parse/legacy", || parse(request(LEGACY, "tools/call", ORDER))),
    operation("parse/modern", || parse(request(MODERN, "tools/call", ORDER))),
    operation("parse/10-kb", || parse(request(LEGACY, "tools/call", &echo(&text(10_000))))),
    operation("parse/escaped-key", || parse(request(LEGACY, "tools/call", r#""na\u006de":"order_status""#))),
    operation("arguments/one", || take("order_status", r#"{"order_id":"A-1001"}"#, true)),
    operation("arguments/eight", || take("book", BOOKING, true)),
    operation("arguments/quoted", || take("book", &BOOKING.replace("4,", r#""4","#), true)),
    operation("arguments/refused", || take("book", &BOOKING.replace("4,", "40,"), false)),
    operation("result/object", || write(LEGACY, "order_status", SHIPPED)),
    operation("result/list", || write(LEGACY, "orders", ORDERS)),
    operation("result/10-kb", || write(LEGACY, "echo", &*text(10_000).leak())),
    operation("start/tools", || start(|_| ())),
    operation("start/listed", || start(list)),
    operation("dispatch/legacy", || dispatch(LEGACY, server(), "tools/call", ORDER)),
    operation("dispatch/modern", || dispatch(MODERN, server(), "tools/call", ORDER)),
    operation("list/legacy", || dispatch(LEGACY, many(100), "tools/list", "")),
    operation("list/modern", || dispatch(MODERN, many(100), "tools/list", "")),
    operation("memory/modern", in_memory),
];

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

/// The members of the params of a small call.
const ORDER: &str = r#""name":"order_status","arguments":{"order_id":"A-1001"}"#;

const BOOKING: &str = r#"{"name":"Ada","guests":4,"day":"2026-12-01","hour":19.5,"place":"outside","wishes":["a cake","no music"],"address":{"street":"Main Street","number":12,"city":null}}"#;

/// What every request of the modern era carries.
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"benches","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

const HANDSHAKE: &str =
    r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"benches","version":"1.0.0"}"#;

/// A request as a line; `params` are the members of its params.
fn request(revision: &str, method: &str, params: &str) -> String {
    let (comma, meta) = match (revision, params) {
        (MODERN, "") => ("", META),
        (MODERN, _) => (",", META),
        _ => ("", ""),
    };
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{comma}{meta}}}}}"#)
}

fn echo(text: &str) -> String {
    format!(r#""name":"echo","arguments":{{"text":"{text}"}}"#)
}

fn text(len: usize) -> String {
    "The quick brown fox jumps over the lazy dog; ".chars().cycle().take(len).collect()
}

/// The value of a future that waits for nothing.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

fn started(server: Server) -> ServerHandle {
    ready(server.start()).expect("the server starts")
}

/// A connection that can be used in that revision.
fn connect(server: &ServerHandle, revision: &str) -> Connection {
    let mut connection = Connection::open(server);
    if revision == LEGACY {
        answer(&mut connection, &request(LEGACY, "initialize", HANDSHAKE), &mut Vec::new());
    }
    connection
}

/// Answers a request with a result.
fn answer(connection: &mut Connection, line: &str, out: &mut Vec<u8>) {
    connection.answer(line.as_bytes(), out);
    assert!(is_result(out), "{}", String::from_utf8_lossy(out));
}

fn is_result(line: &[u8]) -> bool {
    line.starts_with(br#"{"jsonrpc":"2.0","id":1,"result":{"#) && line.ends_with(b"}\n")
}

/// Reads a line as a message.
fn parse(line: String) -> Run {
    assert!(decode(line.as_bytes()), "{line}");
    Box::new(move || {
        black_box(decode(black_box(line.as_bytes())));
    })
}

/// A call of a tool that has been received, and does not run.
fn received(revision: &str, tool: &str) -> Received {
    let line = request(revision, "tools/call", &format!(r#""name":"{tool}""#));
    connect(&started(server()), revision).receive(tool, line.as_bytes()).expect("it is a call")
}

/// Takes the arguments of a call, or finds what is wrong with them, and makes the body ready to run.
fn take(tool: &str, arguments: &str, fit: bool) -> Run {
    let (call, arguments) = (received(MODERN, tool), arguments.to_owned());
    assert_eq!(call.take(&arguments), fit, "{arguments}");
    Box::new(move || {
        black_box(call.take(black_box(&arguments)));
    })
}

/// Writes what a tool has returned as a response.
fn write<T: ToolOutput + Copy + 'static>(revision: &str, tool: &str, value: T) -> Run {
    let (call, mut out) = (received(revision, tool), Vec::new());
    call.write(&value.into_outcome(), &mut out);
    assert!(is_result(&out), "{}", String::from_utf8_lossy(&out));
    Box::new(move || {
        out.clear();
        call.write(&black_box(value).into_outcome(), &mut out);
        black_box(&out);
    })
}

/// Puts a server together and goes on with it.
fn start(then: fn(&ServerHandle)) -> Run {
    Box::new(move || then(black_box(&started(server()))))
}

/// Lists the tools for the first time, for which their schemas are made.
fn list(server: &ServerHandle) {
    answer(&mut connect(server, MODERN), &request(MODERN, "tools/list", ""), &mut Vec::new());
}

/// Serves a line to its end, without a transport.
fn dispatch(revision: &str, server: Server, method: &str, params: &str) -> Run {
    let (line, mut out) = (request(revision, method, params), Vec::new());
    let mut connection = connect(&started(server), revision);
    answer(&mut connection, &line, &mut out);
    Box::new(move || {
        out.clear();
        connection.answer(black_box(line.as_bytes()), &mut out);
        black_box(&out);
    })
}

/// Calls a tool through the transport in memory, with the tasks of a runtime.
fn in_memory() -> Run {
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime starts");
    let (ours, theirs) = memory::pair();
    let serving = runtime.spawn(server().serve(theirs));
    let (reader, mut writer) = ours.split();
    let (mut reader, mut answer) = (BufReader::new(reader), Vec::new());
    let line = request(MODERN, "tools/call", ORDER) + "\n";
    let mut call = move || {
        answer.clear();
        runtime.block_on(async {
            writer.write_all(black_box(line.as_bytes())).await.expect("the server reads");
            reader.read_until(b'\n', &mut answer).await.expect("the server answers");
        });
        assert!(!serving.is_finished(), "the server goes on");
        is_result(&answer)
    };
    assert!(call(), "the call has a result");
    Box::new(move || {
        black_box(call());
    })
}
