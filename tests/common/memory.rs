//! A server in the same process, driven frame by frame.

use std::future::Future;

use mcp_runtime::transport::{Transport, memory};
use mcp_runtime::{Server, ServerHandle, ToolDef};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, Lines};
use tokio::task::JoinHandle;

use super::PATIENCE;

/// The revisions with sessions.
pub const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The params that make any request one of revision 2026-07-28.
pub fn modern(mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    params
}

/// Runs a test to its end, or gives up when nothing happens.
pub fn block_on<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await.expect("the server answers in time") })
}

/// The tools of a server, as the latest revision lists them.
pub async fn listed(server: Server) -> Vec<Value> {
    let mut client = server.connect().await.expect("the server starts");
    client.list_tools().await.expect("the server lists its tools")
}

/// The input schema of a tool that needs nothing of its server.
pub async fn input_schema(tool: ToolDef) -> Value {
    listed(Server::new("t", "1").tools([tool])).await[0]["inputSchema"].take()
}

/// A session in the revision that most tests use.
pub async fn session(server: Server) -> Wire {
    Wire::initialized(server, "2025-11-25").await
}

/// What keeps a server from starting.
pub async fn start_error(server: Server) -> String {
    server.start().await.expect_err("the server does not start").to_string()
}

/// The client's end of a connection.
pub struct Wire {
    reading: Reading,
    writing: Writing,
    serving: JoinHandle<Result<(), mcp_runtime::ServeError>>,
}

/// What is read from a server.
pub struct Reading(Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>);

/// What is written to a server.
pub struct Writing(Box<dyn AsyncWrite + Send + Unpin>);

impl Reading {
    /// The next line as it is.
    pub async fn receive_line(&mut self) -> String {
        self.0.next_line().await.expect("the connection is open").expect("the server says something")
    }

    /// The next message.
    pub async fn receive(&mut self) -> Value {
        let line = self.receive_line().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in the line {line:?}"))
    }
}

impl Writing {
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.expect("the server reads");
    }

    pub async fn send(&mut self, message: Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }
}

impl Wire {
    /// Connects to a server, with no message sent yet.
    pub fn open(server: Server) -> Self {
        let (ours, theirs) = memory::pair();
        let serving = tokio::spawn(server.serve(theirs));
        Self::over(ours, serving)
    }

    /// Connects to a server that may have other connections, with no message sent yet.
    pub fn connect(server: &ServerHandle) -> Self {
        let (ours, theirs) = memory::pair();
        let server = server.clone();
        Self::over(ours, tokio::spawn(async move { server.serve(theirs).await }))
    }

    /// Connects to a server that serves the other end.
    pub fn over(ours: impl Transport, serving: JoinHandle<Result<(), mcp_runtime::ServeError>>) -> Self {
        let (reader, writer) = ours.split();
        Self { reading: Reading(BufReader::new(reader).lines()), writing: Writing(writer), serving }
    }

    /// Connects and opens a session in a revision of the legacy era.
    pub async fn initialized(server: Server, revision: &str) -> Self {
        let mut wire = Self::open(server);
        let response = wire.initialize(revision.into()).await;
        assert_eq!(response["result"]["protocolVersion"], revision);
        wire.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        wire
    }

    /// Takes the two directions apart, for a client that writes and reads at its own pace in each.
    pub fn halves(self) -> (Writing, Reading) {
        (self.writing, self.reading)
    }

    /// Sends `initialize` and returns the response.
    pub async fn initialize(&mut self, revision: Value) -> Value {
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        self.request("initialize", params).await
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.writing.send_bytes(bytes).await;
    }

    pub async fn send_line(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes()).await;
    }

    pub async fn send(&mut self, message: Value) {
        self.writing.send(message).await;
    }

    /// The next line as it is.
    pub async fn receive_line(&mut self) -> String {
        self.reading.receive_line().await
    }

    /// The next message.
    pub async fn receive(&mut self) -> Value {
        self.reading.receive().await
    }

    /// Sends a line and returns the next message.
    pub async fn exchange(&mut self, line: &str) -> Value {
        self.send_line(line).await;
        self.receive().await
    }

    /// Sends a request with the method as its id and returns the next message, which has to be its response.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params })).await;
        let response = self.receive().await;
        assert_eq!(response["id"], method, "{response}");
        response
    }

    /// Sends a call, without waiting.
    pub async fn send_call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        self.send(json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })).await;
    }

    /// Cancels a request.
    pub async fn cancel(&mut self, id: impl Into<Value>) {
        let params = json!({ "requestId": id.into(), "reason": "test" });
        self.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    }

    /// Calls a tool and returns its result.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut response = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert_eq!(response.get("error"), None, "{response}");
        response["result"].take()
    }

    /// Calls a tool with arguments that are sent as they are written; returns its result.
    pub async fn call_raw(&mut self, tool: &str, arguments: &str) -> Value {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        let line = format!(r#"{{"jsonrpc":"2.0","id":"raw","method":"tools/call","params":{params}}}"#);
        let mut response = self.exchange(&line).await;
        assert_eq!((&response["id"], response.get("error")), (&"raw".into(), None), "{response}");
        response["result"].take()
    }

    /// Calls a tool that returns a string; returns the string.
    pub async fn text(&mut self, tool: &str, arguments: Value) -> String {
        self.text_raw(tool, &arguments.to_string()).await
    }

    /// Like [`text`](Self::text), with arguments that are sent as they are written.
    pub async fn text_raw(&mut self, tool: &str, arguments: &str) -> String {
        let result = self.call_raw(tool, arguments).await;
        assert_eq!(result.get("isError"), None, "{result}");
        result["content"][0]["text"].as_str().expect("the result has a text").to_owned()
    }

    /// The text of the failure that a call ends with, with arguments that are sent as they are written.
    pub async fn failure_raw(&mut self, tool: &str, arguments: &str) -> String {
        let result = self.call_raw(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().expect("a failure has a text").to_owned()
    }

    /// The text of the failure that a call ends with.
    pub async fn failure(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result.get("structuredContent"), None, "{result}");
        result["content"][0]["text"].as_str().expect("a failure has a text").to_owned()
    }

    /// Shows that nothing has been sent: the next message is the response to a ping.
    pub async fn assert_silent(&mut self) {
        let response = self.request("ping", json!({})).await;
        assert_eq!(response, json!({ "jsonrpc": "2.0", "id": "ping", "result": {} }));
    }

    /// Closes the client's end; returns what the server still sends, once it has ended.
    pub async fn finish(mut self) -> Vec<Value> {
        self.writing.0.shutdown().await.expect("the connection is open");
        let mut rest = Vec::new();
        while let Some(line) = self.reading.0.next_line().await.expect("the connection is open") {
            rest.push(serde_json::from_str(&line).expect("every line is a message"));
        }
        self.serving.await.expect("serving does not panic").expect("serving ends well");
        rest
    }
}
