//! A client in the same process, over the real dispatch: for tests of a server, and for its own command line.

mod answers;

use std::collections::VecDeque;
use std::pin::Pin;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

pub(crate) use self::answers::Answers;
pub use self::answers::Question;
use crate::codec::{Frame, LineBuffer};
use crate::error::StartError;
use crate::json;
use crate::jsonrpc::{self, ErrorObject, write_json};
use crate::protocol::{Revision, meta};
use crate::transport::{BoxedReader, BoxedWriter, Transport};

/// A connection to a server, one request at a time. [`Server::connect`](crate::Server::connect) makes one.
///
/// # Examples
/// ```
/// use mcp_runtime::{Server, tool, tools};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let mut client = Server::new("adder", "1.0.0").tools(tools![add]).connect().await?;
/// let result = client.call_tool("add", serde_json::json!({ "a": 2, "b": 3 })).await?;
/// assert_eq!(result["structuredContent"], 5);
/// # Ok::<(), mcp_runtime::ClientError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    reader: BoxedReader,
    writer: BoxedWriter,
    lines: LineBuffer,
    revision: Revision,
    /// What the server offers, where the handshake has told it.
    server_capabilities: Option<Value>,
    /// Who answers what the server asks.
    answers: Option<Answers>,
    last_id: u64,
    notifications: VecDeque<Value>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("revision", &self.revision).finish_non_exhaustive()
    }
}

/// Why a request has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server does not start.
    Start(StartError),
    /// The server answered with an error.
    Rpc(ErrorObject),
    /// The connection failed or ended.
    Io(std::io::Error),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Rpc(error) => write!(f, "{} ({})", error.message, error.code),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Rpc(_) => None,
            Self::Io(error) => Some(error),
        }
    }
}

impl From<StartError> for ClientError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl From<std::io::Error> for ClientError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// A request under way. It is boxed for being compiled once: as it is, it would be part of every method here.
pub(crate) type Requested<'a> = Pin<Box<dyn Future<Output = Result<Value, ClientError>> + Send + 'a>>;

/// The longest response that is read, in bytes: 1 GiB, since it comes from the same process.
const MAX_RESPONSE_BYTES: usize = 1 << 30;

impl Client {
    /// A connection in a revision that is not opened yet.
    pub(crate) fn new(transport: impl Transport, revision: Revision) -> Self {
        let (reader, writer) = transport.split();
        Self {
            reader,
            writer,
            lines: LineBuffer::new(MAX_RESPONSE_BYTES),
            revision,
            server_capabilities: None,
            answers: None,
            last_id: 0,
            notifications: VecDeque::new(),
        }
    }

    /// The same with someone who answers what the server asks.
    pub(crate) fn answering(self, answers: Answers) -> Self {
        Self { answers: Some(answers), ..self }
    }

    /// Opens the connection; in the revisions before 2026-07-28 it begins with a handshake.
    pub(crate) async fn open(mut self) -> Result<Self, ClientError> {
        if !self.revision.is_modern() {
            let me = json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") });
            let (revision, declared) = (self.revision.as_str(), self.capabilities());
            let params = json!({ "protocolVersion": revision, "capabilities": declared, "clientInfo": me });
            let mut opened = self.request("initialize", params).await?;
            self.server_capabilities = opened.get_mut("capabilities").map(Value::take);
            self.notify("notifications/initialized", None).await?;
        }
        Ok(self)
    }

    /// The revision that the client speaks.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// What the server offers, as JSON: its capabilities.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn server_capabilities(&mut self) -> Result<Value, ClientError> {
        if let Some(capabilities) = &self.server_capabilities {
            return Ok(capabilities.clone());
        }
        let mut discovered = self.request("server/discover", json!({})).await?;
        Ok(discovered.get_mut("capabilities").map(Value::take).unwrap_or_default())
    }

    /// Lists the tools, to the last page.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn list_tools(&mut self) -> Result<Vec<Value>, ClientError> {
        self.list("tools/list", "tools").await
    }

    /// Lists the prompts, to the last page.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn list_prompts(&mut self) -> Result<Vec<Value>, ClientError> {
        self.list("prompts/list", "prompts").await
    }

    /// Lists the resources, to the last page. Those that have a template are listed
    /// [by it](Self::list_resource_templates).
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn list_resources(&mut self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/list", "resources").await
    }

    /// Lists the templates of resources, to the last page.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn list_resource_templates(&mut self) -> Result<Vec<Value>, ClientError> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Lists what a method lists, to the last page.
    pub(crate) async fn list(&mut self, method: &str, member: &str) -> Result<Vec<Value>, ClientError> {
        let (mut all, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page = self.request(method, params).await?;
            if let Some(Value::Array(listed)) = page.get_mut(member) {
                all.append(listed);
            }
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(all),
            }
        }
    }

    /// Gets a prompt. Its arguments are an object of strings.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn get_prompt(&mut self, name: &str, arguments: Value) -> Result<Value, ClientError> {
        self.prompt_requested(name, &arguments).await
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn read_resource(&mut self, uri: &str) -> Result<Value, ClientError> {
        self.resource_requested(uri).await
    }

    /// Calls a tool. A failure of the tool is a result with `isError`, as on the wire. Its progress is asked for; see
    /// [`take_notifications`](Self::take_notifications).
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    pub async fn call_tool(&mut self, name: &str, arguments: Value) -> Result<Value, ClientError> {
        self.call_requested(name, &arguments).await
    }

    pub(crate) fn prompt_requested(&mut self, name: &str, arguments: &Value) -> Requested<'_> {
        self.requested("prompts/get", json!({ "name": name, "arguments": arguments }))
    }

    pub(crate) fn resource_requested(&mut self, uri: &str) -> Requested<'_> {
        self.requested("resources/read", json!({ "uri": uri }))
    }

    pub(crate) fn call_requested(&mut self, name: &str, arguments: &Value) -> Requested<'_> {
        let params = json!({ "name": name, "arguments": arguments, "_meta": { "progressToken": self.last_id + 1 } });
        self.requested("tools/call", params)
    }

    /// Sends any request and waits for its result. What the revision wants in `_meta` is added if `params` is an object;
    /// anything else is sent as it is, for the server to refuse.
    ///
    /// # Errors
    /// If the server answers with an error or the connection ends.
    ///
    /// # Cancel safety
    /// A request that is dropped is not cancelled; its response is passed over.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, ClientError> {
        self.requested(method, params).await
    }

    /// A request, begun when it is first polled.
    pub(crate) fn requested<'a>(&'a mut self, method: &'a str, params: Value) -> Requested<'a> {
        Box::pin(self.request_in_rounds(method, params))
    }

    async fn request_in_rounds(&mut self, method: &str, params: Value) -> Result<Value, ClientError> {
        let mut round = params.clone();
        loop {
            let mut result = self.request_once(method, round).await?;
            let next = self.answers.as_mut().and_then(|answers| answers.next_round(&params, &mut result));
            match next {
                Some(next) => round = next,
                None => return Ok(result),
            }
        }
    }

    async fn request_once(&mut self, method: &str, mut params: Value) -> Result<Value, ClientError> {
        self.last_id += 1;
        let id = self.last_id;
        if self.revision.is_modern() {
            add_meta(&mut params, self.revision, self.capabilities());
        }
        let mut line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"#).into_bytes();
        write_json(&mut line, method);
        line.extend_from_slice(br#","params":"#);
        write_json(&mut line, &params);
        jsonrpc::end(&mut line);
        self.send(&line).await?;
        loop {
            let mut message = self.receive().await?;
            if message.get("method").is_some() {
                match (message.get("id"), &mut self.answers) {
                    (Some(id), Some(answers)) => {
                        let mut line = Vec::new();
                        write_json(&mut line, &answers.respond(id, &message));
                        line.push(b'\n');
                        self.send(&line).await?;
                    }
                    _ => self.notifications.push_back(message),
                }
                continue;
            }
            // An error without an id is about what was sent last; another id is that of a request that was given up.
            if message.get("id").is_some_and(|other| other.as_u64() != Some(id)) {
                continue;
            }
            return match message.get_mut("error") {
                Some(error) => {
                    let code = error.get("code").and_then(Value::as_i64).unwrap_or(ErrorObject::INTERNAL_ERROR);
                    let mut rpc =
                        ErrorObject::new(code, error.get("message").and_then(Value::as_str).unwrap_or_default());
                    rpc.data = error.get_mut("data").map(Value::take).filter(|data| !data.is_null());
                    Err(ClientError::Rpc(rpc))
                }
                None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
            };
        }
    }

    /// What the client declares that it can be asked.
    fn capabilities(&self) -> Value {
        if self.answers.is_none() {
            return json!({});
        }
        let all = r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}"#;
        json::tree(all).unwrap_or_default()
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// If the connection has ended.
    pub async fn notify(&mut self, method: &str, params: Option<Value>) -> Result<(), ClientError> {
        let mut line = Vec::new();
        match params {
            Some(params) => jsonrpc::write_notification(&mut line, method, &params),
            None => jsonrpc::write_notification_without_params(&mut line, method),
        }
        self.send(&line).await
    }

    /// What the server has sent besides the results, such as progress, oldest first; each is returned once.
    ///
    /// It is what the requests so far have read while they waited for their results; this reads nothing itself. What is still
    /// to come is read by a further request, such as [`list_tools`](Self::list_tools), or `ping` before 2026-07-28. One may not
    /// be enough: of several changes in a row, the server tells the later ones 50 ms after the first.
    ///
    /// Since 2026-07-28 a client is told of changes only under `subscriptions/listen`. That request has no result while the
    /// subscription lasts, so end the wait for it with a timeout.
    pub fn take_notifications(&mut self) -> Vec<Value> {
        self.notifications.drain(..).collect()
    }

    async fn send(&mut self, line: &[u8]) -> Result<(), ClientError> {
        self.writer.write_all(line).await?;
        Ok(self.writer.flush().await?)
    }

    async fn receive(&mut self) -> Result<Value, ClientError> {
        loop {
            match self.lines.next() {
                Frame::Line(line) => {
                    let line = std::str::from_utf8(line).map_err(std::io::Error::other)?;
                    return Ok(json::tree(line).map_err(std::io::Error::from)?);
                }
                Frame::TooLong => return Err(std::io::Error::other("the server's message is too long").into()),
                Frame::Incomplete => {}
            }
            let count = self.reader.read(self.lines.space()).await?;
            if count == 0 {
                return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
            }
            self.lines.filled(count);
        }
    }
}

/// Adds what each request of the modern era carries. What the caller says itself stays.
fn add_meta(params: &mut Value, revision: Revision, capabilities: Value) {
    let Some(params) = params.as_object_mut() else { return };
    if let Some(members) = params.entry("_meta").or_insert_with(|| json!({})).as_object_mut() {
        members.entry(meta::PROTOCOL_VERSION).or_insert_with(|| revision.as_str().into());
        members.entry(meta::CLIENT_CAPABILITIES).or_insert(capabilities);
    }
}
