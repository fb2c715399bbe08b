//! Telling clients of changes to the server: at once, or together with what else changes soon.
//!
//! Spec: 2026-07-28, `basic/patterns/subscriptions`.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::threads;

/// How long clients are left alone after they were told of a change. Further changes within that time are told together
/// at its end.
const QUIET_TIME: Duration = Duration::from_millis(50);

/// What has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct News {
    /// The list of tools.
    pub(crate) tools: bool,
    /// The list of prompts.
    pub(crate) prompts: bool,
    /// The lists of resources and of their templates.
    pub(crate) resources: bool,
    /// The contents of these resources.
    pub(crate) updated: BTreeSet<Arc<str>>,
}

impl News {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn add(&mut self, news: News) {
        self.tools |= news.tools;
        self.prompts |= news.prompts;
        self.resources |= news.resources;
        self.updated.extend(news.updated);
    }
}

/// A connection whose client may want to know of changes.
pub(crate) trait Listener: Send + Sync {
    fn changed(&self, news: &News);
}

/// All who want to know of changes. Cheap to clone; every clone is the same.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Whether anything may change while the server serves.
    can_change: AtomicBool,
    listeners: Mutex<Vec<Weak<dyn Listener>>>,
    telling: Mutex<Telling>,
}

/// When clients were told of a change.
#[derive(Default)]
struct Telling {
    last: Option<Instant>,
    /// Whether they will be told at the end of the quiet time.
    is_planned: bool,
    /// What they will be told then.
    news: News,
}

impl Changes {
    /// From here on, changes have to be expected.
    pub(crate) fn expect(&self) {
        self.0.can_change.store(true, Ordering::Relaxed);
    }

    pub(crate) fn are_expected(&self) -> bool {
        self.0.can_change.load(Ordering::Relaxed)
    }

    /// Tells the listener of every change, for as long as it lives.
    pub(crate) fn listen(&self, listener: Weak<dyn Listener>) {
        let mut listeners = self.listeners();
        // Not at each: a server with many sessions would look through all of them for every new one.
        if listeners.len() == listeners.capacity() {
            listeners.retain(|listener| listener.strong_count() > 0);
        }
        listeners.push(listener);
    }

    /// Tells the clients at once, or together with what else changes soon.
    pub(crate) fn tell(&self, news: News) {
        let quiet = {
            let mut telling = self.telling();
            telling.news.add(news);
            if telling.is_planned {
                return;
            }
            let quiet = telling.last.and_then(|last| QUIET_TIME.checked_sub(last.elapsed()));
            telling.is_planned = quiet.is_some();
            quiet
        };
        let Some(quiet) = quiet else { return self.tell_now() };
        let changes = self.clone();
        // A thread, since the server may be without a runtime, and a burst of changes is rare. It lives for the quiet time.
        let planned = threads::start("mcp-changes", move || {
            std::thread::sleep(quiet);
            changes.tell_now();
        });
        if let Err(error) = planned {
            tracing::debug!(%error, "cannot start a thread to wait with");
            self.tell_now();
        }
    }

    fn tell_now(&self) {
        let news = {
            let mut telling = self.telling();
            let news = std::mem::take(&mut telling.news);
            *telling = Telling { last: Some(Instant::now()), ..Telling::default() };
            news
        };
        // Telling may end a connection, and a new one may want to listen.
        let listeners = self.listeners().clone();
        for listener in listeners.iter().filter_map(Weak::upgrade) {
            listener.changed(&news);
        }
    }

    /// Nothing panics under either lock.
    fn listeners(&self) -> MutexGuard<'_, Vec<Weak<dyn Listener>>> {
        self.0.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn telling(&self) -> MutexGuard<'_, Telling> {
        self.0.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Changes").field("are_expected", &self.are_expected()).finish_non_exhaustive()
    }
}
