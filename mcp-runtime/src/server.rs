//! The builder that puts a server together.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::client::{Client, ClientError};
use crate::command_line;
use crate::dispatch::Dispatch;
use crate::error::{ServeError, StartError};
use crate::limits::{self, Limits};
use crate::protocol::{Implementation, Revision};
use crate::serve;
use crate::tool::ToolDef;
use crate::tool::registry::Registry;
use crate::transport::{Transport, memory};

/// A server: its name, its tools, its bounds. One way of serving ends the chain: [`run`](Self::run) for a program of its
/// own, [`serve`](Self::serve) inside of another, [`connect`](Self::connect) for tests.
///
/// # Examples
/// ```no_run
/// use mcp_runtime::{Server, tool, tools};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// fn main() -> std::process::ExitCode {
///     Server::new("adder", env!("CARGO_PKG_VERSION")).tools(tools![add]).run()
/// }
/// ```
#[derive(Debug)]
#[must_use = "a server does nothing until it runs"]
pub struct Server {
    pub(crate) info: Implementation,
    instructions: Option<String>,
    tools: Vec<ToolDef>,
    page_size: usize,
    pub(crate) limits: Limits,
}

impl Server {
    /// A server without tools. The name is for programs, such as `paper-trail`; the version is any text.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            tools: Vec::new(),
            page_size: limits::DEFAULT_PAGE_SIZE,
            limits: Limits::default(),
        }
    }

    /// The name for people. Default: none.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What a model should know before it uses any of the tools. Default: none.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds tools, in the order in which they are listed: `.tools(tools![add, weather::forecast])`. May be called again.
    pub fn tools(mut self, tools: impl IntoIterator<Item = ToolDef>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// How many tools a page of `tools/list` holds; at least 1. Default:
    /// [`DEFAULT_PAGE_SIZE`](limits::DEFAULT_PAGE_SIZE), 1,000.
    pub fn page_size(mut self, tools: usize) -> Self {
        self.page_size = tools;
        self
    }

    /// The longest line that is read, in bytes, without its newline. A longer one is skipped and answered with an error.
    /// Default: [`DEFAULT_MAX_LINE_BYTES`](limits::DEFAULT_MAX_LINE_BYTES), 16 MiB.
    pub fn max_line_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_line_bytes = bytes;
        self
    }

    /// How many calls of one connection run at a time, at least 1; further ones wait. Default:
    /// [`DEFAULT_MAX_CALLS_IN_FLIGHT`](limits::DEFAULT_MAX_CALLS_IN_FLIGHT), 256.
    pub fn max_calls_in_flight(mut self, calls: usize) -> Self {
        self.limits.max_calls_in_flight = calls;
        self
    }

    /// How many bytes of calls may wait for their turn; then reading stops until some have run. Default:
    /// [`DEFAULT_MAX_WAITING_BYTES`](limits::DEFAULT_MAX_WAITING_BYTES), 16 MiB.
    pub fn max_waiting_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_waiting_bytes = bytes;
        self
    }

    /// How many bytes of responses may wait for the client to read them; then reading stops until it has. Default:
    /// [`DEFAULT_MAX_OUTPUT_BYTES`](limits::DEFAULT_MAX_OUTPUT_BYTES), 16 MiB.
    pub fn max_output_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_output_bytes = bytes;
        self
    }

    /// How many threads [`run`](Self::run) uses for calls that have to wait, at least 1: so many may block their thread
    /// at once before others have to wait for one of them. Default:
    /// [`DEFAULT_MAX_WORKER_THREADS`](limits::DEFAULT_MAX_WORKER_THREADS), 64.
    pub fn max_worker_threads(mut self, threads: usize) -> Self {
        self.limits.max_worker_threads = threads;
        self
    }

    /// How long calls in flight may take to end after the client has closed its end. Default:
    /// [`DEFAULT_SHUTDOWN_GRACE`](limits::DEFAULT_SHUTDOWN_GRACE), 1.5 seconds.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.limits.shutdown_grace = grace;
        self
    }

    /// Runs the server as the program: reads the command line, serves stdin and stdout, and prints its own errors in
    /// words. `--help` tells the rest.
    ///
    /// No async runtime is needed around it; one is built for the tools. stdin and stdout are taken over for the
    /// protocol, so that a stray `println!` goes to stderr.
    ///
    /// The exit code is 0 at the end of input, 1 if serving or the called tool failed, and 2 for a command line that
    /// makes no sense.
    #[must_use = "the exit code is for `main` to return"]
    pub fn run(self) -> ExitCode {
        self.run_from(std::env::args_os().skip(1))
    }

    /// Like [`run`](Self::run), with the arguments that the program has left over, without its own name.
    #[must_use = "the exit code is for `main` to return"]
    pub fn run_from(self, args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
        command_line::run(self, args.into_iter().map(Into::into).collect())
    }

    /// Serves one connection on the runtime that this is called in, until its input ends.
    ///
    /// A plain `fn` tool runs on the runtime's blocking pool. An `async` tool is a task of the runtime: one that blocks
    /// its thread delays what would have run there.
    ///
    /// # Errors
    /// If the server is not put together right, or if reading or writing fails.
    ///
    /// # Cancel safety
    /// Dropping the future ends the connection and cancels its calls.
    pub async fn serve(self, transport: impl Transport) -> Result<(), ServeError> {
        let limits = self.limits.clone();
        let dispatch = self.into_dispatch()?;
        let (reader, writer) = transport.split();
        Ok(serve::serve(dispatch, limits, reader, writer).await?)
    }

    /// Starts the server on the runtime that this is called in and connects a client to it, in revision 2026-07-28.
    ///
    /// # Errors
    /// If the server is not put together right.
    pub async fn connect(self) -> Result<Client, ClientError> {
        self.connect_as(Revision::LATEST).await
    }

    /// Like [`connect`](Self::connect), in another revision.
    ///
    /// # Errors
    /// If the server is not put together right.
    pub async fn connect_as(self, revision: Revision) -> Result<Client, ClientError> {
        let limits = self.limits.clone();
        let dispatch = self.into_dispatch()?;
        let (ours, theirs) = memory::pair();
        let (reader, writer) = theirs.split();
        // It ends with the connection, which the client holds.
        drop(tokio::spawn(serve::serve(dispatch, limits, reader, writer)));
        Client::open(ours, revision).await
    }

    pub(crate) fn into_dispatch(self) -> Result<Arc<Dispatch>, StartError> {
        let registry = Registry::new(self.tools)?;
        Ok(Arc::new(Dispatch::new(self.info, self.instructions, registry, self.page_size)))
    }
}
