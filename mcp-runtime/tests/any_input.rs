//! Whatever comes in, every request is answered once and nothing else is, and the connection goes on.
//!
//! The runs are the same every time; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` make longer and other ones.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unused_async,
    reason = "the helpers of a test fail as a test does, and the tools have the shapes that are tested"
)]

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::transport::{Transport as _, memory};
use mcp_runtime::{Server, State, tool, tools};
use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::Semaphore;

/// How many connections are tried, unless `PROPTEST_CASES` says otherwise.
const CASES: u32 = 256;

/// How long one connection may take before the test gives up. Nothing is asserted about it.
const PATIENCE: Duration = Duration::from_secs(60);

const MAX_LINE_BYTES: usize = 400;

/// Fewer than a case has calls, so that some have to wait.
const MAX_CALLS_IN_FLIGHT: usize = 3;

/// The request that shows that everything before it was read, and the one that stands at the end without a newline.
const SEEN: &str = "seen";
const LAST: &str = "last";

/// Return the text unchanged.
#[tool]
fn say(text: &str) -> String {
    text.to_owned()
}

/// Closed when the client has seen all that comes before.
struct Gate(Arc<Semaphore>);

/// Ends when the gate is closed.
#[tool]
async fn wait(gate: State<Gate>) -> bool {
    gate.0.acquire().await.is_err()
}

#[tool]
async fn fail() -> Result<(), String> {
    tokio::task::yield_now().await;
    Err("no".to_owned())
}

#[tool]
fn count() -> u8 {
    1
}

/// What a client may ask for. The answer may be an error; there has to be one.
const METHODS: &[(&str, &str)] = &[
    ("ping", "{}"),
    ("initialize", r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#),
    ("initialize", r#"{"protocolVersion":7}"#),
    ("server/discover", MODERN),
    ("server/discover", "{}"),
    ("tools/list", MODERN),
    ("tools/list", r#"{"cursor":"\ud83d\ude00"}"#),
    ("tools/list", "[]"),
    ("no/such/method", "{}"),
    ("", "{}"),
    ("notifications/cancelled", r#"{"requestId":1}"#),
    ("tools/call", "null"),
    ("tools/call", r#"{"name":"say","arguments":[]}"#),
    ("tools/call", r#"{"name":"say","arguments":{"text":null}}"#),
    ("tools/call", r#"{"name":"nobody"}"#),
];

const MODERN: &str = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}"#;

/// Calls that reach a tool, in any session.
const CALLS: &[(&str, &str)] = &[("say", r#"{"text":"\u00fc\n"}"#), (WAIT, "{}"), ("fail", "{}"), ("count", "{}")];

/// The tool that does not end while anything can still be cancelled.
const WAIT: &str = "wait";

/// Lines that are answered by one error without an id.
const MALFORMED: &[&str] = &[
    "{",
    "]",
    "null",
    "12",
    "[]",
    r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
    "{}",
    r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","method":7}"#,
    r#"{"method":"notifications/initialized"}"#,
];

/// Lines that are not answered.
const UNANSWERED: &[&str] = &[
    "",
    " \t\r",
    "\u{feff}",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/no_such","params":7}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
    r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"say","arguments":{"text":"a"}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":""}}"#,
    r#"{"error":null}"#,
];

#[derive(Debug, Clone)]
enum Step {
    /// One of the methods.
    Request(Index),
    /// One of the calls, in the modern era or that of the session.
    Call(Index, bool),
    /// Cancels a request of the case, which may be one that is still to come.
    Cancel(Index),
    Malformed(Index),
    Unanswered(Index),
    /// Any bytes, which are no JSON for the one in front.
    Garbage(Vec<u8>),
    /// A request that breaks off.
    Torn(Index),
    /// A request with a byte that is not UTF-8.
    NotUtf8,
    /// A request that is so many bytes too long.
    TooLong(usize),
}

impl Step {
    /// Whether no answer can come before the gate is closed. Outside of the modern era it may be that there is no session.
    fn waits(&self) -> bool {
        matches!(self, Self::Call(index, true) if index.get(CALLS).0 == WAIT)
    }
}

/// One connection: its lines, and how the bytes of them are cut.
#[derive(Debug, Clone)]
struct Case {
    steps: Vec<Step>,
    cuts: Vec<usize>,
}

fn step() -> BoxedStrategy<Step> {
    prop_oneof![
        4 => any::<Index>().prop_map(Step::Request),
        6 => (any::<Index>(), any::<bool>()).prop_map(|(call, modern)| Step::Call(call, modern)),
        4 => any::<Index>().prop_map(Step::Cancel),
        2 => any::<Index>().prop_map(Step::Malformed),
        2 => any::<Index>().prop_map(Step::Unanswered),
        2 => vec(any::<u8>(), 0..40).prop_map(Step::Garbage),
        1 => any::<Index>().prop_map(Step::Torn),
        1 => Just(Step::NotUtf8),
        1 => prop_oneof![8 => Just(1), 8 => 1..2000_usize, 1 => Just(70_000)].prop_map(Step::TooLong),
    ]
    .boxed()
}

fn case() -> impl Strategy<Value = Case> {
    // Small pieces and large ones: many lines in one read, and many reads for one line.
    let cuts = prop_oneof![vec(1..30_usize, 1..20), vec(1..2000_usize, 1..20), Just(vec![usize::MAX])];
    (vec(step(), 0..40), cuts).prop_map(|(steps, cuts)| Case { steps, cuts })
}

/// What the client sends, and what has to come back.
#[derive(Default)]
struct Script {
    bytes: Vec<u8>,
    /// How many responses there may be to each id.
    responses: HashMap<String, RangeInclusive<usize>>,
    /// How many errors without an id there are.
    errors: usize,
}

/// Ids of both types, some with an escape that has to come back as it is.
fn id(number: usize) -> String {
    match number % 3 {
        0 => number.to_string(),
        1 => format!(r#""r{number}""#),
        _ => format!(r#""\u0072\"{number}""#),
    }
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{},"params":{params}}}"#, json!(method))
}

/// A call of a tool.
fn call(id: &str, (tool, arguments): (&str, &str), is_modern: bool) -> String {
    let meta = if is_modern { MODERN } else { r#"{"_meta":{}}"# };
    let meta = meta.strip_suffix('}').expect("the params are an object");
    request(id, "tools/call", &format!(r#"{meta},"name":"{tool}","arguments":{arguments}}}"#))
}

impl Script {
    fn of(case: &Case) -> Self {
        let mut script = Self::default();
        for (number, step) in case.steps.iter().enumerate() {
            script.add(number, step, &case.steps);
        }
        script
    }

    fn add(&mut self, number: usize, step: &Step, steps: &[Step]) {
        let own = id(number);
        let line = match step {
            Step::Request(index) => {
                let (method, params) = index.get(METHODS);
                self.expect_one(&own);
                request(&own, method, params).into_bytes()
            }
            Step::Call(index, is_modern) => {
                self.expect_one(&own);
                call(&own, *index.get(CALLS), *is_modern).into_bytes()
            }
            Step::Cancel(index) => {
                let cancelled = id(index.index(steps.len()));
                // Of a request that is still to come nothing is known.
                if let Some(responses) = self.responses.get_mut(&cancelled) {
                    *responses = 0..=usize::from(!index.get(steps).waits());
                }
                let params = format!(r#"{{"requestId":{cancelled}}}"#);
                format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#).into_bytes()
            }
            Step::Malformed(index) => self.expect_error(index.get(MALFORMED).as_bytes().to_vec()),
            Step::Unanswered(index) => index.get(UNANSWERED).as_bytes().to_vec(),
            Step::Garbage(bytes) => {
                let bytes = bytes.iter().filter(|byte| **byte != b'\n');
                let line = std::iter::once(&b'#').chain(bytes).copied().collect();
                self.expect_error(line)
            }
            Step::Torn(at) => {
                let whole = request(&own, "ping", "{}");
                self.expect_error(whole.as_bytes()[..=at.index(whole.len() - 1)].to_vec())
            }
            Step::NotUtf8 => {
                let mut line = request(&own, "ping", r#"{"text":"*"}"#).into_bytes();
                line.iter_mut().filter(|byte| **byte == b'*').for_each(|byte| *byte = 0xFF);
                self.expect_error(line)
            }
            Step::TooLong(bytes) => {
                let mut line = request(&own, "ping", "{}").into_bytes();
                line.resize(MAX_LINE_BYTES + bytes, b' ');
                self.expect_error(line)
            }
        };
        self.bytes.extend(line);
        self.bytes.push(b'\n');
    }

    fn expect_one(&mut self, id: &str) {
        assert_eq!(self.responses.insert(id.to_owned(), 1..=1), None, "ids are used once");
    }

    fn expect_error(&mut self, line: Vec<u8>) -> Vec<u8> {
        self.errors += 1;
        line
    }

    /// Compares what came back.
    fn check(mut self, lines: &[String]) -> Result<(), String> {
        self.expect_one(&json!(SEEN).to_string());
        self.expect_one(&json!(LAST).to_string());
        let (mut responses, mut errors) = (HashMap::<String, usize>::new(), 0);
        for line in lines {
            match response_id(line)? {
                Some(id) => *responses.entry(id).or_default() += 1,
                None => errors += 1,
            }
        }
        for (id, allowed) in &self.responses {
            let responses = responses.remove(id).unwrap_or_default();
            if !allowed.contains(&responses) {
                return Err(format!("{responses} responses to {id}, and not {allowed:?}"));
            }
        }
        if !responses.is_empty() {
            return Err(format!("responses to no request: {responses:?}"));
        }
        if errors != self.errors {
            return Err(format!("{errors} errors without an id, and not {}", self.errors));
        }
        Ok(())
    }
}

/// The id of a response as it is written; fails if the line is no response.
fn response_id(line: &str) -> Result<Option<String>, String> {
    let wrong = |what: &str| format!("{what}: {line}");
    let raw: HashMap<&str, &serde_json::value::RawValue> =
        serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
    let message: Value = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
    if message["jsonrpc"] != "2.0" || raw.keys().any(|key| !["jsonrpc", "id", "result", "error"].contains(key)) {
        return Err(wrong("not a response of JSON-RPC 2.0"));
    }
    match (message.get("result"), message.get("error")) {
        (Some(result), None) if result.is_object() && raw.contains_key("id") => {}
        (None, Some(error)) if error["code"].is_i64() && error["message"].is_string() => {}
        _ => return Err(wrong("neither a result nor an error")),
    }
    Ok(raw.get("id").map(|id| id.get().to_owned()))
}

/// Plays the client's part; returns the lines of the server, once it has ended.
async fn play(script: &Script, cuts: &[usize]) -> Result<Vec<String>, String> {
    let gate = Arc::new(Semaphore::new(0));
    let server = Server::new("any", "1")
        .tools(tools![say, wait, fail, count])
        .state(Gate(Arc::clone(&gate)))
        .max_line_bytes(MAX_LINE_BYTES)
        .max_calls_in_flight(MAX_CALLS_IN_FLIGHT)
        .shutdown_grace(PATIENCE);
    let (ours, theirs) = memory::pair();
    let serving = tokio::spawn(server.serve(theirs));
    let (reader, mut writer) = ours.split();
    let (mut reader, mut lines) = (BufReader::new(reader).lines(), Vec::new());

    let seen = request(&json!(SEEN).to_string(), "ping", "{}") + "\n";
    let (bytes, cuts) = ([script.bytes.as_slice(), seen.as_bytes()].concat(), cuts.to_vec());
    // A task of its own, since either side may wait until the other has read.
    let writing = tokio::spawn(async move {
        let (mut rest, mut cuts) = (bytes.as_slice(), cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(cuts.next().map_or(rest.len(), |cut| rest.len().min(*cut)));
            writer.write_all(piece).await.expect("the server reads");
            rest = after;
            // The server gets to see the piece before the next one comes.
            tokio::task::yield_now().await;
        }
        writer
    });
    loop {
        let line = reader.next_line().await.expect("the output is UTF-8").ok_or("the server has ended early")?;
        let is_seen = response_id(&line)? == Some(json!(SEEN).to_string());
        lines.push(line);
        if is_seen {
            break;
        }
    }
    let mut writer = writing.await.expect("the client writes all");

    gate.close();
    let last = request(&json!(LAST).to_string(), "ping", "{}");
    writer.write_all(last.as_bytes()).await.expect("the server reads");
    writer.shutdown().await.expect("the connection is open");
    while let Some(line) = reader.next_line().await.expect("the output is UTF-8") {
        lines.push(line);
    }
    serving.await.expect("serving does not panic").map_err(|error| format!("serving has failed: {error}"))?;
    Ok(lines)
}

#[test]
fn answers_every_request_once_whatever_else_comes_in() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0);
    }
    let result = TestRunner::new(config).run(&case(), |case| {
        let script = Script::of(&case);
        let played = runtime.block_on(async { tokio::time::timeout(PATIENCE, play(&script, &case.cuts)).await });
        let lines = played.map_err(|_| TestCaseError::fail("the server does not end"))?;
        lines.and_then(|lines| script.check(&lines)).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!("{reason}; {case:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
