//! The tokio runtime that a tool finds itself in: its timers, and its tasks if it spawns some.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use tokio::runtime::{Builder, EnterGuard, Runtime};

use crate::call;

/// Threads of the runtime. They drive timers and what tools spawn; the calls themselves run on the workers.
const THREADS: usize = 2;

/// A runtime that is built when it is first needed, which is not before the first call.
#[derive(Debug, Default)]
pub(crate) struct Reactor(OnceLock<Option<Runtime>>);

impl Reactor {
    /// Waits for a future on this thread.
    ///
    /// # Errors
    /// If the runtime cannot be started.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let runtime = self.0.get_or_init(build).as_ref().ok_or("cannot start a tokio runtime")?;
        Ok(runtime.block_on(future))
    }

    /// Makes the runtime the current one of this thread.
    pub(crate) fn enter(&self) -> Option<EnterGuard<'_>> {
        self.0.get_or_init(build).as_ref().map(Runtime::enter)
    }
}

impl Drop for Reactor {
    /// Does not wait for what runs in the runtime: a task that a tool has spawned may never end.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take().flatten() {
            runtime.shutdown_background();
        }
    }
}

fn build() -> Option<Runtime> {
    let mut builder = Builder::new_multi_thread();
    let build = || builder.worker_threads(THREADS).thread_name("mcp-tokio").enable_all().build();
    // Where no thread can be started, building panics. Tools that need no runtime do without one.
    let runtime = catch_unwind(AssertUnwindSafe(build)).unwrap_or_else(|payload| {
        call::forget(payload);
        Err(std::io::Error::other("no thread can be started"))
    });
    runtime.inspect_err(|error| tracing::error!(%error, "cannot start a tokio runtime")).ok()
}
