//! Serving over HTTP until a signal asks the process to end.

use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::{say, warn_of_no_tools};
use crate::server::Server;

/// Serves at an address, on a runtime of its own.
pub(super) fn serve(server: Server, address: &str) -> Result<(), String> {
    warn_of_no_tools(&server);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start a tokio runtime: {error}"))?;
    let done = runtime.block_on(async {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("cannot listen at `{address}`: {error}"))?;
        let stop = stop().map_err(|error| format!("cannot wait for signals: {error}"))?;
        let bound = listener.local_addr().map_err(|error| format!("cannot tell the address: {error}"))?;
        say(&format!("{} serves the Model Context Protocol at http://{bound}{}", server.info.name, server.http_path()));
        if bound.ip().is_unspecified() {
            tracing::info!("only requests for this machine are served, unless `Server::http` allows other hosts");
        }
        server.serve_http(listener, stop).await.map_err(|error| error.to_string())
    });
    // A tool that never ends must not keep the program.
    runtime.shutdown_background();
    done
}

/// Waits for the first signal that asks the process to end; the second ends it at once.
#[cfg(unix)]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    async fn either(terminate: &mut Signal, interrupt: &mut Signal) -> SignalKind {
        std::future::poll_fn(|cx| {
            for (signal, kind) in
                [(&mut *terminate, SignalKind::terminate()), (&mut *interrupt, SignalKind::interrupt())]
            {
                if signal.poll_recv(cx).is_ready() {
                    return std::task::Poll::Ready(kind);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        either(&mut terminate, &mut interrupt).await;
        drop(tokio::spawn(async move {
            let kind = either(&mut terminate, &mut interrupt).await;
            std::process::exit(128 + kind.as_raw_value());
        }));
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { while tokio::signal::ctrl_c().await.is_err() {} })
}
