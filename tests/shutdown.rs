//! The ways in which a server on stdin and stdout ends: whatever runs, it ends, and what can still be answered is.
#![cfg(unix)]

mod common;

use std::io::{BufRead as _, BufReader, Lines, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::channel;

use common::{PATIENCE, Server, example};
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

/// A process that does not outlive its test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server whose stderr is read line by line.
struct Watched {
    child: Killed,
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
        Self { child: Killed(child), stdin, stdout, stderr }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").expect("the server reads");
    }

    fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([format!("-{name}"), self.child.0.id().to_string()]).status();
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
        let file = std::env::temp_dir().join(format!("mcp-shutdown-{}-{signal}", server.child.0.id()));
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
        let status = server.child.0.wait().expect("the server ends");
        std::fs::remove_file(&file).expect("the file is there");
        assert_eq!(rest.len(), 1, "{rest:?}");
        assert!(rest[0].contains(r#""id":"call""#) && rest[0].contains("ended"), "{rest:?}");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

#[test]
fn a_signal_ends_a_server_that_hangs_after_the_end_of_input() {
    let Watched { mut child, stdin, stdout, mut stderr } =
        Watched::start(&[("SAYS_SHUT_DOWN", "1"), ("HANGS_AT_THE_END", "1")]);
    drop(stdin);
    assert!(stderr.any(|line| line.expect("stderr is text") == "shut down"), "the server has ended");
    let kill = Command::new("kill").args(["-TERM", &child.0.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    assert_eq!(child.0.wait().expect("the server ends").code(), Some(128 + 15));
    drop(stdout);
}

#[test]
fn drops_the_states_at_the_end_of_input() {
    for _ in 0..20 {
        let mut server = nasty(&[("SAYS_DROPPED", "1")]);
        server.call("blob", json!({ "bytes": 1 }));
        assert_eq!(server.finish().1, "shut down\ndropped\n");
    }
    let server = nasty(&[("SAYS_DROPPED", "1"), ("PANICS_WHEN_DROPPED", "1")]);
    let (_, stderr) = server.finish();
    assert!(stderr.contains("dropped badly") && stderr.contains("a destructor panicked at the end"), "{stderr}");
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
    assert!(stderr.contains("calls did not end within 1.5 s"), "{stderr}");
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
    assert!(stderr.contains("calls did not end within 1.5 s") && stderr.ends_with("shut down\n"), "{stderr}");
}

#[test]
fn answers_everything_that_was_piped_in_before_it_ends() {
    let mut server = Server::start_with("nasty", &[], &[("GRACE_SECONDS", "60")]);
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let mut input = json!({ "jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params }).to_string();
    input += "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    for id in 0..50 {
        let (tool, arguments) =
            if id % 5 == 0 { ("blob", json!({ "bytes": 3 })) } else { ("end_by_itself", json!({})) };
        let params = json!({ "name": tool, "arguments": arguments });
        input += &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        input += "\n";
    }
    server.send_bytes(input.as_bytes());
    let (mut rest, stderr) = server.finish();
    assert_eq!(rest.remove(0)["id"], "open");
    let mut ids: Vec<_> = rest.iter().map(|response| response["id"].as_i64().expect("an id of a call")).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..50).collect::<Vec<_>>());
    assert!(rest.iter().all(|response| response["result"].is_object()));
    assert_eq!(stderr, "");
}

#[test]
fn ends_though_a_tool_has_left_something_running() {
    let mut server = nasty(&[]);
    assert_eq!(server.call("haunt", json!({})), json!({ "content": [] }));
    assert_eq!(server.finish(), (Vec::new(), "shut down\n".to_owned()));
    let mut server = nasty(&[]);
    server.call("haunt", json!({}));
    server.signal("TERM");
    assert_eq!(server.end().2.code(), Some(0));
}

/// A server whose ends the test holds.
fn piped() -> Child {
    let mut server = Command::new(example("nasty"));
    let server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    server.spawn().expect("the server starts")
}

/// What is said on stderr until nobody can say more, since the server has ended.
fn said_until_the_end(mut stderr: impl Read + Send + 'static) -> Option<String> {
    let (sender, said) = channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).expect("stderr is text");
        sender.send(text)
    });
    said.recv_timeout(PATIENCE).ok()
}

fn exit_code(mut server: Child) -> Option<i32> {
    if said_until_the_end(server.stderr.take().expect("stderr is a pipe")).is_none() {
        server.kill().expect("it runs");
    }
    server.wait().expect("a child can be waited for").code()
}

/// A call without a session.
fn call(id: &str, tool: &str) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": tool, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

const PING: &str = r#"{"jsonrpc":"2.0","id":"ping","method":"ping"}"#;

#[test]
fn ends_when_its_output_is_closed_first() {
    let mut server = piped();
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    drop(server.stdout.take());
    // It is found out when there is something to say, and stdin stays open.
    writeln!(stdin, "{PING}").expect("the server reads");
    assert_eq!(exit_code(server), Some(0));
    drop(stdin);
}

#[test]
fn ends_when_its_output_is_closed_while_calls_run() {
    let mut server = piped();
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    let mut stdout = BufReader::new(server.stdout.take().expect("stdout is a pipe"));
    writeln!(stdin, "{}\n{}\n{PING}", call("h", "hang"), call("b", "block_at_once")).expect("the server reads");
    stdout.read_line(&mut String::new()).expect("the server answers");
    drop(stdout);
    writeln!(stdin, "{PING}").expect("the server reads");
    assert_eq!(exit_code(server), Some(0));
    drop(stdin);
}

/// A client that starts the server named first, calls it with the second, shows what it answers, and stays.
const CLIENT: &str = r#"
    mkfifo "$2/in" "$2/out"
    "$0" <"$2/in" >"$2/out" &
    exec 3>"$2/in" 4<"$2/out"
    rm -r "$2"
    echo "$!"
    echo "$1" >&3
    read -r answer <&4
    echo "$answer"
    read -r nothing
"#;

#[test]
fn ends_when_its_client_is_killed_while_calls_run() {
    let folder = std::env::temp_dir().join(format!("mcp-client-of-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("a folder");
    let mut client = Command::new("sh");
    client.args(["-c", CLIENT]).arg(example("nasty"));
    client.arg(format!("{}\n{}\n{PING}", call("h", "hang"), call("b", "block_at_once"))).arg(folder);
    client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut client = client.spawn().expect("a shell starts");
    let mut lines = BufReader::new(client.stdout.take().expect("stdout is a pipe")).lines();
    let mut line = || lines.next().expect("the client goes on").expect("a line is text");
    let server = line();
    assert_eq!(line(), r#"{"jsonrpc":"2.0","id":"ping","result":{}}"#);
    client.kill().expect("it runs");
    // The server has the stderr of its client.
    let said = said_until_the_end(client.stderr.take().expect("stderr is a pipe"));
    client.wait().expect("a child can be waited for");
    if said.is_none() {
        let _ = Command::new("kill").args(["-KILL", &server]).status();
    }
    let said = said.expect("the server ends");
    assert!(said.contains("calls did not end within 1.5 s"), "{said}");
}

#[test]
fn ends_subscriptions_in_order_on_a_signal_and_at_the_end_of_input() {
    for signal in [Some("TERM"), None] {
        let mut server = nasty(&[]);
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta });
        for id in ["L", "M"] {
            server.send_request(id, "subscriptions/listen", params.clone());
            assert_eq!(server.receive()["method"], "notifications/subscriptions/acknowledged");
        }
        // What its client ends is not ended once more.
        server.cancel("M");
        server.send_call("h", "hang", json!({}));
        server.assert_silent();
        match signal {
            Some(signal) => server.signal(signal),
            None => server.close_stdin(),
        }
        let (rest, _, status) = server.end();
        assert_eq!(status.code(), Some(0));
        let [result, cancelled] = &rest[..] else { panic!("{rest:?}") };
        let subscription = json!("L");
        assert_eq!((&result["id"], &result["result"]["resultType"]), (&subscription, &json!("complete")));
        assert_eq!(result["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], subscription);
        let params = json!({ "requestId": "L", "_meta": { "io.modelcontextprotocol/subscriptionId": "L" } });
        assert_eq!(*cancelled, json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }
}

#[test]
fn a_second_signal_ends_a_server_that_hangs_in_its_own_hook() {
    let (reader, stderr) = std::io::pipe().expect("a pipe");
    let variables = [("SAYS_SHUT_DOWN", "1"), ("HANGS_AT_THE_END", "1")];
    let mut server = Server::start_with_stderr("nasty", &variables, stderr);
    server.initialize("2025-11-25");
    server.close_stdin();
    let mut said = String::new();
    BufReader::new(reader).read_line(&mut said).expect("stderr is text");
    assert_eq!(said, "shut down\n");
    for signal in SIGNALS {
        server.signal(signal);
    }
    let status = server.end().2;
    assert!([Some(128 + 15), Some(128 + 2)].contains(&status.code()), "{status}");
}
