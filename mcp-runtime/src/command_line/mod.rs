//! The command line of a server: serving stdin and stdout, and trying the tools from a terminal.

#[cfg(feature = "http")]
mod http;
mod loopback;
mod options;
mod terminal;

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use self::options::{Command, Inquiry};
use crate::error::ServeError;
use crate::executor::reactor::Reactor;
use crate::handle::ServerHandle;
use crate::protocol::Revision;
use crate::server::Server;
use crate::{executor, handler_call, log, panic_hook, stderr};

/// Does what the arguments ask for.
pub(crate) fn run(server: Server, args: Vec<OsString>) -> ExitCode {
    let options = match options::parse(args) {
        Ok(options) => options,
        Err(problem) => {
            say(&format!("error: {problem}\n`--help` shows what can be written"));
            return ExitCode::from(2);
        }
    };
    if options.command == Command::Serve {
        stderr::never_wait();
        panic_hook::install();
    }
    log::install(options.trace, server.events_for_clients());
    let done = match options.command {
        Command::Help => {
            terminal::print(&options::usage(&server.info));
            Ok(())
        }
        Command::Version => {
            terminal::print(&format!("{} {}", server.info.name, server.info.version));
            Ok(())
        }
        _ if tokio::runtime::Handle::try_current().is_ok() => Err("`run` builds an async runtime of its own, so it \
             cannot be called inside of one: make `main` a plain `fn`, or await `Server::serve` instead"
            .to_owned()),
        Command::Serve => serve(server),
        #[cfg(feature = "http")]
        Command::ServeHttp(address) => http::serve(server, &address),
        #[cfg(not(feature = "http"))]
        Command::ServeHttp(_) => Err("this program is built without HTTP: its manifest needs \
             `mcp-runtime = { …, features = [\"http\"] }`"
            .to_owned()),
        Command::Ask(inquiry) => ask(server, &inquiry, options.revision),
    };
    if let Err(problem) = &done {
        say(&format!("error: {problem}"));
    }
    stderr::drain();
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says something on stderr.
fn say(text: &str) {
    stderr::write(&format!("{text}\n"));
}

fn serve(server: Server) -> Result<(), String> {
    if std::io::stdin().is_terminal() {
        say(&format!(
            "{} serves the Model Context Protocol: a client is expected on stdin, one JSON-RPC message a line. \
             `--help` shows what else it can do; end the input to leave.",
            server.info.name
        ));
    }
    warn_of_no_tools(&server);
    let reactor = Arc::new(Reactor::default());
    let server = start(server, &reactor)?;
    let result = executor::serve_stdio(&server, Arc::clone(&reactor));
    if server.has_shutdown_hooks() {
        reactor.block_on(server.shut_down())?;
    }
    let_go(server);
    result.map_err(|error| ServeError::Io(error).to_string())
}

/// Asks the server something, as a client would, and prints the answer.
fn ask(server: Server, inquiry: &Inquiry, revision: Revision) -> Result<(), String> {
    if *inquiry == Inquiry::List && !server.offers_anything() {
        return Err(terminal::has_no("tools"));
    }
    let reactor = Arc::new(Reactor::default());
    let server = start(server, &reactor)?;
    let done = terminal::ask(loopback::connect(&server, &reactor, revision), inquiry);
    let_go(server);
    done
}

/// Puts the server together.
fn start(server: Server, reactor: &Reactor) -> Result<ServerHandle, String> {
    let needs_runtime = server.needs_runtime();
    let start: Pin<Box<dyn Future<Output = _>>> = Box::pin(server.start());
    let started = if needs_runtime {
        let started = reactor.block_on(start)?;
        // What a state has spawned goes on.
        reactor.drive();
        started
    } else {
        ready(start)
    };
    started.map_err(|error| error.to_string())
}

/// The states of the user are dropped here, unless a call that was given up still holds them.
fn let_go(server: ServerHandle) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(server))) {
        handler_call::forget(payload);
        tracing::error!("a destructor panicked at the end");
    }
}

fn warn_of_no_tools(server: &Server) {
    if !server.offers_anything() {
        tracing::warn!("the server has no tools: add them with `.tools(tools![…])`");
    }
}

/// The output of a future that does not wait.
fn ready<T>(mut future: Pin<Box<dyn Future<Output = T>>>) -> T {
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}
