//! The command line of a server: serving stdin and stdout, and trying the tools from a terminal.

#[cfg(feature = "http")]
mod http;
mod options;
mod terminal;

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use self::options::Command;
use crate::error::ServeError;
use crate::executor::reactor::Reactor;
use crate::server::Server;
use crate::{executor, handler_call, log, panic_hook, stderr};

/// Does what the arguments ask for.
pub(crate) fn run(server: Server, args: Vec<OsString>) -> ExitCode {
    let options = match options::parse(args) {
        Ok(options) => options,
        Err(problem) => {
            say(&format!("error: {problem}\n\n{}", options::usage(&server.info)));
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
        Command::List => block_on(terminal::list(server, options.revision)),
        Command::Call { tool, arguments } => block_on(terminal::call(server, &tool, arguments, options.revision)),
        Command::Read { uri } => block_on(terminal::read(server, &uri, options.revision)),
        Command::Get { prompt, arguments } => block_on(terminal::get(server, &prompt, arguments, options.revision)),
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
    let reactor = Reactor::default();
    let started = if server.needs_runtime() {
        let started = reactor.block_on(server.start())?;
        // What a state has spawned goes on.
        reactor.drive();
        started
    } else {
        ready(server.start())
    };
    let server = started.map_err(|error| error.to_string())?;
    let reactor = Arc::new(reactor);
    let result = executor::serve_stdio(&server, Arc::clone(&reactor));
    if server.has_shutdown_hooks() {
        reactor.block_on(server.shut_down())?;
    }
    // The states of the user are dropped here, unless a call that was given up still holds them.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(server))) {
        handler_call::forget(payload);
        tracing::error!("a destructor panicked at the end");
    }
    result.map_err(|error| ServeError::Io(error).to_string())
}

fn warn_of_no_tools(server: &Server) {
    if !server.offers_anything() {
        tracing::warn!("the server has no tools: add them with `.tools(tools![…])`");
    }
}

/// The output of a future that does not wait.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn block_on(work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start a tokio runtime: {error}"))?;
    let done = runtime.block_on(work);
    // A tool that never ends must not keep the program.
    runtime.shutdown_background();
    done
}
