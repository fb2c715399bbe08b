//! A server whose tools do what tools should not do.
//!
//! The environment sets its bounds: `MAX_LINE_BYTES`, `MAX_CALLS`, `MAX_WAITING_BYTES`, `MAX_OUTPUT_BYTES`,
//! `MAX_WORKER_THREADS`, `GRACE_SECONDS`. With `DOUBTFUL_NAMES` it has a tool more, with `PANIC_HOOK` a panic hook of its
//! own; with `SAYS_SHUT_DOWN` and `SAYS_DROPPED` it says when it has shut down and when a state is dropped, which with
//! `PANICS_WHEN_DROPPED` panics; with `HANGS_AT_THE_END` it never shuts down.

#![allow(clippy::needless_pass_by_value, clippy::unused_async, reason = "the tools have the shapes that are tested")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Condvar, Mutex, PoisonError};

use mcp_runtime::{Context, LogLevel, Server, SetError, State, Tool, ToolSet, tool, tools};
use tokio::task::yield_now;

/// Opened by `open`: what waits at it goes on.
static GATE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

fn wait_at_the_gate() {
    let open = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(GATE.1.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
}

/// Let everything that blocks go on.
#[tool]
fn open() {
    *GATE.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    GATE.1.notify_all();
}

/// Do the same later, in a task that a thread of the tool's own spawns once the call is answered.
#[tool]
fn open_later() {
    let runtime = tokio::runtime::Handle::current();
    std::thread::spawn(move || {
        runtime.spawn(async {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            open();
        });
    });
}

/// Block in a plain function.
#[tool]
fn block() -> &'static str {
    wait_at_the_gate();
    "went on"
}

/// Block at the first poll.
#[tool]
async fn block_at_once() -> &'static str {
    wait_at_the_gate();
    "went on"
}

/// Block after having waited.
#[tool]
async fn block_later() -> &'static str {
    yield_now().await;
    wait_at_the_gate();
    "went on"
}

/// Block, and say so.
#[tool(blocking)]
async fn block_honestly() -> &'static str {
    wait_at_the_gate();
    "went on"
}

/// Wait in the runtime of the server, from a thread that may block.
#[tool(blocking)]
fn sleep_in_runtime() -> &'static str {
    let sleep = async { tokio::time::sleep(std::time::Duration::from_millis(1)).await };
    tokio::runtime::Handle::current().block_on(sleep);
    "slept"
}

/// Never end.
#[tool]
async fn hang() {
    std::future::pending::<()>().await;
}

/// Say that it has begun, and end once there is a file at the path.
#[tool]
async fn end_with(path: &Path, ctx: &Context) -> &'static str {
    ctx.progress(0.0, None, None);
    while !path.exists() {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    "ended"
}

/// Say that it has begun, and end after a moment.
#[tool]
async fn end_by_itself(ctx: &Context) -> &'static str {
    ctx.progress(0.0, None, None);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    "ended"
}

/// Leave a task and a thread behind that never end.
#[tool]
async fn haunt() {
    tokio::spawn(async {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    });
    std::thread::spawn(wait_at_the_gate);
}

/// An argument that misbehaves when it is read, or when it is dropped.
#[derive(schemars::JsonSchema)]
#[schemars(with = "String")]
struct Trap(String);

impl<'de> serde::Deserialize<'de> for Trap {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        assert_ne!(text, "panic when read");
        if text == "block when read" {
            wait_at_the_gate();
        }
        Ok(Self(text))
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        match self.0.as_str() {
            "panic when dropped" => panic!("dropped"),
            "block when dropped" => wait_at_the_gate(),
            _ => {}
        }
    }
}

/// Take a trap, and perhaps wait for ever.
#[tool]
async fn spring(trap: Trap, number: u8, wait: Option<bool>) -> String {
    if wait == Some(true) {
        std::future::pending::<()>().await;
    }
    let text = format!("{} {number}", trap.0);
    // Dropped here: what a function is about to return is lost if the end of one of its values panics then, and the server
    // would lose memory with each such call (rust-lang/rust#47949).
    drop(trap);
    text
}

/// A payload that panics when it is dropped.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("the payload was dropped");
    }
}

/// A result that panics when it is written.
#[derive(schemars::JsonSchema)]
struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("written")
    }
}

/// Held by what panics, and needed by `use_lock`.
static LOCK: Mutex<()> = Mutex::new(());

fn explode(how: &str) -> Unwritable {
    let _lock = (how == "locked").then(|| LOCK.lock().unwrap_or_else(PoisonError::into_inner));
    let _dropped_at_the_end = (how == "dropped").then(|| Payload);
    match how {
        "written" | "dropped" => Unwritable,
        "payload" => std::panic::panic_any(Payload),
        // Past the hook, which would print it.
        "text" => std::panic::resume_unwind(Box::new("x".repeat(1_000_000))),
        _ => panic!("secret"),
    }
}

/// Panic: before waiting or after it, with a payload that panics once more, with a megabyte of text, while a lock is
/// held, in a destructor, or when the result is written.
#[tool]
async fn boom(how: &str) -> Unwritable {
    if how == "late" {
        yield_now().await;
    }
    explode(how)
}

/// Do the same in a plain function.
#[tool]
fn boom_in_sync(how: &str) -> Unwritable {
    explode(how)
}

/// Do the same after having said to block.
#[tool(blocking)]
async fn boom_honestly(how: &str) -> Unwritable {
    explode(how)
}

/// Take the lock that is held by what panics, and panic if something has.
#[tool]
fn use_lock() {
    drop(LOCK.lock().expect("poisoned"));
}

/// Print in every way there is.
#[tool]
fn chatter() -> Result<String, std::io::Error> {
    println!("printed by the tool");
    eprintln!("said by the tool");
    Command::new("sh").args(["-c", "echo printed by a child; cat"]).status()?;
    let input = std::io::read_to_string(std::io::stdin())?;
    Ok(format!("read {} bytes", input.len()))
}

/// Answer with many bytes.
#[tool]
fn blob(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Say that it has begun, then compute without ever looking up.
#[tool]
fn spin(ctx: &Context) {
    ctx.progress(0.0, None, None);
    loop {
        std::hint::spin_loop();
    }
}

/// Bring a tool along that says its name.
#[tool]
fn teach(name: String, set: &State<ToolSet>) -> Result<(), SetError> {
    let words = name.clone();
    let tool = Tool::builder(name).input_schema(serde_json::json!({ "type": "object" }));
    set.add(tool.blocking_handler(move |_: serde_json::Value, _| Ok::<_, std::convert::Infallible>(words.clone())))
}

/// Do the same later, once the call is answered.
#[tool]
fn teach_later(name: String, set: &State<ToolSet>) {
    let set = State::clone(set);
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(1));
        let _ = teach(name, &set);
    });
}

/// Report progress so many times.
#[tool]
fn report(times: u32, ctx: &Context) {
    for step in 0..times {
        ctx.progress(step.into(), None, Some("a step of many"));
    }
}

/// Do the same after having said to block.
#[tool(blocking)]
async fn report_honestly(times: u32, ctx: &Context) {
    report(times, ctx);
}

/// Log so many lines, each with its number.
#[tool]
fn log_much(name: &str, lines: usize) {
    let padding = "x".repeat(64);
    for number in 0..lines {
        tracing::warn!("{name} {number} {padding} end");
    }
}

/// Log for the client at every level, text and other JSON.
#[tool]
fn log_for_client(ctx: &Context) {
    for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Notice, LogLevel::Warning, LogLevel::Error] {
        ctx.log(level, format!("a {level:?}\nfor the client"));
    }
    ctx.log_as("part", LogLevel::Emergency, BTreeMap::from([("n", 1)]));
}

/// Start a runtime of its own, as blocking clients do.
#[tool]
fn nested() -> Result<u32, std::io::Error> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?.block_on(async { 7 }))
}

/// A state that says when it is dropped.
struct Dropped;

impl Drop for Dropped {
    fn drop(&mut self) {
        eprintln!("dropped");
        assert!(std::env::var_os("PANICS_WHEN_DROPPED").is_none(), "dropped badly");
    }
}

/// Have a name that some clients take for that of `block_later`.
#[tool(name = "block-later")]
fn similar() {}

fn main() -> ExitCode {
    let tools = tools![
        open,
        open_later,
        block,
        block_at_once,
        block_later,
        block_honestly,
        sleep_in_runtime,
        hang,
        haunt,
        spring,
        boom,
        boom_in_sync,
        boom_honestly,
        use_lock,
        chatter,
        blob,
        end_with,
        end_by_itself,
        spin,
        teach,
        teach_later,
        report,
        report_honestly,
        log_much,
        log_for_client,
        nested
    ];
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let mut server = Server::new("nasty", "1.0.0").tools(tools);
    if let Some(bytes) = setting("MAX_LINE_BYTES") {
        server = server.max_line_bytes(bytes);
    }
    if let Some(calls) = setting("MAX_CALLS") {
        server = server.max_calls_in_flight(calls);
    }
    if let Some(bytes) = setting("MAX_WAITING_BYTES") {
        server = server.max_waiting_bytes(bytes);
    }
    if let Some(threads) = setting("MAX_WORKER_THREADS") {
        server = server.max_worker_threads(threads);
    }
    if let Some(bytes) = setting("MAX_OUTPUT_BYTES") {
        server = server.max_output_bytes(bytes);
    }
    if let Some(seconds) = setting("GRACE_SECONDS") {
        server = server.shutdown_grace(std::time::Duration::from_secs(seconds as u64));
    }
    if std::env::var_os("DOUBTFUL_NAMES").is_some() {
        server = server.tools(tools![similar]);
    }
    if std::env::var_os("PANIC_HOOK").is_some() {
        std::panic::set_hook(Box::new(|panic| eprintln!("the hook of the program: {panic}")));
    }
    if std::env::var_os("SAYS_DROPPED").is_some() {
        server = server.state(Dropped);
    }
    let set = server.tool_set();
    if std::env::var_os("SAYS_SHUT_DOWN").is_some() {
        server = server.on_shutdown(async || eprintln!("shut down"));
    }
    if std::env::var_os("HANGS_AT_THE_END").is_some() {
        server = server.on_shutdown(std::future::pending);
    }
    server.state(set).run()
}
