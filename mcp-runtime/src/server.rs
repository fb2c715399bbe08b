//! The builder that puts a server together.

use std::ffi::OsString;
use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "ask")]
use crate::ask::{AskSettings, Asks, StateKey};
use crate::changes::{Changes, News};
use crate::client::{Client, ClientError};
use crate::dispatch::{Dispatch, Parts, Sets};
use crate::error::{ServeError, StartError};
use crate::handle::{Assembled, Hook, ServerHandle};
use crate::handler::Surroundings;
#[cfg(feature = "http")]
use crate::http::{self, Http, HttpService};
use crate::limits::{self, Limits};
use crate::live_set::LiveSet;
#[cfg(feature = "tower")]
use crate::middleware::tower::{Layered, ToolService};
use crate::middleware::{Middleware, Stack};
#[cfg(feature = "tower")]
use crate::middleware::{ToolRequest, ToolResponse};
use crate::prompt::def::PromptDef;
use crate::prompt::set::PromptSet;
use crate::prompt::value::Prompt;
use crate::protocol::pages::CacheHint;
use crate::protocol::{CacheScope, Icon, Implementation, Revision};
use crate::registry::Registry;
use crate::resource::def::ResourceDef;
use crate::resource::set::ResourceSet;
use crate::resource::value::ServerResource;
use crate::state::{AnyState, States, ToolState};
use crate::tool::def::ToolDef;
use crate::tool::set::ToolSet;
use crate::tool::value::Tool;
use crate::transport::{Transport, memory};
use crate::{command_line, prompt, resource, tool};

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
#[must_use = "a server does nothing until it runs"]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Server {
    pub(crate) info: Implementation,
    instructions: Option<String>,
    tools: Vec<Tool>,
    replacements: Vec<Tool>,
    prompts: Vec<Prompt>,
    resources: Vec<ServerResource>,
    sets: Sets,
    middleware: Vec<MiddlewareMaker>,
    /// How many of them are layers, which may need a runtime to be made.
    layers: usize,
    states: Vec<AnyState>,
    state_makers: Vec<StateMaker>,
    shutdown_hooks: Vec<Hook>,
    strict_arguments: bool,
    open_arguments: bool,
    masks_errors: bool,
    logs_to_clients: bool,
    list_cache: CacheHint,
    #[cfg(feature = "ask")]
    asks: AskSettings,
    page_size: usize,
    pub(crate) limits: Limits,
    #[cfg(feature = "http")]
    http: Http,
}

/// Makes middleware before the server serves.
type MiddlewareMaker = Box<dyn FnOnce() -> Box<dyn Middleware> + Send>;

/// Makes a state before the server serves.
type StateMaker = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = Result<AnyState, String>> + Send>> + Send>;

impl Server {
    /// A server without tools. The name is for programs, such as `paper-trail`; the version is any text.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            info: Implementation::new(name, version),
            instructions: None,
            tools: Vec::new(),
            replacements: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            sets: empty_sets(),
            middleware: Vec::new(),
            layers: 0,
            states: Vec::new(),
            state_makers: Vec::new(),
            shutdown_hooks: Vec::new(),
            strict_arguments: false,
            open_arguments: false,
            masks_errors: false,
            logs_to_clients: false,
            list_cache: CacheHint::default(),
            #[cfg(feature = "ask")]
            asks: AskSettings::default(),
            page_size: limits::DEFAULT_PAGE_SIZE,
            limits: Limits::default(),
            #[cfg(feature = "http")]
            http: Http::default(),
        }
    }

    /// The name for people. Default: none.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is for, for people. Default: none.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// Where people read more of the server. Default: none.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.info.website_url = Some(url.into());
        self
    }

    /// A picture of the server: at a URI of `https` or `data`, or an [`Icon`] that says more. May be called again. Default:
    /// none.
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.info.icons.push(icon.into());
        self
    }

    /// What a model should know before it uses any of the tools. Default: none.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds tools, in the order in which they are listed: `.tools(tools![add, weather::forecast])`, or
    /// [built](Tool::builder) ones. May be called again.
    pub fn tools(mut self, tools: impl IntoIterator<Item = impl Into<Tool>>) -> Self {
        self.tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// Puts a tool in the place of the one that has its name, wherever that comes from. A server that has no such tool
    /// does not start.
    pub fn replace_tool(mut self, tool: impl Into<Tool>) -> Self {
        self.replacements.push(tool.into());
        self
    }

    /// The set of the server's tools, to change it while the server serves. Clients are told when they connect that it
    /// may change; without this call it does not, and they need not ask.
    ///
    /// A tool that changes the set takes it as a state: `server.state(set)`.
    pub fn tool_set(&mut self) -> ToolSet {
        ToolSet(self.sets.tools.share())
    }

    /// Adds prompts, in the order in which they are listed: `.prompts(prompts![review])`, or [built](Prompt::builder) ones.
    /// May be called again.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{Server, prompt, prompts};
    ///
    /// /// Review a piece of code.
    /// #[prompt]
    /// fn review(code: &str) -> String {
    ///     format!("Review this code, the gravest faults first:\n\n{code}")
    /// }
    ///
    /// let server = Server::new("reviewer", "1.0.0").prompts(prompts![review]);
    /// # let _ = server;
    /// ```
    pub fn prompts(mut self, prompts: impl IntoIterator<Item = impl Into<Prompt>>) -> Self {
        self.prompts.extend(prompts.into_iter().map(Into::into));
        self
    }

    /// The set of the server's prompts, to change it while the server serves, as [`tool_set`](Self::tool_set) does for
    /// tools.
    pub fn prompt_set(&mut self) -> PromptSet {
        PromptSet(self.sets.prompts.share())
    }

    /// Adds resources, in the order in which they are listed: `.resources(resources![readme])`, or
    /// [built](ServerResource::builder) ones. May be called again.
    ///
    /// A request is for the resource with its URI, or else for the first one whose template the URI fits.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{Server, resource, resources};
    ///
    /// /// What an order is made of.
    /// #[resource("orders://{order_id}", mime_type = "text/plain")]
    /// fn order(order_id: u32) -> Option<String> {
    ///     (order_id < 3).then(|| format!("order {order_id}: two lamps"))
    /// }
    ///
    /// let server = Server::new("orders", "1.0.0").resources(resources![order]);
    /// # let _ = server;
    /// ```
    pub fn resources(mut self, resources: impl IntoIterator<Item = impl Into<ServerResource>>) -> Self {
        self.resources.extend(resources.into_iter().map(Into::into));
        self
    }

    /// The set of the server's resources, to change it while the server serves, as [`tool_set`](Self::tool_set) does for
    /// tools, and to tell clients that the contents of a resource have [changed](ResourceSet::updated).
    pub fn resource_set(&mut self) -> ResourceSet {
        ResourceSet { resources: self.sets.resources.share(), templates: self.sets.templates.share() }
    }

    /// Adds the tools of a `#[toolset]` together with the value that their methods are called on.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::{Server, tool, toolset};
    ///
    /// struct Till {
    ///     rate: f64,
    /// }
    ///
    /// #[toolset]
    /// impl Till {
    ///     /// Convert euros to dollars.
    ///     #[tool]
    ///     fn convert(&self, euros: f64) -> f64 {
    ///         euros * self.rate
    ///     }
    /// }
    ///
    /// let server = Server::new("till", "1.0.0").toolset(Till { rate: 1.1 });
    /// # let _ = server;
    /// ```
    pub fn toolset<T: Toolset + ToolState>(self, value: T) -> Self {
        self.tools(T::tools()).prompts(T::prompts()).resources(T::resources()).state(value)
    }

    /// Puts middleware around every tool call. May be called again: a call passes what was added first before what was
    /// added later.
    ///
    /// # Examples
    /// ```
    /// use std::time::Instant;
    ///
    /// use mcp_runtime::{Next, Server, ToolRequest};
    ///
    /// let server = Server::new("timed", "1.0.0").middleware(async |request: ToolRequest, next: Next| {
    ///     let (tool, start) = (request.tool().to_owned(), Instant::now());
    ///     let response = next.run(request).await;
    ///     eprintln!("{tool} took {:?}; well: {}", start.elapsed(), response.is_success());
    ///     response
    /// });
    /// # let _ = server;
    /// ```
    pub fn middleware(mut self, middleware: impl Middleware) -> Self {
        self.middleware.push(Box::new(|| Box::new(middleware)));
        self
    }

    /// Puts a layer of tower around every tool call, in the order of [`middleware`](Self::middleware). An error of the
    /// layer, such as that of a time limit, is a failure of the tool, with its text for the model.
    ///
    /// Only with the feature `tower`. One service is made when the server starts, inside of the runtime, and cloned for
    /// each call, so its clones share what they limit. A service that is no `Clone`, such as that of a rate limit, goes
    /// into tower's `buffer` first.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::Server;
    /// use tower::limit::ConcurrencyLimitLayer;
    /// use tower::timeout::TimeoutLayer;
    ///
    /// let server = Server::new("limited", "1.0.0")
    ///     .layer(TimeoutLayer::new(Duration::from_secs(30)))
    ///     .layer(ConcurrencyLimitLayer::new(4));
    /// # let _ = server;
    /// ```
    #[cfg(feature = "tower")]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: tower_layer::Layer<ToolService> + Send + 'static,
        L::Service: tower_service::Service<ToolRequest, Response = ToolResponse, Error: std::fmt::Display + Send, Future: Send>
            + Clone
            + Send
            + 'static,
    {
        let make = move || {
            let service = layer.layer(ToolService(()));
            Box::new(Layered(std::sync::Mutex::new(service))) as Box<dyn Middleware>
        };
        self.middleware.push(Box::new(make));
        self.layers += 1;
        self
    }

    /// Gives the server a state that its tools take as [`State<T>`](crate::State), or that their methods are called on.
    /// One value of each type.
    pub fn state<T: ToolState>(mut self, value: T) -> Self {
        self.states.push(AnyState::new(value));
        self
    }

    /// Makes a state before the server serves, such as a pool of connections. If it fails, the server does not start,
    /// and the text of the error is the reason.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::Server;
    ///
    /// struct Words(Vec<String>);
    ///
    /// let server = Server::new("words", "1.0.0").state_with(async || {
    ///     let text = std::fs::read_to_string("/usr/share/dict/words")?;
    ///     Ok::<_, std::io::Error>(Words(text.lines().map(str::to_owned).collect()))
    /// });
    /// # let _ = server;
    /// ```
    pub fn state_with<T, E, F, Fut>(mut self, make: F) -> Self
    where
        T: ToolState,
        E: std::fmt::Display,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        let make = move || {
            let future = make();
            let state = async move { future.await.map(AnyState::new).map_err(|error| error.to_string()) };
            Box::pin(state) as Pin<Box<dyn Future<Output = _> + Send>>
        };
        self.state_makers.push(Box::new(make));
        self
    }

    /// Runs when the server has served, such as to write out what it has learnt. May be called again; the hooks run in
    /// order, and have no time limit. Unlike the destructors of states they run at the end of [`run`](Self::run) in any
    /// case.
    pub fn on_shutdown<F, Fut>(mut self, hook: F) -> Self
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.shutdown_hooks.push(Box::new(move || Box::pin(hook())));
        self
    }

    /// Takes arguments exactly as the schema says. Default: a string that spells a number, a boolean, an array or an
    /// object is taken for it where the schema wants one and no string, since models quote things.
    ///
    /// Null for an optional argument stays accepted.
    pub fn strict_arguments(mut self) -> Self {
        self.strict_arguments = true;
        self
    }

    /// Ignores arguments that a tool does not have, for clients that add their own, and lets the schemas say so. Default:
    /// they are refused, since a misspelt optional argument would be ignored too.
    pub fn allow_unknown_arguments(mut self) -> Self {
        self.open_arguments = true;
        self
    }

    /// Keeps the texts of errors from the client, which reads `the tool failed` instead; they go to the log. Default:
    /// `false`. What a [`ToolError`](crate::ToolError) says, and what is wrong with arguments, is told all the same.
    pub fn mask_errors(mut self, mask: bool) -> Self {
        self.masks_errors = mask;
        self
    }

    /// Lets [`Context::log`](crate::Context::log) send to the clients, which are told that it may. Default: such messages go
    /// to the log of the server. Since 2026-07-28 it is deprecated that servers log to their clients.
    pub fn client_logging(mut self) -> Self {
        self.logs_to_clients = true;
        self
    }

    /// Gives the server a key to seal what a call that asks has to remember between its rounds, since 2026-07-28. Servers with
    /// the same key go on with each other's calls. May be called again: the first key seals, and all of them open, so that a
    /// new key is put in front of the old one, and the old one is taken away an hour later. Default: a random key of this
    /// process.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn state_key(mut self, key: StateKey) -> Self {
        self.asks.keys.push(key);
        self
    }

    /// How long a call can be gone on with after it has asked, since 2026-07-28. Default:
    /// [`DEFAULT_STATE_TTL`](limits::DEFAULT_STATE_TTL), 1 hour.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn state_ttl(mut self, ttl: Duration) -> Self {
        self.asks.state_ttl = ttl;
        self
    }

    /// How many bytes of answers and of results of [steps](crate::Context::once) a call may remember between its rounds, since
    /// 2026-07-28; a question or a step beyond them is an error. Default:
    /// [`DEFAULT_MAX_STATE_BYTES`](limits::DEFAULT_MAX_STATE_BYTES), 64 KiB.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn max_state_bytes(mut self, bytes: usize) -> Self {
        self.asks.max_state_bytes = bytes;
        self
    }

    /// How many questions a call may have open at a time; a further one is
    /// [`AskError::TooMany`](crate::AskError::TooMany). Default:
    /// [`DEFAULT_MAX_OPEN_QUESTIONS`](limits::DEFAULT_MAX_OPEN_QUESTIONS), 100.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn max_open_questions(mut self, questions: usize) -> Self {
        self.asks.max_open_questions = questions;
        self
    }

    /// How long a client may take to answer a question in a session. Then the question is withdrawn, and
    /// [`AskError::TimedOut`](crate::AskError::TimedOut). Default: [`DEFAULT_ASK_TIMEOUT`](limits::DEFAULT_ASK_TIMEOUT),
    /// 10 minutes.
    ///
    /// Only with the feature `ask`.
    #[cfg(feature = "ask")]
    pub fn ask_timeout(mut self, timeout: Duration) -> Self {
        self.asks.timeout = timeout;
        self
    }

    /// How long clients may keep the lists of tools, prompts and resources, and for whom; since 2026-07-28. Default: not at
    /// all, and for nobody else. A list that changes is told of in any case.
    ///
    /// [`CacheScope::Public`] is for lists that are the same for everyone who asks.
    pub fn cache_lists(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.list_cache = CacheHint { ttl, scope };
        self
    }

    /// How many entries a page of a list holds, of tools, prompts, resources or templates; at least 1. Default:
    /// [`DEFAULT_PAGE_SIZE`](limits::DEFAULT_PAGE_SIZE), 1,000.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = entries;
        self
    }

    /// The longest line that is read, in bytes, without its newline. A longer one is skipped and answered with an error.
    /// Default: [`DEFAULT_MAX_LINE_BYTES`](limits::DEFAULT_MAX_LINE_BYTES), 16 MiB.
    pub fn max_line_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_line_bytes = bytes;
        self
    }

    /// How many messages a batch may have; a longer one is answered with an error. Only revision 2025-03-26 has batches.
    /// Default: [`DEFAULT_MAX_BATCH_MESSAGES`](limits::DEFAULT_MAX_BATCH_MESSAGES), 100.
    pub fn max_batch_messages(mut self, messages: usize) -> Self {
        self.limits.max_batch_messages = messages;
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

    /// How many requests to be told of changes (`subscriptions/listen`) one connection may have open. Default:
    /// [`DEFAULT_MAX_SUBSCRIPTIONS`](limits::DEFAULT_MAX_SUBSCRIPTIONS), 64.
    pub fn max_subscriptions(mut self, subscriptions: usize) -> Self {
        self.limits.max_subscriptions = subscriptions;
        self
    }

    /// How many resources one connection may want to be told of; further ones are refused in a session, and left out where a
    /// request lists them. Default: [`DEFAULT_MAX_WATCHED_RESOURCES`](limits::DEFAULT_MAX_WATCHED_RESOURCES), 1,024.
    pub fn max_watched_resources(mut self, resources: usize) -> Self {
        self.limits.max_watched_resources = resources;
        self
    }

    /// How many threads [`run`](Self::run) uses for calls that have to wait, at least 1: so many may block their thread
    /// at once before others have to wait for one of them. Beyond the first four, a thread is started when a call has
    /// waited for 5 milliseconds. Default:
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

    /// How the server is served over HTTP. Default: [`Http::new`].
    ///
    /// Only with the feature `http`.
    #[cfg(feature = "http")]
    pub fn http(mut self, http: Http) -> Self {
        self.http = http;
        self
    }

    /// Runs the server as the program: reads the command line, serves stdin and stdout, or over HTTP with `--http ADDRESS`
    /// (feature `http`), and prints its own errors in words. `--help` tells the rest.
    ///
    /// No async runtime is needed around it; one is built for the tools. It is a current-thread tokio runtime: one thread
    /// of its own drives the timers and what tools spawn, while the calls themselves run on threads of the server. What
    /// computes for long belongs into `spawn_blocking`, not into a spawned task, and `block_in_place` is not to be had in
    /// one. stdin and stdout are taken over for the protocol, so that a stray `println!` goes to stderr. Over HTTP it is a
    /// multi-thread runtime with the promises of [`serve`](Self::serve), and stdin and stdout stay where they are.
    ///
    /// The log of a served client goes to stderr without waiting for whoever reads it: 1 MiB is kept for a reader who is
    /// late, further lines are lost, and a line says how many. The message of a panic goes the same way, unless the program
    /// has set a panic hook of its own. What a tool or its child process prints itself does wait.
    ///
    /// It ends at the end of input, and on Unix at SIGTERM or SIGINT: calls in flight may still end within the
    /// [grace time](Self::shutdown_grace). A second signal ends the process at once.
    ///
    /// The exit code is 0 at such an end, 1 if serving or the called tool failed, 2 for a command line that makes no sense,
    /// and 128 plus the number of a second signal.
    #[must_use = "the exit code is for `main` to return"]
    pub fn run(self) -> ExitCode {
        self.run_from(std::env::args_os().skip(1))
    }

    /// Like [`run`](Self::run), with the arguments that the program has left over, without its own name.
    #[must_use = "the exit code is for `main` to return"]
    pub fn run_from(self, args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
        command_line::run(self, args.into_iter().map(Into::into).collect())
    }

    /// Makes the states and puts the server together, to serve several connections: each client of a socket, for example.
    ///
    /// # Errors
    /// Names everything that keeps the server from working.
    pub async fn start(self) -> Result<ServerHandle, StartError> {
        Ok(ServerHandle::new(self.assemble().await?))
    }

    /// Serves one connection on the runtime that this is called in, until its input ends. The runtime needs its time
    /// driver.
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
        let server = self.start().await?;
        let result = server.serve(transport).await;
        server.shut_down().await;
        result
    }

    /// Serves the endpoint on a listener, on the runtime that this is called in, until `stop` ends. Then no further requests
    /// are served, what is being answered may still end within the [grace time](Self::shutdown_grace), and open streams
    /// are closed. The runtime needs its time driver.
    ///
    /// A plain `fn` tool runs on the runtime's blocking pool. An `async` tool is a task of the runtime: one that blocks
    /// its thread delays what would have run there.
    ///
    /// Only with the feature `http`.
    ///
    /// # Errors
    /// If the server is not put together right.
    ///
    /// # Examples
    /// ```no_run
    /// use mcp_runtime::{ServeError, Server};
    ///
    /// # async fn serve() -> Result<(), ServeError> {
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    /// let stop = async { while tokio::signal::ctrl_c().await.is_err() {} };
    /// Server::new("orders", "1.0.0").serve_http(listener, stop).await
    /// # }
    /// ```
    #[cfg(feature = "http")]
    pub async fn serve_http(
        self,
        listener: tokio::net::TcpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), ServeError> {
        let service = self.into_service_at(&listener).await?;
        http::server::serve(listener, service, stop).await;
        Ok(())
    }

    /// The service for a listener, whose address requests may be for.
    #[cfg(feature = "http")]
    pub(crate) async fn into_service_at(
        mut self,
        listener: &tokio::net::TcpListener,
    ) -> Result<HttpService, StartError> {
        if let Ok(address) = listener.local_addr() {
            self.http = self.http.bound_to(address.ip());
        }
        self.into_service().await
    }

    /// Makes the states and makes the server a tower service, to be nested in an application. It is to be called on a tokio
    /// runtime with a time driver.
    ///
    /// Only with the feature `http`.
    ///
    /// # Errors
    /// Names everything that keeps the server from working.
    #[cfg(feature = "http")]
    pub async fn into_service(self) -> Result<HttpService, StartError> {
        let http = self.http.clone();
        Ok(HttpService::new(self.start().await?, http))
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
        let server = self.start().await?;
        let (ours, theirs) = memory::pair();
        // It ends with the connection, which the client holds.
        drop(tokio::spawn(async move {
            let result = server.serve(theirs).await;
            server.shut_down().await;
            result.inspect_err(|error| tracing::debug!(%error, "serving in memory has failed"))
        }));
        Client::open(ours, revision).await
    }

    /// Makes the states and puts the server together.
    ///
    /// # Errors
    /// Names everything that keeps it from working.
    pub(crate) async fn assemble(self) -> Result<Assembled, StartError> {
        let (mut states, mut problems) = (States::default(), Vec::new());
        #[cfg(feature = "http")]
        problems.extend(self.http.problems());
        for state in self.states {
            problems.extend(states.add(state));
        }
        for make in self.state_makers {
            match make().await {
                Ok(state) => problems.extend(states.add(state)),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        let (strict_arguments, open_arguments) = (self.strict_arguments, self.open_arguments);
        let surroundings = Arc::new(Surroundings { states, strict_arguments, open_arguments });
        let size = self.page_size;
        let (templates, plain): (Vec<_>, Vec<_>) = self.resources.into_iter().partition(ServerResource::is_template);
        let tools = Registry::new(&tool::WORDS, self.tools, self.replacements, &surroundings, size);
        let prompts = Registry::new(&prompt::WORDS, self.prompts, Vec::new(), &surroundings, size);
        let resources = Registry::new(&resource::WORDS, plain, Vec::new(), &surroundings, size);
        let templates = Registry::new(&resource::TEMPLATE_WORDS, templates, Vec::new(), &surroundings, size);
        let registries = (keep(tools, &mut problems), keep(prompts, &mut problems));
        let registries = (registries, keep(resources, &mut problems), keep(templates, &mut problems));
        let ((Some(tools), Some(prompts)), Some(resources), Some(templates)) = registries else {
            return Err(StartError { problems });
        };
        for doubt in tool::names::doubts(tools.keys()) {
            tracing::warn!("{doubt}");
        }
        self.sets.tools.start(tools, Arc::clone(&surroundings));
        self.sets.prompts.start(prompts, Arc::clone(&surroundings));
        self.sets.resources.start(resources, Arc::clone(&surroundings));
        self.sets.templates.start(templates, Arc::clone(&surroundings));
        #[cfg(feature = "ask")]
        let asks = Asks::new(self.asks).map_err(|error| StartError { problems: vec![error.to_string()] })?;
        let dispatch = Dispatch::new(Parts {
            info: self.info,
            instructions: self.instructions,
            sets: self.sets,
            surroundings,
            middleware: Stack::new(self.middleware.into_iter().map(|make| make()).collect()),
            masks_errors: self.masks_errors,
            list_cache: self.list_cache,
            logs_to_clients: self.logs_to_clients,
            #[cfg(feature = "ask")]
            asks,
        });
        Ok(Assembled { dispatch: Arc::new(dispatch), limits: self.limits, shutdown_hooks: self.shutdown_hooks })
    }

    /// Whether there is anything for clients, now or later.
    pub(crate) fn offers_anything(&self) -> bool {
        !(self.tools.is_empty() && self.prompts.is_empty() && self.resources.is_empty())
            || self.sets.changes.are_expected()
    }

    #[cfg(feature = "http")]
    pub(crate) fn http_max_calls(&self) -> usize {
        self.http.most_calls()
    }

    /// The path of the endpoint.
    #[cfg(feature = "http")]
    pub(crate) fn http_path(&self) -> &str {
        self.http.endpoint_path()
    }

    /// Whether putting the server together has to wait for something.
    pub(crate) fn needs_runtime(&self) -> bool {
        !self.state_makers.is_empty() || self.layers > 0
    }
}

/// The sets of a server before it starts.
fn empty_sets() -> Sets {
    let changes = Changes::default();
    let of_tools = News { tools: true, ..News::default() };
    let of_prompts = News { prompts: true, ..News::default() };
    let of_resources = News { resources: true, ..News::default() };
    Sets {
        tools: LiveSet::new(&tool::WORDS, changes.clone(), of_tools),
        prompts: LiveSet::new(&prompt::WORDS, changes.clone(), of_prompts),
        resources: LiveSet::new(&resource::WORDS, changes.clone(), of_resources.clone()),
        templates: LiveSet::new(&resource::TEMPLATE_WORDS, changes.clone(), of_resources),
        changes,
    }
}

/// What was made, or nothing with the problems kept.
fn keep<T>(made: Result<T, StartError>, problems: &mut Vec<String>) -> Option<T> {
    made.map_err(|error| problems.extend(error.problems)).ok()
}

/// A type whose methods are tools: what `#[toolset]` implements, for [`Server::toolset`].
pub trait Toolset: Sized {
    /// The tools, in the order of the methods.
    fn tools() -> Vec<ToolDef>;

    /// The prompts, in the order of the methods. Default: none.
    #[must_use]
    fn prompts() -> Vec<PromptDef> {
        Vec::new()
    }

    /// The resources, in the order of the methods. Default: none.
    #[must_use]
    fn resources() -> Vec<ResourceDef> {
        Vec::new()
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("info", &self.info).field("tools", &self.tools).finish_non_exhaustive()
    }
}
