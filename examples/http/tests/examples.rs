//! The examples, as the programs that they are.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::{Value, json};

/// Where an example is built.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let target = test.ancestors().nth(2).expect("tests are built into a folder of the target directory");
    target.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A program that listens, and is killed where a test forgets it.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    /// Starts an example, and reads where it listens from the first line that it says.
    fn start(name: &str, args: &[&str]) -> Self {
        Self::start_with(name, args, &[])
    }

    /// The same with variables of the environment.
    fn start_with(name: &str, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let path = example(name);
        let mut child = Command::new(&path)
            .args(args)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // One of the two says it, and the other nothing.
        let mut said = String::new();
        let output: Box<dyn std::io::Read> = if name == "nested" {
            Box::new(child.stdout.take().expect("it is piped"))
        } else {
            Box::new(child.stderr.take().expect("it is piped"))
        };
        BufReader::new(output).read_line(&mut said).expect("it says something");
        let (_, address) = said.trim().split_once("http://").unwrap_or_else(|| panic!("it says no address: {said}"));
        let address = address.split('/').next().expect("a split has a first part").to_owned();
        Self { child, address }
    }

    /// Sends a request of the modern era with further headers; returns the status and the body.
    fn post(&self, method: &str, name: Option<&str>, headers: &str) -> (u16, String) {
        self.post_params(method, name, json!({}), headers)
    }

    /// The same with further params.
    fn post_params(&self, method: &str, name: Option<&str>, mut params: Value, headers: &str) -> (u16, String) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        });
        let mut mirrored = format!("Mcp-Method: {method}\r\n");
        if let Some(name) = name {
            params["name"] = name.into();
            mirrored = format!("{mirrored}Mcp-Name: {name}\r\n");
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut stream = TcpStream::connect(&self.address).expect("the program listens");
        let (host, length) = (&self.address, body.len());
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Content-Length: {length}\r\nConnection: close\r\n{mirrored}{headers}\r\n"
        );
        stream.write_all((head + &body).as_bytes()).expect("the program reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("the program answers");
        let (head, body) = response.split_once("\r\n\r\n").expect("a response has a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a head has a status");
        (status, body.to_owned())
    }

    #[cfg(unix)]
    fn stop(mut self, signal: &str) -> ExitStatus {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &pid]).status().expect("there is a `kill`");
        assert!(killed.success());
        self.child.wait().expect("it ends")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn result(body: &str) -> Value {
    serde_json::from_str::<Value>(body).expect("the body is JSON")["result"].take()
}

#[test]
fn serves_everything_over_http() {
    let program = Program::start("everything", &["--http", "127.0.0.1:0"]);
    let (status, body) = program.post("tools/list", None, "");
    assert_eq!(status, 200);
    let tools = result(&body)["tools"].as_array().expect("there is a list").len();
    assert_eq!(tools, 28);
    let (status, body) = program.post("tools/call", Some("test_simple_text"), "");
    assert_eq!(status, 200);
    assert_eq!(result(&body)["content"][0]["text"], "This is a simple text response for testing.");
    let (status, body) = program.post("tools/call", Some("test_image_content"), "");
    assert_eq!((status, &result(&body)["content"][0]["mimeType"]), (200, &json!("image/png")));
}

#[test]
fn lets_nobody_in_without_a_token() {
    let program = Program::start("nested", &["127.0.0.1:0"]);
    assert_eq!(program.post("tools/call", Some("who_am_i"), "").0, 401);
    let (status, body) = program.post("tools/call", Some("who_am_i"), "Authorization: Bearer open-sesame\r\n");
    assert_eq!(status, 200);
    assert_eq!(result(&body)["content"][0]["text"], "Ali Baba");
    let token_from_elsewhere = "Authorization: Bearer open-sesame\r\nOrigin: https://evil.example\r\n";
    assert_eq!(program.post("tools/call", Some("who_am_i"), token_from_elsewhere).0, 403);
}

#[cfg(unix)]
#[test]
fn ends_with_a_signal() {
    for signal in ["TERM", "INT"] {
        let program = Program::start("everything", &["--http", "127.0.0.1:0"]);
        assert_eq!(program.post("server/discover", None, "").0, 200);
        assert_eq!(program.stop(signal).code(), Some(0), "{signal}");
    }
    let program = Program::start("nested", &["127.0.0.1:0"]);
    // It waits for the signal once it serves, and not yet when it says where.
    assert_eq!(program.post("server/discover", None, "").0, 401);
    assert_eq!(program.stop("INT").code(), Some(0));
}

#[test]
fn says_why_it_cannot_listen() {
    let program = Program::start("everything", &["--http", "127.0.0.1:0"]);
    let output = Command::new(example("everything")).args(["--http", &program.address]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("it is text");
    assert!(said.starts_with(&format!("error: cannot listen at `{}`: ", program.address)), "{said}");
}

/// A folder with one file; removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the folder can be made");
        std::fs::write(path.join("note.txt"), "buy lamps").expect("the file can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in Unicode")
    }

    fn has_note(&self) -> bool {
        self.0.join("note.txt").exists()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever is left is in a folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn answer(delete: bool) -> Value {
    json!({ "action": "accept", "content": { "delete": delete } })
}

#[test]
fn asks_a_modern_client_before_it_deletes_whichever_server_goes_on() {
    let folder = Folder::new("modern");
    let server = || {
        Program::start_with("ask_first", &["--http", "127.0.0.1:0"], &[("FOLDER", folder.path()), ("STATE_KEY", KEY)])
    };
    let (first, second) = (server(), server());
    let call = |server: &Program, more: Value| {
        let mut params = json!({ "arguments": { "name": "note.txt" } });
        params.as_object_mut().expect("it is one").extend(more.as_object().cloned().unwrap_or_default());
        let (status, body) = server.post_params("tools/call", Some("delete_file"), params, "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<Value>(&body).expect("the body is JSON")
    };
    let asked = call(&first, json!({}))["result"].take();
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked["inputRequests"]["sure"]["params"]["message"], "Delete note.txt?");
    let retry = |delete| json!({ "inputResponses": { "sure": answer(delete) }, "requestState": asked["requestState"] });
    let kept = call(&second, retry(false))["result"].take();
    assert_eq!(kept["content"][0]["text"], "note.txt is kept, as the user wants");
    let forged = json!({ "inputResponses": { "sure": answer(true) }, "requestState": "v1.AAAA" });
    assert_eq!(call(&second, forged)["error"]["code"], -32602);
    assert!(folder.has_note());
    let deleted = call(&second, retry(true))["result"].take();
    assert_eq!(deleted["content"][0]["text"], "note.txt is deleted");
    assert!(!folder.has_note());
}

#[test]
fn asks_a_legacy_client_before_it_deletes() {
    let folder = Folder::new("legacy");
    let mut child = Command::new(example("ask_first"))
        .env("FOLDER", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let (mut stdin, stdout) = (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"));
    let mut lines = BufReader::new(stdout).lines();
    let mut send = |message: Value| writeln!(stdin, "{message}").expect("it reads");
    let mut receive =
        || serde_json::from_str::<Value>(&lines.next().expect("it answers").expect("it is text")).expect("JSON");
    let capabilities = json!({ "elicitation": {} });
    let me = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": me });
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    assert_eq!(receive()["id"], 1);
    send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let call = json!({ "name": "delete_file", "arguments": { "name": "note.txt" } });
    send(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }));
    let asked = receive();
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["message"], "Delete note.txt?");
    assert_eq!(asked["params"]["requestedSchema"]["properties"]["delete"]["type"], "boolean");
    assert!(folder.has_note());
    send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer(true) }));
    let answered = receive();
    assert_eq!(
        (&answered["id"], &answered["result"]["content"][0]["text"]),
        (&json!(2), &json!("note.txt is deleted"))
    );
    assert!(!folder.has_note());
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}
