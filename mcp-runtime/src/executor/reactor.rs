//! The tokio runtime that a tool finds itself in: its timers, and its tasks if it spawns some.
//!
//! It has one thread, and only once somebody may need it: the calls themselves run on the workers, and most of them never
//! wait for a timer. The runtime with several threads is not used, since starting it is a tenth of the start of a server.

use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::runtime::{Builder, EnterGuard, Runtime};
use tokio::sync::Notify;

use crate::threads;

/// A runtime that is built when it is first needed, which is not before the first call.
#[derive(Debug, Default)]
pub(crate) struct Reactor {
    runtime: OnceLock<Option<Arc<Runtime>>>,
    is_driven: AtomicBool,
    ended: Arc<Notify>,
}

impl Reactor {
    /// Waits for a future on this thread.
    ///
    /// # Errors
    /// If the runtime cannot be started.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let runtime = self.runtime.get_or_init(build).as_ref().ok_or("cannot start a tokio runtime")?;
        let mut output = None;
        wait_for(runtime, pin!(async { output = Some(future.await) }));
        output.ok_or_else(|| "the runtime has stopped".to_owned())
    }

    /// Makes the runtime the current one of this thread.
    pub(crate) fn enter(&self) -> Option<EnterGuard<'_>> {
        self.runtime.get_or_init(build).as_ref().map(|runtime| runtime.enter())
    }

    /// Gives the runtime a thread that drives its timers and runs its tasks, if it is built and has none yet.
    pub(crate) fn drive(&self) {
        let Some(Some(runtime)) = self.runtime.get() else { return };
        if self.is_driven.swap(true, Ordering::Relaxed) {
            return;
        }
        let (runtime, ended) = (Arc::clone(runtime), Arc::clone(&self.ended));
        let drive = move || {
            wait_for(&runtime, pin!(ended.notified()));
            shut_down(runtime);
        };
        if let Err(error) = threads::start("mcp-tokio", drive) {
            tracing::debug!(%error, "cannot start the thread of the tokio runtime yet");
            self.is_driven.store(false, Ordering::Relaxed);
        }
    }
}

impl Drop for Reactor {
    fn drop(&mut self) {
        self.ended.notify_one();
        if let Some(runtime) = self.runtime.take().flatten() {
            shut_down(runtime);
        }
    }
}

/// Waits for a future of any type: for each of its own the runtime would be compiled once more.
fn wait_for(runtime: &Runtime, future: Pin<&mut dyn Future<Output = ()>>) {
    runtime.block_on(future);
}

/// The last who has the runtime ends it, without waiting for what runs in it: what a tool has spawned may never end.
fn shut_down(runtime: Arc<Runtime>) {
    if let Some(runtime) = Arc::into_inner(runtime) {
        runtime.shutdown_background();
    }
}

fn build() -> Option<Arc<Runtime>> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.inspect_err(|error| tracing::error!(%error, "cannot start a tokio runtime")).ok().map(Arc::new)
}
