//! A server on a port of its own, and a client that sends and reads what HTTP/1.1 is made of, so that a test can say every
//! byte and can leave at any point.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use mcp_runtime::http::Http;
use mcp_runtime::{ServeError, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long anything may take before the test gives up. Nothing is asserted about it: a slow machine only waits longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// What nearly all clients accept.
const ACCEPT: &str = "application/json, text/event-stream";

/// Runs a test to its end, or gives up when nothing happens.
pub(crate) fn block_on<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, test).await.expect("the server answers in time") })
}

/// What two futures come to.
pub(crate) async fn both<A, B>(one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let (mut first, mut second) = (None, None);
    poll_fn(|cx| {
        if first.is_none()
            && let Poll::Ready(output) = one.as_mut().poll(cx)
        {
            first = Some(output);
        }
        if second.is_none()
            && let Poll::Ready(output) = other.as_mut().poll(cx)
        {
            second = Some(output);
        }
        match (first.take(), second.take()) {
            (Some(one), Some(other)) => Poll::Ready((one, other)),
            (one, other) => {
                (first, second) = (one, other);
                Poll::Pending
            }
        }
    })
    .await
}

/// A server that serves on a port of its own.
pub(crate) struct Served {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), ServeError>>,
}

/// Serves with all defaults.
pub(crate) async fn serve(server: Server) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("a listener has an address");
    let (stop, stopped) = oneshot::channel();
    let serving = tokio::spawn(server.serve_http(listener, async {
        let _ = stopped.await;
    }));
    Served { address, stop, serving }
}

/// Serves with settings.
pub(crate) async fn serve_with(server: Server, http: Http) -> Served {
    serve(server.http(http)).await
}

impl Served {
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a request on a connection of its own.
    pub(crate) async fn send(&self, request: &Request) -> Response {
        send(self.address, request).await
    }

    /// Opens a session.
    pub(crate) async fn session(&self, revision: &str) -> Session {
        session(self.address, revision).await
    }

    /// Tells the server to end, without waiting for it.
    pub(crate) fn stop(self) -> JoinHandle<Result<(), ServeError>> {
        self.stop.send(()).expect("the server runs");
        self.serving
    }
}

/// Sends a request on a connection of its own.
pub(crate) async fn send(address: SocketAddr, request: &Request) -> Response {
    Connection::open(address).await.send(request).await
}

/// Opens a session.
pub(crate) async fn session(address: SocketAddr, revision: &str) -> Session {
    let response = send(address, &initialize(revision)).await;
    let id = response.header("mcp-session-id").expect("the session has an id").to_owned();
    assert_eq!(response.json().await["result"]["protocolVersion"], revision);
    let session = Session::named(address, &id, revision);
    let ready = session.send(&session.notify("notifications/initialized", json!({}))).await;
    assert_eq!(ready.status, 202);
    session
}

/// A session of the legacy era.
pub(crate) struct Session {
    address: SocketAddr,
    pub(crate) id: String,
    revision: String,
}

impl Session {
    /// The session of that id.
    pub(crate) fn named(address: SocketAddr, id: &str, revision: &str) -> Self {
        Self { address, id: id.to_owned(), revision: revision.to_owned() }
    }

    /// Sends a request on a connection of its own.
    pub(crate) async fn send(&self, request: &Request) -> Response {
        send(self.address, request).await
    }

    /// Any request in this session.
    pub(crate) fn of(&self, request: Request) -> Request {
        request.header("Mcp-Session-Id", &self.id).header("MCP-Protocol-Version", &self.revision)
    }

    /// A POST with any body.
    pub(crate) fn post(&self, body: impl Into<Vec<u8>>) -> Request {
        self.of(Request::post(body))
    }

    /// A POST with a request.
    pub(crate) fn request(&self, id: impl Into<Value>, method: &str, params: Value) -> Request {
        self.post(request(id, method, params).to_string())
    }

    /// A POST with a call.
    pub(crate) fn call(&self, id: impl Into<Value>, tool: &str, arguments: Value) -> Request {
        self.request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// A POST with a call whose progress is asked for.
    pub(crate) fn call_with_progress(
        &self,
        id: impl Into<Value>,
        tool: &str,
        arguments: Value,
        token: Value,
    ) -> Request {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": token } });
        self.request(id, "tools/call", params)
    }

    /// A POST with a notification.
    pub(crate) fn notify(&self, method: &str, params: Value) -> Request {
        self.post(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string())
    }

    /// A GET of the stream of changes.
    pub(crate) fn get(&self) -> Request {
        self.of(Request::get())
    }

    /// A GET that goes on with a stream.
    pub(crate) fn resume(&self, last_event: &str) -> Request {
        self.get().header("Last-Event-ID", last_event)
    }

    pub(crate) fn delete(&self) -> Request {
        self.of(Request::new("DELETE"))
    }

    /// Shows that the session is still there.
    pub(crate) async fn assert_alive(&self) {
        let response = self.send(&self.request("alive", "ping", json!({}))).await.json().await;
        assert_eq!(response, json!({ "jsonrpc": "2.0", "id": "alive", "result": {} }));
    }
}

/// A request of JSON-RPC.
pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A POST that opens a session.
pub(crate) fn initialize(revision: &str) -> Request {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
    Request::post(request("initialize", "initialize", params).to_string())
}

/// `_meta` of a request of the modern era.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A request of the modern era, without headers that belong to it.
pub(crate) fn modern_body(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    for (key, value) in meta().as_object().expect("it is an object") {
        params["_meta"][key] = value.clone();
    }
    request(id, method, params)
}

/// A POST of the modern era, with the headers that belong to it.
pub(crate) fn modern(id: impl Into<Value>, method: &str, params: Value) -> Request {
    let name = if method == "resources/read" { &params["uri"] } else { &params["name"] };
    let name = name.as_str().map(ToOwned::to_owned);
    let post = Request::post(modern_body(id, method, params).to_string());
    let post = post.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
    match name {
        Some(name) => post.header("Mcp-Name", &name),
        None => post,
    }
}

/// A POST of the modern era with a call.
pub(crate) fn modern_call(id: impl Into<Value>, tool: &str, arguments: Value) -> Request {
    modern(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// The same with progress asked for.
pub(crate) fn modern_call_with_progress(id: impl Into<Value>, tool: &str, token: Value) -> Request {
    modern(id, "tools/call", json!({ "name": tool, "arguments": {}, "_meta": { "progressToken": token } }))
}

/// A POST that wants to be told of changes to the tools.
pub(crate) fn listen(id: impl Into<Value>) -> Request {
    modern(id, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }))
}

/// A request of HTTP.
#[derive(Clone)]
pub(crate) struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request {
    /// A request without a body.
    pub(crate) fn new(method: &str) -> Self {
        let headers = vec![("Host".to_owned(), "127.0.0.1".to_owned())];
        Self { method: method.to_owned(), path: "/mcp".to_owned(), headers, body: None }
    }

    /// A POST of JSON, as clients write it.
    pub(crate) fn post(body: impl Into<Vec<u8>>) -> Self {
        let request = Self::new("POST").header("Content-Type", "application/json").header("Accept", ACCEPT);
        Self { body: Some(body.into()), ..request }
    }

    /// A GET of events.
    pub(crate) fn get() -> Self {
        Self::new("GET").header("Accept", "text/event-stream")
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a header away.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// Puts a header in the place of all of that name.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    /// Asks for an answer in JSON only.
    pub(crate) fn json_only(self) -> Self {
        self.with("Accept", "application/json")
    }

    /// Puts another body in the place of the one.
    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: Some(body.into()), ..self }
    }

    pub(crate) fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// The bytes of the head, without a word about the length of the body.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// The bytes on the wire.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Some(body) = &self.body else { return self.head() };
        let mut bytes = self.clone().header("Content-Length", &body.len().to_string()).head();
        bytes.extend_from_slice(body);
        bytes
    }
}

/// The client's end of a connection.
pub(crate) struct Connection {
    stream: TcpStream,
    /// What is read already.
    ahead: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server accepts");
        stream.set_nodelay(true).expect("a connection can go without delay");
        Self { stream, ahead: Vec::new() }
    }

    pub(crate) fn local_address(&self) -> SocketAddr {
        self.stream.local_addr().expect("a connection has an address")
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("the server reads");
    }

    /// Sends a request and reads the head of the answer.
    pub(crate) async fn send(mut self, request: &Request) -> Response {
        self.write(&request.bytes()).await;
        self.answer().await
    }

    /// Reads the head of an answer.
    pub(crate) async fn answer(mut self) -> Response {
        let end = loop {
            match find(&self.ahead, b"\r\n\r\n") {
                Some(end) => break end,
                None => assert!(self.read().await, "the server has closed the connection"),
            }
        };
        let head = String::from_utf8(self.ahead.drain(..end + 4).collect()).expect("a head is text");
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a head has a status");
        let split =
            |line: &str| line.split_once(':').map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
        let headers = lines.map(|line| split(line).expect("a header has a name")).collect();
        Response { status, headers, connection: self, body: Vec::new(), has_ended: false }
    }

    /// Reads until the server closes the connection; returns what was left.
    pub(crate) async fn rest(mut self) -> Vec<u8> {
        while self.read().await {}
        self.ahead
    }

    /// Reads something more; `false` at the end.
    async fn read(&mut self) -> bool {
        // A server that closes with something unread resets the connection.
        self.stream.read_buf(&mut self.ahead).await.unwrap_or_default() > 0
    }

    async fn line(&mut self) -> String {
        let end = loop {
            match find(&self.ahead, b"\r\n") {
                Some(end) => break end,
                None => assert!(self.read().await, "the server has closed the connection"),
            }
        };
        let line = self.ahead.drain(..end + 2).take(end).collect();
        String::from_utf8(line).expect("a line is text")
    }

    async fn exactly(&mut self, length: usize) -> Vec<u8> {
        while self.ahead.len() < length {
            assert!(self.read().await, "the server has closed the connection");
        }
        self.ahead.drain(..length).collect()
    }
}

/// An answer, whose body is read bit by bit.
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    connection: Connection,
    /// What of the body is read already.
    body: Vec<u8>,
    has_ended: bool,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_events(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }

    /// Reads some more of the body; `false` at its end.
    async fn read(&mut self) -> bool {
        if self.has_ended {
            return false;
        }
        if self.header("transfer-encoding") == Some("chunked") {
            let length = usize::from_str_radix(&self.connection.line().await, 16).expect("a chunk has a length");
            self.body.extend(self.connection.exactly(length).await);
            assert_eq!(self.connection.line().await, "");
            self.has_ended = length == 0;
        } else {
            let length =
                self.header("content-length").map_or(0, |length| length.parse().expect("a length is a number"));
            self.body = self.connection.exactly(length).await;
            self.has_ended = true;
        }
        !self.has_ended || !self.body.is_empty()
    }

    /// The whole body, and the connection for a further request.
    pub(crate) async fn whole(mut self) -> (Vec<u8>, Connection) {
        while self.read().await && !self.has_ended {}
        (self.body, self.connection)
    }

    /// The whole body as text.
    pub(crate) async fn text(self) -> String {
        String::from_utf8(self.whole().await.0).expect("the body is text")
    }

    /// The body of an answer in JSON.
    pub(crate) async fn json(self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{:?}", self.headers);
        parse(&self.text().await)
    }

    /// The error in the body of an answer in JSON.
    pub(crate) async fn error(self) -> Value {
        self.json().await["error"].take()
    }

    /// The code and the data of an error, and the id of what it is for.
    pub(crate) async fn refused(self) -> (u16, Value, Value) {
        let status = self.status;
        let body = self.json().await;
        (status, body["error"]["code"].clone(), body["id"].clone())
    }

    /// The next block of an event stream, as it stands there; `None` at its end.
    pub(crate) async fn block(&mut self) -> Option<String> {
        assert!(self.is_events(), "{} {:?}", self.status, self.headers);
        loop {
            if let Some(end) = find(&self.body, b"\n\n") {
                let block = self.body.drain(..end + 2).take(end).collect();
                return Some(String::from_utf8(block).expect("events are text"));
            }
            if !self.read().await {
                assert!(self.body.is_empty(), "the stream has ended within an event");
                return None;
            }
        }
    }

    /// The next event of an event stream, comments passed over; `None` at its end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            let event = Event::parse(&self.block().await?);
            if event != Event::default() {
                return Some(event);
            }
        }
    }

    /// The next message of an event stream.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            let event = self.event().await.expect("the stream goes on");
            if let Some(data) = event.data.filter(|data| !data.is_empty()) {
                return parse(&data);
            }
        }
    }

    /// All messages that an event stream still has, to its end.
    pub(crate) async fn messages(mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(event) = self.event().await {
            messages.extend(event.data.filter(|data| !data.is_empty()).map(|data| parse(&data)));
        }
        messages
    }

    /// All events that an event stream still has, to its end.
    pub(crate) async fn events(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.event().await {
            events.push(event);
        }
        events
    }
}

/// An event of an event stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<String>,
    pub(crate) data: Option<String>,
}

impl Event {
    fn parse(block: &str) -> Self {
        let mut event = Self::default();
        for line in block.lines().filter(|line| !line.starts_with(':')) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match name {
                "id" => event.id = Some(value),
                "retry" => event.retry = Some(value),
                "data" => event.data = Some(value),
                name => panic!("an event has no {name:?}"),
            }
        }
        event
    }

    /// An event that only says where the stream can be gone on with.
    pub(crate) fn prime(id: &str) -> Self {
        Self { id: Some(id.to_owned()), retry: None, data: Some(String::new()) }
    }
}

/// The response to a call of a tool that returns a string, in a session.
pub(crate) fn said(id: impl Into<Value>, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "result": { "content": [{ "type": "text", "text": text }] } })
}

/// The text that a call has ended with.
pub(crate) fn text_of(response: &Value) -> &str {
    response["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {response}"))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
