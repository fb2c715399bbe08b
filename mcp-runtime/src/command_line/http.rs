//! Serving over HTTP until a signal asks the process to end.

use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::{say, warn_of_no_tools};
use crate::http;
use crate::server::Server;

/// Serves at an address, on a runtime of its own.
pub(super) fn serve(server: Server, address: &str) -> Result<(), String> {
    warn_of_no_tools(&server);
    // A thread for each call that blocks, and some for what else blocks.
    let blocking_threads = server.http_max_calls().saturating_add(64);
    let runtime = Builder::new_multi_thread().enable_all().max_blocking_threads(blocking_threads).build();
    let runtime = runtime.map_err(|error| format!("cannot start a tokio runtime: {error}"))?;
    let done = runtime.block_on(async {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("cannot listen at `{address}`: {error}"))?;
        let stop = stop().map_err(|error| format!("cannot wait for signals: {error}"))?;
        let bound = listener.local_addr().map_err(|error| format!("cannot tell the address: {error}"))?;
        let (name, path) = (server.info.name.clone(), server.http_path().to_owned());
        let service = server.into_service_at(&listener).await.map_err(|error| error.to_string())?;
        say(&format!("{name} serves the Model Context Protocol at http://{bound}{path}"));
        if bound.ip().is_unspecified() {
            tracing::info!("only requests for this machine are served, unless `Server::http` allows other hosts");
        }
        http::server::serve(listener, service, stop).await;
        Ok(())
    });
    // A tool that never ends must not keep the program.
    runtime.shutdown_background();
    done
}

/// Waits for the first signal that asks the process to end. The second ends it at once, whatever blocks the runtime.
#[cfg(unix)]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::task::Poll;

    use tokio::signal::unix::{SignalKind, signal};

    use crate::signals;

    let (has_come, mut ending) = (Arc::new(AtomicBool::new(false)), Vec::new());
    for number in signals::ENDING {
        signals::end_at_second(number, &has_come)?;
        ending.push(signal(SignalKind::from_raw(number))?);
    }
    Ok(async move {
        poll_fn(|cx| {
            let has_come = ending.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
            if has_come { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { while tokio::signal::ctrl_c().await.is_err() {} })
}
