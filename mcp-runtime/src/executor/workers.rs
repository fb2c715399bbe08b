//! Threads that go on with the calls that have to wait.
//!
//! A thread is started when a call can go on and every thread is busy, so that a call that blocks its thread delays no
//! other until as many block as there may be threads.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_task::Runnable;

use super::reactor::Reactor;
use crate::call::{self, ToolCall};
use crate::run::{Run, Spawn};

/// How long a thread with nothing to do is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The threads, and what they have to do.
#[derive(Debug)]
pub(crate) struct Workers {
    queue: Mutex<Queue>,
    /// Told when there is something to do.
    ready: Condvar,
    max_threads: usize,
    reactor: Arc<Reactor>,
    myself: std::sync::Weak<Self>,
}

#[derive(Debug, Default)]
struct Queue {
    ready: VecDeque<Runnable>,
    threads: usize,
    idle: usize,
}

impl Workers {
    pub(crate) fn new(max_threads: usize, reactor: Arc<Reactor>) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            queue: Mutex::default(),
            ready: Condvar::new(),
            max_threads: max_threads.max(1),
            reactor,
            myself: myself.clone(),
        })
    }

    fn push(&self, runnable: Runnable) {
        let mut queue = self.queue();
        queue.ready.push_back(runnable);
        if queue.ready.len() > queue.idle && queue.threads < self.max_threads {
            self.start_thread(&mut queue);
        }
        self.ready.notify_one();
    }

    fn start_thread(&self, queue: &mut Queue) {
        let Some(workers) = self.myself.upgrade() else { return };
        match std::thread::Builder::new().name("mcp-worker".into()).spawn(move || workers.work()) {
            Ok(_) => queue.threads += 1,
            // The threads there are will come to it; without any, the next call tries again.
            Err(error) => tracing::error!(%error, threads = queue.threads, "cannot start a worker thread"),
        }
    }

    fn work(&self) {
        let _context = self.reactor.enter();
        self.reactor.drive();
        while let Some(runnable) = self.next() {
            // The calls catch their own panics; whatever is left must not cost a thread.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| runnable.run())) {
                call::forget(payload);
                tracing::error!("a call has panicked outside of its tool");
            }
        }
    }

    /// Waits for something to do; `None` ends the thread.
    fn next(&self) -> Option<Runnable> {
        let mut queue = self.queue();
        queue.idle += 1;
        let nothing = |queue: &mut Queue| queue.ready.is_empty();
        let waited = self.ready.wait_timeout_while(queue, KEEP_ALIVE, nothing);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.idle -= 1;
        let runnable = queue.ready.pop_front();
        if runnable.is_none() {
            queue.threads -= 1;
        }
        runnable
    }

    /// Nothing runs under the lock that could panic.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spawn for Workers {
    fn spawn(&self, call: ToolCall, run: Run) {
        let Some(workers) = self.myself.upgrade() else { return };
        let (runnable, task) = async_task::spawn(run.finish(call), move |runnable| workers.push(runnable));
        // The table of calls owns it: whoever wants it to end asks there.
        task.detach();
        runnable.schedule();
    }
}
