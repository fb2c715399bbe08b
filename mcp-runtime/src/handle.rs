//! A server that is put together and serves.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use crate::dispatch::Dispatch;
use crate::error::ServeError;
use crate::limits::Limits;
use crate::serve;
use crate::transport::Transport;

/// Runs after the server has served.
pub(crate) type Hook = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// What a server is once it is put together.
pub(crate) struct Assembled {
    pub(crate) dispatch: Arc<Dispatch>,
    pub(crate) limits: Limits,
    pub(crate) shutdown_hooks: Vec<Hook>,
}

/// A server that is put together, to serve as many connections as come. Cheap to clone; every clone is the same server.
///
/// # Examples
/// ```
/// use mcp_runtime::{Server, StartError, tool, tools};
/// use tokio::io::{DuplexStream, split};
/// use tokio::sync::mpsc;
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i32, b: i32) -> i64 {
///     i64::from(a) + i64::from(b)
/// }
///
/// async fn serve_all(mut connections: mpsc::Receiver<DuplexStream>) -> Result<(), StartError> {
///     let server = Server::new("adder", "1.0.0").tools(tools![add]).start().await?;
///     while let Some(connection) = connections.recv().await {
///         let server = server.clone();
///         tokio::spawn(async move { server.serve(split(connection)).await });
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct ServerHandle {
    dispatch: Arc<Dispatch>,
    limits: Limits,
    shutdown_hooks: Arc<Mutex<Vec<Hook>>>,
}

impl std::fmt::Debug for ServerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerHandle").field("info", &self.dispatch.info).finish_non_exhaustive()
    }
}

impl ServerHandle {
    pub(crate) fn new(assembled: Assembled) -> Self {
        let Assembled { dispatch, limits, shutdown_hooks } = assembled;
        Self { dispatch, limits, shutdown_hooks: Arc::new(Mutex::new(shutdown_hooks)) }
    }

    pub(crate) fn dispatch(&self) -> &Arc<Dispatch> {
        &self.dispatch
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Serves one connection, like [`Server::serve`](crate::Server::serve).
    ///
    /// # Errors
    /// If reading or writing fails.
    ///
    /// # Cancel safety
    /// Dropping the future ends the connection and cancels its calls.
    pub async fn serve(&self, transport: impl Transport) -> Result<(), ServeError> {
        let (reader, writer) = transport.split();
        Ok(serve::serve(Arc::clone(&self.dispatch), self.limits.clone(), reader, writer).await?)
    }

    /// Runs what was given to [`Server::on_shutdown`](crate::Server::on_shutdown), in order; a second time there is
    /// nothing left to run. Connections are not ended by it.
    pub async fn shut_down(&self) {
        let hooks = std::mem::take(&mut *self.shutdown_hooks.lock().unwrap_or_else(PoisonError::into_inner));
        for hook in hooks {
            hook().await;
        }
    }

    pub(crate) fn has_shutdown_hooks(&self) -> bool {
        !self.shutdown_hooks.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}
