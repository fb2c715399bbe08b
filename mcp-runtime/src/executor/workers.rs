//! Threads that go on with the calls that have to wait.
//!
//! A few threads are started as calls come. Further ones are started when a call that can go on has waited for a moment, so
//! that a call that blocks its thread delays no other for longer, until as many block as there may be threads. Most calls go
//! on for microseconds, and hundreds that do so at once need no threads of their own: each keeps memory for itself.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_task::Runnable;

use super::reactor::Reactor;
use crate::handler_call::{self, HandlerCall};
use crate::run::{Run, Spawn};
use crate::threads;

/// How long a thread with nothing to do is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// How many threads are started without waiting whether those there are come to it.
const EAGER_THREADS: usize = 4;

/// How long a call that can go on waits for a thread before one more is started.
const PATIENCE: Duration = Duration::from_millis(5);

/// The threads, and what they have to do.
#[derive(Debug)]
pub(crate) struct Workers {
    queue: Mutex<Queue>,
    /// Told when something has to wait for a thread.
    waits: Condvar,
    max_threads: usize,
    reactor: Arc<Reactor>,
    myself: std::sync::Weak<Self>,
}

#[derive(Debug, Default)]
struct Queue {
    ready: VecDeque<Runnable>,
    /// How many were taken from there since the overseer has looked.
    taken: usize,
    threads: usize,
    overseer: Overseer,
    /// The threads with nothing to do. The last is woken first, so that those which a burst has left over stay idle and end,
    /// and the memory that each thread keeps for itself is that of few.
    idle: Vec<Arc<Condvar>>,
}

/// The thread that starts further ones.
#[derive(Debug, Default, PartialEq)]
enum Overseer {
    #[default]
    Absent,
    Asleep,
    Looking,
}

impl Workers {
    pub(crate) fn new(max_threads: usize, reactor: Arc<Reactor>) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            queue: Mutex::default(),
            waits: Condvar::new(),
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
        } else if queue.threads < self.max_threads.min(EAGER_THREADS) {
            self.start_worker(&mut queue);
        } else if queue.threads < self.max_threads {
            self.call_overseer(&mut queue);
        }
    }

    fn start_worker(&self, queue: &mut Queue) -> bool {
        let started = self.start_thread("mcp-worker", Self::work, queue.threads);
        queue.threads += usize::from(started);
        started
    }

    fn call_overseer(&self, queue: &mut Queue) {
        match queue.overseer {
            Overseer::Absent if !self.start_thread("mcp-overseer", Self::oversee, queue.threads) => return,
            Overseer::Absent | Overseer::Looking => {}
            Overseer::Asleep => self.waits.notify_one(),
        }
        queue.overseer = Overseer::Looking;
    }

    /// Returns whether there is a thread more.
    fn start_thread(&self, name: &str, work: fn(&Self), workers: usize) -> bool {
        let Some(myself) = self.myself.upgrade() else { return false };
        let started = threads::start(name, move || work(&myself));
        // The threads there are will come to it; without any, the next call tries again.
        started.inspect_err(|error| tracing::error!(%error, workers, "cannot start a thread")).is_ok()
    }

    /// Looks again and again while something waits: starts a thread for what has waited since the last look, and at each
    /// further look twice as many, up to one for each that waits.
    fn oversee(&self) {
        let mut queue = self.queue();
        while queue.overseer == Overseer::Looking {
            let (mut at_once, mut can_start) = (1, true);
            while can_start && !queue.ready.is_empty() && queue.threads < self.max_threads {
                let waiting = queue.ready.len();
                queue.taken = 0;
                drop(queue);
                std::thread::sleep(PATIENCE);
                queue = self.queue();
                let late = waiting.saturating_sub(queue.taken);
                let count = late.min(at_once).min(self.max_threads.saturating_sub(queue.threads));
                can_start = (0..count).all(|_| self.start_worker(&mut queue));
                at_once = if late > at_once { 2 * at_once } else { 1 };
            }
            queue.overseer = Overseer::Asleep;
            let sleeps = |queue: &mut Queue| queue.overseer == Overseer::Asleep;
            queue = self.waits.wait_timeout_while(queue, KEEP_ALIVE, sleeps).unwrap_or_else(PoisonError::into_inner).0;
        }
        queue.overseer = Overseer::Absent;
    }

    fn work(&self) {
        let _context = self.reactor.enter();
        self.reactor.drive();
        let bell = Arc::new(Condvar::new());
        while let Some(runnable) = self.next(&bell) {
            // The calls catch their own panics; whatever is left must not cost a thread.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| runnable.run())) {
                handler_call::forget(payload);
                tracing::error!("a call has panicked outside of its tool");
            }
        }
    }

    /// Waits for something to do, at a bell that is this thread's own; `None` ends the thread.
    fn next(&self, bell: &Arc<Condvar>) -> Option<Runnable> {
        let mut queue = self.queue();
        loop {
            if let Some(runnable) = queue.ready.pop_front() {
                queue.taken = queue.taken.saturating_add(1);
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
    fn spawn(&self, call: HandlerCall, run: Run) {
        let Some(workers) = self.myself.upgrade() else { return };
        let (runnable, task) = async_task::spawn(run.finish(call), move |runnable| workers.push(runnable));
        // The table of calls owns it: whoever wants it to end asks there.
        task.detach();
        runnable.schedule();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::sync::{Arc, Barrier};
    use std::thread::{ThreadId, current};

    use super::{EAGER_THREADS, Workers};
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
    fn starts_a_thread_for_each_call_that_blocks() {
        const CALLS: usize = 5 * EAGER_THREADS;
        let workers = Workers::new(CALLS, Arc::new(Reactor::default()));
        let all = Arc::new(Barrier::new(CALLS));
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                let all = Arc::clone(&all);
                run(&workers, move || _ = all.wait())
            })
            .collect();
        for done in calls {
            done.recv().expect("it ends");
        }
        assert_eq!(workers.queue().threads, CALLS);
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
