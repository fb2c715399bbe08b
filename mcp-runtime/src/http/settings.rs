//! What can be set about serving over HTTP, each with its default.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;

use super::doors::{Doors, HostRule, OriginRule};
use super::store::{EventStore, MemoryEventStore};

/// The path that [`Server::serve_http`](crate::Server::serve_http) and `--http` serve: `/mcp`.
pub const DEFAULT_PATH: &str = "/mcp";

/// The largest body of a request, in bytes: 16 MiB.
pub const DEFAULT_MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// How long a client may take to send a whole body: 30 seconds.
pub const DEFAULT_BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take to send the head of a request, how long a connection may idle before the next one, and how
/// long a client may read nothing of an answer: 30 seconds.
pub const DEFAULT_HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// The largest head of a request, in bytes: 64 KiB.
pub const DEFAULT_MAX_HEAD_BYTES: usize = 64 * 1024;

/// How many connections are open at a time: 16,384. Further ones wait to be accepted.
pub const DEFAULT_MAX_CONNECTIONS: usize = 16_384;

/// How many sessions of the legacy era are open at a time: 10,000.
pub const DEFAULT_MAX_SESSIONS: usize = 10_000;

/// How long a session may be idle before it ends: 30 minutes.
pub const DEFAULT_SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// How many streams that tell of changes are open at a time: 10,000.
pub const DEFAULT_MAX_STREAMS: usize = 10_000;

/// How many calls run at a time, over all clients: 1,024. Further ones wait.
pub const DEFAULT_MAX_CALLS: usize = 1024;

/// How long an event stream may be silent before it gets a comment line: 15 seconds. Proxies cut silent connections after
/// 30 to 60.
pub const DEFAULT_KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How a server is served over HTTP. [`Server::http`](crate::Server::http) takes it; each setting has a default.
///
/// # Examples
/// Behind a proxy that passes the `Host` header on, for a web page of one's own:
/// ```
/// use mcp_runtime::{Server, http::Http};
///
/// let http = Http::new().allow_hosts(["mcp.example.com"]).allow_origins(["https://app.example.com"]);
/// let server = Server::new("orders", "1.0.0").http(http);
/// # let _ = server;
/// ```
#[derive(Clone)]
pub struct Http {
    pub(super) hosts: Allowed,
    pub(super) origins: Allowed,
    pub(super) path: String,
    pub(super) max_body_bytes: usize,
    pub(super) body_timeout: Duration,
    pub(super) head_timeout: Duration,
    pub(super) max_head_bytes: usize,
    pub(super) max_connections: usize,
    pub(super) has_sessions: bool,
    pub(super) max_sessions: usize,
    pub(super) session_idle: Duration,
    pub(super) session_prefix: String,
    pub(super) max_streams: usize,
    pub(super) max_calls: usize,
    pub(super) keep_alive: Duration,
    pub(super) events: Arc<dyn EventStore>,
    pub(super) principal: Option<Principal>,
}

/// What is let in.
#[derive(Debug, Clone)]
pub(super) enum Allowed {
    /// What is of the machine itself.
    Local,
    List(Vec<String>),
    Any,
}

/// Tells whom a request comes from.
pub(super) type Principal = Arc<dyn Fn(&Parts) -> Option<String> + Send + Sync>;

impl Default for Http {
    fn default() -> Self {
        Self {
            hosts: Allowed::Local,
            origins: Allowed::Local,
            path: DEFAULT_PATH.to_owned(),
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            body_timeout: DEFAULT_BODY_TIMEOUT,
            head_timeout: DEFAULT_HEAD_TIMEOUT,
            max_head_bytes: DEFAULT_MAX_HEAD_BYTES,
            max_connections: DEFAULT_MAX_CONNECTIONS,
            has_sessions: true,
            max_sessions: DEFAULT_MAX_SESSIONS,
            session_idle: DEFAULT_SESSION_IDLE,
            session_prefix: String::new(),
            max_streams: DEFAULT_MAX_STREAMS,
            max_calls: DEFAULT_MAX_CALLS,
            keep_alive: DEFAULT_KEEP_ALIVE,
            events: Arc::new(MemoryEventStore::default()),
            principal: None,
        }
    }
}

impl Http {
    /// All defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The hosts that requests may be for, by their `Host` header: `mcp.example.com` with any port, or
    /// `mcp.example.com:8443` with that one; `*.example.com` for every host of a domain. Default: the names of the machine
    /// itself, `localhost`, `127.0.0.1` and `[::1]`, and the address that `--http` was given. Those of a list take the place
    /// of the default.
    ///
    /// The check is what keeps a web page from reaching a local server by a name of its own (DNS rebinding).
    #[must_use]
    pub fn allow_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.hosts = Allowed::List(hosts.into_iter().map(Into::into).collect());
        self
    }

    /// Takes requests for every host. Only where something in front of the server checks it, or where nothing that the
    /// tools do is worth protecting.
    #[must_use]
    pub fn allow_any_host(mut self) -> Self {
        self.hosts = Allowed::Any;
        self
    }

    /// The origins of web pages that may send requests, each as a browser writes it: `https://app.example.com`. Default:
    /// every port of `http://localhost`, `http://127.0.0.1` and `http://[::1]`, and the same with `https`. Those of a list
    /// take the place of the default. Programs that are no browsers send no origin and are let in.
    ///
    /// # Spec
    /// 2026-07-28, `basic/transports/streamable-http`, "Security Warning".
    #[must_use]
    pub fn allow_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.origins = Allowed::List(origins.into_iter().map(Into::into).collect());
        self
    }

    /// Takes requests of every web page. Only where something in front of the server checks it.
    #[must_use]
    pub fn allow_any_origin(mut self) -> Self {
        self.origins = Allowed::Any;
        self
    }

    /// The path of the endpoint. Default: [`DEFAULT_PATH`], `/mcp`. A [service](crate::Server::into_service) that is
    /// nested somewhere has the path that it is nested at, and does not look at this.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The largest body of a request, in bytes. A larger one is refused with status 413. Responses are not limited by it.
    /// Default: [`DEFAULT_MAX_BODY_BYTES`], 16 MiB.
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// How long a client may take to send a whole body; then it is refused with status 408. Default:
    /// [`DEFAULT_BODY_TIMEOUT`], 30 seconds.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// How long a client may take to send the head of a request, the time that a connection idles before it included, and
    /// how long it may read nothing of an answer that waits for it; then the connection is closed. Only for
    /// [`Server::serve_http`](crate::Server::serve_http) and `--http`. Default: [`DEFAULT_HEAD_TIMEOUT`], 30 seconds.
    #[must_use]
    pub fn head_timeout(mut self, timeout: Duration) -> Self {
        self.head_timeout = timeout;
        self
    }

    /// About how large the head of a request may be, in bytes, at least 8 KiB; a larger one, or one of more than 100 headers,
    /// gets status 431. Only for [`Server::serve_http`](crate::Server::serve_http) and `--http`. Default: [`DEFAULT_MAX_HEAD_BYTES`], 64 KiB.
    #[must_use]
    pub fn max_head_bytes(mut self, bytes: usize) -> Self {
        self.max_head_bytes = bytes;
        self
    }

    /// How many connections are open at a time, at least 1; further ones wait to be accepted. Only for
    /// [`Server::serve_http`](crate::Server::serve_http) and `--http`. Default: [`DEFAULT_MAX_CONNECTIONS`], 16,384.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections;
        self
    }

    /// Serves clients of the legacy era without sessions: no session ids, no stream of changes, no cancellation, nothing
    /// that has to be remembered between requests, so that any of several servers behind a load balancer can answer.
    /// Default: `initialize` opens a session. The modern era has none in any case.
    #[must_use]
    pub fn without_sessions(mut self) -> Self {
        self.has_sessions = false;
        self
    }

    /// How many sessions are open at a time. For one more, the oldest that was never used after its handshake ends; if there
    /// is none, the client gets status 503. Default: [`DEFAULT_MAX_SESSIONS`], 10,000; an idle one takes about 1 KiB.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions;
        self
    }

    /// How long a session may be idle before it ends: without a request, a running call and a stream. Default:
    /// [`DEFAULT_SESSION_IDLE`], 30 minutes.
    #[must_use]
    pub fn session_idle(mut self, idle: Duration) -> Self {
        self.session_idle = idle;
        self
    }

    /// What the ids of sessions begin with, in visible ASCII, so that what stands in front of several servers can tell which
    /// of them has a session. Default: nothing.
    #[must_use]
    pub fn session_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.session_prefix = prefix.into();
        self
    }

    /// How many streams that tell of changes are open at a time, over all clients; further ones get status 503. Streams
    /// that carry the answer of a call do not count. Default: [`DEFAULT_MAX_STREAMS`], 10,000.
    #[must_use]
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.max_streams = streams;
        self
    }

    /// How many calls run at a time, over all clients, at least 1; further ones wait. Default: [`DEFAULT_MAX_CALLS`],
    /// 1,024. In one session no more run than [`Server::max_calls_in_flight`](crate::Server::max_calls_in_flight).
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// How long an event stream may be silent before it gets a comment line, so that no proxy takes it for dead; and how
    /// long a call may run before its answer becomes an event stream. Default: [`DEFAULT_KEEP_ALIVE`], 15 seconds.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = interval;
        self
    }

    /// Where the events of a session are kept, for a client that has lost its connection and asks for what it has missed.
    /// Default: in memory, see [`MemoryEventStore`].
    #[must_use]
    pub fn event_store(mut self, store: impl EventStore) -> Self {
        self.events = Arc::new(store);
        self
    }

    /// Tells from the head of a request whom it comes from, such as from an extension that an authenticating layer has put
    /// there. A session is then open for its own principal only; to others it does not exist. So is what a call that asks has to
    /// remember between its rounds: without this, whoever holds it can go on with the call. Default: all are the same.
    ///
    /// # Examples
    /// ```
    /// use mcp_runtime::http::Http;
    ///
    /// #[derive(Clone)]
    /// struct User(String);
    ///
    /// let http = Http::new().principal(|request| request.extensions.get::<User>().map(|user| user.0.clone()));
    /// # let _ = http;
    /// ```
    #[must_use]
    pub fn principal(mut self, principal: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static) -> Self {
        self.principal = Some(Arc::new(principal));
        self
    }

    /// Lets requests for this address in, if it is one that the default is about.
    pub(crate) fn bound_to(mut self, address: IpAddr) -> Self {
        if matches!(self.hosts, Allowed::Local) && !address.is_unspecified() {
            let address = match address {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            };
            let local = HostRule::LOOPBACK.iter().map(|&host| host.to_owned());
            self.hosts = Allowed::List(local.chain([address]).collect());
        }
        self
    }

    pub(crate) fn most_calls(&self) -> usize {
        self.max_calls
    }

    pub(crate) fn endpoint_path(&self) -> &str {
        &self.path
    }

    /// What is wrong with the settings.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = self.doors().err().unwrap_or_default();
        if !self.session_prefix.bytes().all(|byte| byte.is_ascii_graphic()) {
            problems.push(format!("`session_prefix`: {:?} has to be of visible ASCII", self.session_prefix));
        }
        if !self.path.starts_with('/') {
            problems.push(format!("`path`: {:?} has to begin with `/`", self.path));
        }
        for (name, duration) in [("keep_alive", self.keep_alive), ("session_idle", self.session_idle)] {
            if duration.is_zero() {
                problems.push(format!("`{name}`: {duration:?} is too short"));
            }
        }
        problems
    }

    /// Puts the checks together.
    ///
    /// # Errors
    /// Names every entry of the lists that is none.
    pub(super) fn doors(&self) -> Result<Doors, Vec<String>> {
        let mut problems = Vec::new();
        let hosts = match &self.hosts {
            Allowed::Local => Some(HostRule::loopback().collect()),
            Allowed::List(hosts) => Some(parse_all(hosts, HostRule::parse, &mut problems)),
            Allowed::Any => None,
        };
        let origins = match &self.origins {
            Allowed::Local => Some(vec![OriginRule::Local]),
            Allowed::List(origins) => Some(parse_all(origins, OriginRule::parse, &mut problems)),
            Allowed::Any => None,
        };
        if problems.is_empty() { Ok(Doors::new(hosts, origins)) } else { Err(problems) }
    }
}

fn parse_all<T>(list: &[String], parse: impl Fn(&str) -> Result<T, String>, problems: &mut Vec<String>) -> Vec<T> {
    list.iter().filter_map(|entry| parse(entry).map_err(|problem| problems.push(problem)).ok()).collect()
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http")
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .field("path", &self.path)
            .field("has_sessions", &self.has_sessions)
            .finish_non_exhaustive()
    }
}
