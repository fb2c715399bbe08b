//! The builder that puts a server together: what it has and what it says of itself.

mod assembly;
mod serving;
mod settings;

use std::future::Future;
use std::pin::Pin;

#[cfg(feature = "ask")]
use crate::ask::AskSettings;
use crate::changes::{Changes, News};
use crate::client_log::Targets;
use crate::dispatch::Sets;
use crate::handle::Hook;
#[cfg(feature = "http")]
use crate::http::Http;
use crate::limits::{self, Limits};
use crate::live_set::LiveSet;
use crate::middleware::Middleware;
#[cfg(feature = "tower")]
use crate::middleware::tower::{Layered, ToolService};
#[cfg(feature = "tower")]
use crate::middleware::{ToolRequest, ToolResponse};
use crate::others::PROMPTS_AND_RESOURCES;
use crate::prompt::def::PromptDef;
use crate::prompt::set::PromptSet;
use crate::prompt::value::Prompt;
use crate::protocol::pages::CacheHint;
use crate::protocol::{Icon, Implementation};
use crate::resource::def::ResourceDef;
use crate::resource::set::ResourceSet;
use crate::resource::value::ServerResource;
use crate::state::{AnyState, ToolState};
use crate::tool::def::ToolDef;
use crate::tool::set::ToolSet;
use crate::tool::value::Tool;
use crate::{prompt, resource, tool};

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
    events_for_clients: Targets,
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
            events_for_clients: Targets::default(),
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
        self.sets.others = Some(&PROMPTS_AND_RESOURCES);
        self.prompts.extend(prompts.into_iter().map(Into::into));
        self
    }

    /// The set of the server's prompts, to change it while the server serves, as [`tool_set`](Self::tool_set) does for
    /// tools.
    pub fn prompt_set(&mut self) -> PromptSet {
        self.sets.others = Some(&PROMPTS_AND_RESOURCES);
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
        self.sets.others = Some(&PROMPTS_AND_RESOURCES);
        self.resources.extend(resources.into_iter().map(Into::into));
        self
    }

    /// The set of the server's resources, to change it while the server serves, as [`tool_set`](Self::tool_set) does for
    /// tools, and to tell clients that the contents of a resource have [changed](ResourceSet::updated).
    pub fn resource_set(&mut self) -> ResourceSet {
        self.sets.others = Some(&PROMPTS_AND_RESOURCES);
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
        let (prompts, resources) = (T::prompts(), T::resources());
        let server = self.tools(T::tools()).state(value);
        // A set of tools alone has both empty by default, and the program is linked without what is done for them.
        let server = if prompts.is_empty() { server } else { server.prompts(prompts) };
        if resources.is_empty() { server } else { server.resources(resources) }
    }

    /// Puts middleware around every tool call, and around nothing else: prompts, resources and completions pass none. May be
    /// called again: a call passes what was added first before what was added later.
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
    /// case where it has served: after `list`, `call`, `read` and `get`, which serve nobody else, none runs.
    pub fn on_shutdown<F, Fut>(mut self, hook: F) -> Self
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.shutdown_hooks.push(Box::new(move || Box::pin(hook())));
        self
    }

    /// Which events of `tracing` are for clients.
    pub(crate) fn events_for_clients(&self) -> Targets {
        self.events_for_clients.clone()
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
        others: None,
    }
}

/// A type whose methods are tools, prompts or resources: what `#[toolset]` implements, for [`Server::toolset`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolset",
    label = "no `#[toolset]` on an `impl` block",
    note = "put `#[toolset]` on the `impl` block whose methods have `#[tool]`, `#[prompt]` or `#[resource]`",
    note = "the functions of `#[toolset(name)]` are given to `Server::tools` as `Type::name()`"
)]
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
