//! A built example, driven from outside as a client drives it.

#![allow(dead_code, unreachable_pub, reason = "each test crate has its own copy of this module and uses a part of it")]

pub mod memory;

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long anything may take before the test gives up. Nothing is asserted about it: a slow machine only waits longer.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The binary of an example. `cargo test` builds it beside the tests.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let target = test.ancestors().nth(2).expect("tests are built into a folder of the target directory");
    let path = target.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is not built; `cargo test --workspace` builds it", path.display());
    path
}

/// Runs an example with arguments and no input, to its end.
pub fn run(name: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    Command::new(example(name)).args(args).stdin(Stdio::null()).output().expect("the example starts")
}

/// What a program printed, as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("programs print UTF-8")
}

/// The most memory that a running process had so far, in KiB. Only Linux tells.
pub fn peak_kib(process: u32) -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel tells");
    Some(peak.trim().trim_end_matches(" kB").parse().expect("a number"))
}

/// A running server on stdin and stdout.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<std::thread::JoinHandle<String>>,
}

impl Server {
    /// Starts an example.
    pub fn start(name: &str) -> Self {
        Self::start_with(name, &[], &[])
    }

    /// Starts an example with arguments and variables of the environment.
    pub fn start_with(name: &str, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut server =
            Self::spawn(Command::new(example(name)).args(args).envs(variables.iter().copied()), Stdio::piped());
        let mut stderr = server.child.stderr.take().expect("stderr is a pipe");
        server.stderr = Some(std::thread::spawn(move || {
            let mut text = Vec::new();
            std::io::copy(&mut stderr, &mut text).expect("stderr can be read");
            String::from_utf8_lossy(&text).into_owned()
        }));
        server
    }

    /// Starts an example whose stderr goes somewhere else than to the test.
    pub fn start_with_stderr(name: &str, variables: &[(&str, &str)], stderr: impl Into<Stdio>) -> Self {
        Self::spawn(Command::new(example(name)).envs(variables.iter().copied()), stderr.into())
    }

    fn spawn(command: &mut Command, stderr: Stdio) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().expect("the example starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        std::thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("stdout is UTF-8")).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, stderr: None }
    }

    /// Starts an example and opens a session in a revision of the legacy era.
    pub fn initialized(name: &str, revision: &str) -> Self {
        let mut server = Self::start(name);
        server.initialize(revision);
        server
    }

    /// Opens a session; returns the result of `initialize`.
    pub fn initialize(&mut self, revision: &str) -> Value {
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let response = self.request("initialize", "initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        response["result"].clone()
    }

    /// Writes a line as it is.
    pub fn send_line(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// Writes a message.
    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Sends a request, without waiting.
    pub fn send_request(&mut self, id: impl Into<Value>, method: &str, params: impl Into<Value>) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params.into() }));
    }

    /// Calls a tool, without waiting.
    pub fn send_call(&mut self, id: impl Into<Value>, tool: &str, arguments: impl Into<Value>) {
        self.send_request(id, "tools/call", json!({ "name": tool, "arguments": arguments.into() }));
    }

    /// Cancels a request.
    pub fn cancel(&mut self, id: impl Into<Value>) {
        let params = json!({ "requestId": id.into() });
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }

    /// The next message; every line has to be one.
    pub fn receive(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in the line {line:?}")),
            Err(RecvTimeoutError::Timeout) => panic!("the server says nothing"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server has closed stdout"),
        }
    }

    /// Sends a request and returns the next message, which has to be its response.
    pub fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let id = id.into();
        self.send_request(id.clone(), method, params);
        let response = self.receive();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Calls a tool and returns its result.
    pub fn call(&mut self, tool: &str, arguments: impl Into<Value>) -> Value {
        let response =
            self.request(format!("call {tool}"), "tools/call", json!({ "name": tool, "arguments": arguments.into() }));
        assert_eq!(response.get("error"), None, "{response}");
        response["result"].clone()
    }

    /// Shows that nothing has been sent: the next message is the response to a ping.
    pub fn assert_silent(&mut self) {
        let response = self.request("silence", "ping", json!({}));
        assert_eq!(response, json!({ "jsonrpc": "2.0", "id": "silence", "result": {} }));
    }

    /// The most memory that the process had so far, in KiB. Only Linux tells.
    pub fn peak_kib(&self) -> Option<usize> {
        peak_kib(self.child.id())
    }

    /// Closes stdin, as a client that has done does.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Sends a signal to the process, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
    }

    /// Closes stdin and waits; returns what the server still sent, and what it said on stderr.
    pub fn finish(mut self) -> (Vec<Value>, String) {
        self.close_stdin();
        let (rest, stderr, status) = self.end();
        assert!(status.success(), "{status}; stderr: {stderr}");
        (rest, stderr)
    }

    /// Waits until the process ends; returns what it still sent, what it said on stderr, and how it ended.
    pub fn end(mut self) -> (Vec<Value>, String, ExitStatus) {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(serde_json::from_str(&line).expect("every line is a message")),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let status = self.child.wait().expect("a child can be waited for");
        let stderr = self.stderr.take().map(|thread| thread.join().expect("stderr is read to its end"));
        (rest, stderr.unwrap_or_default(), status)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that has failed must not leave its server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
