//! The log of a server, for hosts that read it and for hosts that do not.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, PipeReader, Read, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use common::{PATIENCE, Server, example};
use serde_json::{Value, json};

/// More than the log keeps for a reader who comes back: each line takes over 100 bytes.
const TOO_MANY_LINES: usize = 40_000;

fn nasty(variables: &[(&str, &str)], stderr: impl Into<Stdio>) -> Server {
    let mut server = Server::start_with_stderr("nasty", variables, stderr);
    server.initialize("2025-11-25");
    server
}

/// The lines that come, for a test that does not wait for ever.
fn lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(source).lines() {
            if sender.send(line.expect("the log is UTF-8")).is_err() {
                break;
            }
        }
    });
    lines
}

/// The name and the number of a line of `log_much`, which has to be whole.
fn logged(line: &str) -> (String, usize) {
    let (time, rest) = line.split_once(" WARN nasty: ").unwrap_or_else(|| panic!("no line of the log: {line:?}"));
    assert!(time.len() == "2026-07-28T00:00:00.000Z".len() && time.ends_with('Z'), "{line:?}");
    let words: Vec<_> = rest.split(' ').collect();
    let [name, number, padding, "end"] = words.as_slice() else { panic!("a torn line: {line:?}") };
    assert_eq!(*padding, "x".repeat(64), "{line:?}");
    ((*name).to_owned(), number.parse().expect("a number"))
}

/// That calls and pings are answered whatever becomes of the log, and that the server ends.
fn assert_goes_on(mut server: Server) {
    assert_eq!(server.call("log_much", json!({ "name": "a", "lines": TOO_MANY_LINES })), json!({ "content": [] }));
    for _ in 0..100 {
        server.assert_silent();
    }
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn goes_on_though_nobody_reads_stderr() {
    let (unread, stderr) = std::io::pipe().expect("a pipe");
    assert_goes_on(nasty(&[], stderr));
    drop(unread);
}

#[test]
fn goes_on_though_nobody_reads_the_frames_on_stderr() {
    let (unread, stderr) = std::io::pipe().expect("a pipe");
    let mut server = nasty(&[("MCP_LOG_LEVEL", "debug")], stderr);
    for _ in 0..20 {
        let result = server.call("blob", json!({ "bytes": 100_000 }));
        assert_eq!(result["content"][0]["text"].as_str().map(str::len), Some(100_000));
    }
    assert_goes_on(server);
    drop(unread);
}

#[test]
#[cfg(unix)]
fn goes_on_though_nobody_reads_a_socket_on_stderr() {
    let (unread, stderr) = std::os::unix::net::UnixStream::pair().expect("a pair of sockets");
    assert_goes_on(nasty(&[], std::os::fd::OwnedFd::from(stderr)));
    drop(unread);
}

#[test]
fn goes_on_though_the_reader_of_stderr_is_gone() {
    let (reader, stderr) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_goes_on(nasty(&[("MCP_LOG_LEVEL", "debug")], stderr));
}

#[test]
#[cfg(unix)]
fn goes_on_though_stderr_is_closed() {
    let mut server = Command::new("sh")
        .args(["-c", "exec \"$0\" 2>&-"])
        .arg(example("nasty"))
        .env("MCP_LOG_LEVEL", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    stdin.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").expect("the server reads");
    drop(stdin);
    let output = server.wait_with_output().expect("the server ends");
    assert_eq!(common::text(&output.stdout), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert!(output.status.success());
}

#[test]
fn tells_a_reader_who_comes_back_how_many_lines_were_lost() {
    let (reader, stderr) = std::io::pipe().expect("a pipe");
    let mut server = nasty(&[], stderr);
    server.call("log_much", json!({ "name": "a", "lines": TOO_MANY_LINES }));
    let lines = lines(reader);
    let next = || lines.recv_timeout(PATIENCE).expect("there are more lines");
    let is_notice = |line: &str| line.contains("lines of the log were lost");
    let (mut kept, mut line) = (0, next());
    while !is_notice(&line) {
        assert_eq!(logged(&line), ("a".to_owned(), kept));
        (kept, line) = (kept + 1, next());
    }
    let words = line.split(' ').filter_map(|word| word.parse::<usize>().ok());
    assert_eq!(words.collect::<Vec<_>>(), [TOO_MANY_LINES - kept], "{line}");
    // From here on nothing is lost.
    server.call("log_much", json!({ "name": "b", "lines": 1000 }));
    for number in 0..1000 {
        assert_eq!(logged(&next()), ("b".to_owned(), number));
    }
    assert_eq!(server.finish().0, Vec::<Value>::new());
    assert_eq!(lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn writes_every_line_before_it_ends() {
    let mut server = Server::initialized("nasty", "2025-11-25");
    server.call("log_much", json!({ "name": "a", "lines": 3000 }));
    let (_, stderr) = server.finish();
    let expected = (0..3000).map(|number| ("a".to_owned(), number));
    assert!(stderr.lines().map(logged).eq(expected), "{} lines", stderr.lines().count());
}

#[test]
fn writes_every_line_to_a_file() {
    let path = std::env::temp_dir().join(format!("mcp-log-of-{}", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file");
    let mut server = nasty(&[], file);
    server.call("log_much", json!({ "name": "a", "lines": TOO_MANY_LINES }));
    server.finish();
    let log = std::fs::read_to_string(&path).expect("the log can be read");
    std::fs::remove_file(&path).expect("the file is there");
    let expected = (0..TOO_MANY_LINES).map(|number| ("a".to_owned(), number));
    assert!(log.lines().map(logged).eq(expected), "{} lines", log.lines().count());
}

/// Starts a server whose stdout and stderr are one pipe, as `2>&1 |` makes it.
fn merged(variables: &[(&str, &str)]) -> (std::process::Child, PipeReader) {
    let (reader, stdout) = std::io::pipe().expect("a pipe");
    let stderr = stdout.try_clone().expect("a second end");
    let mut command = Command::new(example("nasty"));
    command.envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(stdout).stderr(stderr);
    (command.spawn().expect("the server starts"), reader)
}

#[test]
fn breaks_no_line_where_stdout_and_stderr_are_one_pipe() {
    const LINES: usize = 800;
    // More than a pipe holds, so that none is written at once.
    const BLOB_BYTES: usize = 100_000;
    let (mut server, reader) = merged(&[("MCP_LOG_LEVEL", "debug")]);
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut call = |id: &str, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        writeln!(stdin, "{request}").expect("the server reads");
    };
    // Less than the log may keep, so nothing may be lost although nobody reads yet.
    for round in 0..3 {
        call(&format!("log {round}"), "log_much", json!({ "name": format!("round-{round}"), "lines": LINES }));
        call(&format!("blob {round}"), "blob", json!({ "bytes": BLOB_BYTES }));
    }
    let lines = lines(reader);
    let (mut ids, mut numbers, mut shown) = (Vec::new(), BTreeMap::<_, Vec<_>>::new(), 0);
    // The log shows each response before it is sent, and then the lines of `log_much` before its response.
    while ids.len() < 6 {
        let line = lines.recv_timeout(PATIENCE).expect("there are more lines");
        if line.starts_with('{') {
            let response: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
            let text = response["result"]["content"][0]["text"].as_str();
            assert_eq!(text.unwrap_or_default().len() % BLOB_BYTES, 0);
            ids.push(response["id"].as_str().expect("an id").to_owned());
        } else if let Some((_, frame)) = line.split_once("Z -> ").or_else(|| line.split_once("Z <- ")) {
            serde_json::from_str::<Value>(frame).unwrap_or_else(|error| panic!("{error} in {line:?}"));
            shown += 1;
        } else {
            let (name, number) = logged(&line);
            numbers.entry(name).or_default().push(number);
        }
    }
    ids.sort_unstable();
    assert_eq!(ids, ["blob 0", "blob 1", "blob 2", "log 0", "log 1", "log 2"]);
    assert_eq!(shown, 12);
    assert_eq!(numbers.len(), 3);
    assert!(numbers.values().all(|numbers| numbers.iter().copied().eq(0..LINES)));
    drop(stdin);
    assert!(server.wait().expect("the server ends").success());
    assert_eq!(lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn answers_a_call_that_panics_though_nobody_reads_stderr() {
    let (unread, stderr) = std::io::pipe().expect("a pipe");
    let mut server = nasty(&[], stderr);
    server.call("log_much", json!({ "name": "a", "lines": TOO_MANY_LINES }));
    for how in ["early", "late", "payload"] {
        let response = server.request(how, "tools/call", json!({ "name": "boom", "arguments": { "how": how } }));
        assert_eq!(response["error"]["code"], -32603, "{how}");
    }
    assert_eq!(server.finish().0, Vec::<Value>::new());
    drop(unread);
}

#[test]
fn says_where_a_tool_panicked() {
    let mut server = Server::initialized("nasty", "2025-11-25");
    server.request(1, "tools/call", json!({ "name": "boom", "arguments": { "how": "early" } }));
    let (_, stderr) = server.finish();
    assert!(stderr.contains("panicked at tests/servers/nasty.rs:"), "{stderr}");
    assert!(stderr.contains("\nsecret\n"), "{stderr}");
}

#[test]
fn keeps_the_panic_hook_of_the_program() {
    let mut server = Server::start_with("nasty", &[], &[("PANIC_HOOK", "1")]);
    server.initialize("2025-11-25");
    server.request(1, "tools/call", json!({ "name": "boom", "arguments": { "how": "early" } }));
    let (_, stderr) = server.finish();
    assert!(stderr.starts_with("the hook of the program: panicked at "), "{stderr}");
    assert_eq!(stderr.matches("secret").count(), 1, "{stderr}");
}

/// The params of the log messages that a call of `say` brings, in a session with that level or with none.
fn said(level: Option<&str>) -> (Vec<Value>, String) {
    let mut server = Server::initialized("talkative", "2025-11-25");
    if let Some(level) = level {
        server.request(1, "logging/setLevel", json!({ "level": level }));
    }
    server.send_call(2, "say", json!({ "word": "hello" }));
    let mut messages = Vec::new();
    loop {
        let mut message = server.receive();
        if message["id"] == 2 {
            break;
        }
        messages.push(message["params"].take());
    }
    (messages, server.finish().1)
}

#[test]
fn sends_the_events_of_a_call_to_its_client_below_the_level_of_the_log_too() {
    let (messages, stderr) = said(None);
    let expected = [
        json!({ "level": "info", "logger": "talkative", "data": { "word": "hello" } }),
        json!({ "level": "warning", "logger": "talkative", "data": "said hello" }),
    ];
    assert_eq!(messages, expected);
    // The log itself shows what it always does.
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.ends_with(" WARN talkative: said hello\n"), "{stderr}");
}

#[test]
fn sends_the_events_that_the_client_wants_to_have() {
    assert_eq!(said(Some("warning")).0.len(), 1);
    assert_eq!(said(Some("alert")).0.len(), 0);
}
