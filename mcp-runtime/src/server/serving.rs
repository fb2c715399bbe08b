//! The ways of serving, one of which ends the chain of the builder.

use std::ffi::OsString;
use std::process::ExitCode;

use super::Server;
use crate::client::{Answers, Client, ClientError, Question};
use crate::command_line;
use crate::error::{ServeError, StartError};
use crate::handle::ServerHandle;
#[cfg(feature = "http")]
use crate::http::{self, HttpService};
use crate::protocol::Revision;
use crate::transport::{Transport, memory};

impl Server {
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
        self.connect_in_memory(revision).await?.open().await
    }

    /// Like [`connect_as`](Self::connect_as), with a client that can be asked everything: `answer` makes the result of each
    /// question. Only a server with the feature `ask` asks any.
    ///
    /// # Errors
    /// If the server is not put together right.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "ask")]
    /// # mod asking {
    /// use mcp_runtime::{AskError, Context, Form, Revision, Server, tool, tools};
    /// use serde_json::json;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema, Form)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// /// Greet the user.
    /// #[tool]
    /// async fn greet(ctx: &Context) -> Result<String, AskError> {
    ///     let Name { name } = ctx.elicit("name", "Your name?").await?;
    ///     Ok(format!("Hello, {name}!"))
    /// }
    ///
    /// pub async fn greets() -> Result<(), mcp_runtime::ClientError> {
    ///     for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
    ///         let server = Server::new("greeter", "1.0.0").tools(tools![greet]);
    ///         let answer = |_: &_| json!({ "action": "accept", "content": { "name": "Ada" } });
    ///         let mut client = server.connect_answering(revision, answer).await?;
    ///         let result = client.call_tool("greet", json!({})).await?;
    ///         assert_eq!(result["content"][0]["text"], "Hello, Ada!");
    ///     }
    ///     Ok(())
    /// }
    /// # }
    /// # #[cfg(feature = "ask")]
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(asking::greets())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn connect_answering(
        self,
        revision: Revision,
        answer: impl FnMut(&Question) -> serde_json::Value + Send + 'static,
    ) -> Result<Client, ClientError> {
        self.connect_in_memory(revision).await?.answering(Answers::new(answer)).open().await
    }

    async fn connect_in_memory(self, revision: Revision) -> Result<Client, ClientError> {
        let server = self.start().await?;
        let (ours, theirs) = memory::pair();
        // It ends with the connection, which the client holds.
        drop(tokio::spawn(async move {
            let result = server.serve(theirs).await;
            server.shut_down().await;
            result.inspect_err(|error| tracing::debug!(%error, "serving in memory has failed"))
        }));
        Ok(Client::new(ours, revision))
    }
}
