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
    max_threads: usize,
    reactor: Arc<Reactor>,
    myself: std::sync::Weak<Self>,
}

#[derive(Debug, Default)]
struct Queue {
    ready: VecDeque<Runnable>,
    threads: usize,
    /// The threads with nothing to do. The last is woken first, so that those which a burst has left over stay idle and end,
    /// and the memory that each thread keeps for itself is that of few.
    idle: Vec<Arc<Condvar>>,
}

impl Workers {
    pub(crate) fn new(max_threads: usize, reactor: Arc<Reactor>) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            queue: Mutex::default(),
            max_threads: max_threads.max(1),
            reactor,
            myself: myself.clone(),
        })
    }

    fn push(&self, runnable: Runnable) {
        let mut queue = self.queue();
        queue.ready.push_back(runnable);
        if let Some(bell) = queue.idle.pop() {
            bell.notify_one();
        } else if queue.threads < self.max_threads {
            self.start_thread(&mut queue);
        }
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
        let bell = Arc::new(Condvar::new());
        while let Some(runnable) = self.next(&bell) {
            // The calls catch their own panics; whatever is left must not cost a thread.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| runnable.run())) {
                call::forget(payload);
                tracing::error!("a call has panicked outside of its tool");
            }
        }
    }

    /// Waits for something to do, at a bell that is this thread's own; `None` ends the thread.
    fn next(&self, bell: &Arc<Condvar>) -> Option<Runnable> {
        let mut queue = self.queue();
        loop {
            if let Some(runnable) = queue.ready.pop_front() {
                return Some(runnable);
            }
            queue.idle.push(Arc::clone(bell));
            let is_idle = |queue: &mut Queue| queue.idle.iter().any(|idle| Arc::ptr_eq(idle, bell));
            let waited = bell.wait_timeout_while(queue, KEEP_ALIVE, is_idle);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
            // Whoever rings takes the bell away; what it rang for may have been done by another since.
            if is_idle(&mut queue) {
                queue.idle.retain(|idle| !Arc::ptr_eq(idle, bell));
                queue.threads -= 1;
                return None;
            }
        }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread::{ThreadId, current};

    use super::Workers;
    use crate::executor::reactor::Reactor;

    /// Does something on a worker; the receiver is told which one, once it is done.
    fn run(workers: &Arc<Workers>, work: impl FnOnce() + Send + 'static) -> Receiver<ThreadId> {
        let (sender, receiver) = channel();
        let pushing = Arc::clone(workers);
        let work = async move {
            work();
            sender.send(current().id()).expect("the test waits");
        };
        let (runnable, task) = async_task::spawn(work, move |runnable| pushing.push(runnable));
        task.detach();
        runnable.schedule();
        receiver
    }

    fn wait_until_idle(workers: &Workers, threads: usize) {
        while workers.queue().idle.len() < threads {
            std::thread::yield_now();
        }
    }

    #[test]
    fn leaves_the_threads_idle_that_a_burst_has_started() {
        let workers = Workers::new(3, Arc::new(Reactor::default()));
        let burst: Vec<_> = (0..3)
            .map(|_| {
                let (go_on, waits) = channel::<()>();
                let done = run(&workers, move || waits.recv().expect("the test lets it go on"));
                (go_on, done)
            })
            .collect();
        let mut last = None;
        for (ended, (go_on, done)) in burst.into_iter().enumerate() {
            go_on.send(()).expect("it waits");
            last = done.recv().ok();
            wait_until_idle(&workers, ended + 1);
        }
        for _ in 0..10 {
            assert_eq!(run(&workers, || ()).recv().ok(), last);
            wait_until_idle(&workers, 3);
        }
    }
}
