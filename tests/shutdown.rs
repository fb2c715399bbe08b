//! The ways in which a server on stdin and stdout ends: whatever runs, it ends, and what can still be answered is.
#![cfg(unix)]

mod common;

use std::io::{BufRead as _, BufReader, Lines, Read as _, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use common::{Server, example};
use serde_json::{Value, json};

fn nasty(variables: &[(&str, &str)]) -> Server {
    let variables = [variables, &[("SAYS_SHUT_DOWN", "1")]].concat();
    let mut server = Server::start_with("nasty", &[], &variables);
    server.initialize("2025-11-25");
    server
}

/// Calls a tool that says when it has begun, and waits until it does.
fn begin(server: &mut Server, tool: &str) {
    server.send_request(tool, "tools/call", json!({ "name": tool, "_meta": { "progressToken": tool } }));
    let begun = server.receive();
    assert_eq!(begun["params"]["progressToken"], tool, "{begun}");
}

const SIGNALS: [&str; 2] = ["TERM", "INT"];

#[test]
fn a_signal_ends_an_idle_server_in_order() {
    for signal in SIGNALS {
        let server = nasty(&[]);
        server.signal(signal);
        let (rest, stderr, status) = server.end();
        assert_eq!((rest, stderr.as_str(), status.code()), (Vec::new(), "shut down\n", Some(0)), "{signal}");
    }
}

#[test]
fn a_signal_ends_a_server_without_a_session() {
    let mut server = Server::start("nasty");
    // The handlers are there once it answers.
    assert_eq!(server.request(1, "ping", json!({}))["result"], json!({}));
    server.signal("TERM");
    assert_eq!(server.end().2.code(), Some(0));
}

/// A server whose stderr is read line by line.
struct Watched {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
}

impl Watched {
    fn start(variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(example("nasty"))
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
        let stderr = BufReader::new(child.stderr.take().expect("stderr is a pipe")).lines();
        Self { child, stdin, stdout, stderr }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").expect("the server reads");
    }

    fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
    }

    /// Reads stderr up to a line with that text.
    fn wait_for(&mut self, text: &str) {
        assert!(self.stderr.any(|line| line.expect("stderr is text").contains(text)), "the server has ended");
    }
}

fn modern(id: &str, method: &str, mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[test]
fn a_signal_lets_calls_in_flight_end_and_reads_no_more() {
    for signal in SIGNALS {
        let mut server = Watched::start(&[("MCP_LOG_LEVEL", "debug"), ("GRACE_SECONDS", "3600")]);
        let file = std::env::temp_dir().join(format!("mcp-shutdown-{}-{signal}", server.child.id()));
        let meta = json!({ "progressToken": "t" });
        let params = json!({ "name": "end_with", "arguments": { "path": file }, "_meta": meta });
        server.send(&modern("call", "tools/call", params));
        let begun = server.stdout.next().expect("the call begins").expect("stdout is text");
        assert!(begun.contains("notifications/progress"), "{begun}");
        server.signal(signal);
        server.wait_for("a signal ends the reading");
        // Nobody reads it, and perhaps there is nobody left to.
        let _ = writeln!(server.stdin, "{}", modern("late", "tools/list", json!({})));
        std::fs::write(&file, "").expect("the file can be written");
        let rest: Vec<String> = server.stdout.by_ref().map(|line| line.expect("stdout is text")).collect();
        let status = server.child.wait().expect("the server ends");
        std::fs::remove_file(&file).expect("the file is there");
        assert_eq!(rest.len(), 1, "{rest:?}");
        assert!(rest[0].contains(r#""id":"call""#) && rest[0].contains("ended"), "{rest:?}");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

#[test]
fn a_signal_ends_a_server_that_hangs_after_the_end_of_input() {
    let server = Watched::start(&[("HANGS_AT_SHUTDOWN", "1")]);
    let Watched { mut child, stdin, stdout, mut stderr } = server;
    drop(stdin);
    assert!(stderr.any(|line| line.expect("stderr is text").contains("hangs")), "the server has ended");
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let status = child.wait().expect("the server ends");
    drop(stdout);
    assert_eq!(status.code(), Some(128 + 15));
}

#[test]
fn a_signal_gives_up_what_never_ends() {
    let mut server = nasty(&[]);
    begin(&mut server, "spin");
    server.send_call(2, "hang", json!({}));
    server.assert_silent();
    server.signal("TERM");
    let (rest, stderr, status) = server.end();
    assert_eq!((rest, status.code()), (Vec::<Value>::new(), Some(0)));
    assert!(stderr.contains("calls are still running"), "{stderr}");
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let mut server = nasty(&[("GRACE_SECONDS", "3600")]);
    begin(&mut server, "spin");
    for signal in SIGNALS {
        server.signal(signal);
    }
    let (rest, stderr, status) = server.end();
    assert_eq!((rest, stderr.as_str()), (Vec::new(), ""));
    // That of whichever came second.
    assert!([Some(128 + 15), Some(128 + 2)].contains(&status.code()), "{status}");
}

#[test]
fn a_signal_ends_a_server_whose_client_does_not_read() {
    let mut server = Command::new(example("nasty"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    // More than a pipe holds.
    let params = json!({ "name": "blob", "arguments": { "bytes": 10_000_000 }, "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    writeln!(stdin, "{call}").expect("the server reads");
    let mut stdout = server.stdout.take().expect("stdout is a pipe");
    stdout.read_exact(&mut [0; 1000]).expect("the server answers");
    let kill = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let status = server.wait().expect("the server ends");
    let mut stderr = String::new();
    server.stderr.take().expect("stderr is a pipe").read_to_string(&mut stderr).expect("stderr is text");
    assert!(stderr.contains("the client has not read"), "{stderr}");
    assert_eq!(status.code(), Some(1));
    drop((stdin, stdout));
}

#[test]
fn the_end_of_input_gives_up_what_never_ends() {
    let mut server = nasty(&[]);
    begin(&mut server, "spin");
    let (rest, stderr) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
    assert!(stderr.contains("calls are still running") && stderr.ends_with("shut down\n"), "{stderr}");
}
