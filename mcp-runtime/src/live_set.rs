//! What a server has of one kind, to be changed while it serves.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard, Weak};

use crate::changes::{Changes, News};
use crate::error::SetError;
use crate::handler::Surroundings;
use crate::registry::{Entry, Registrable, Registry, Words};

/// A set, as the server itself holds it. Cheap to clone; every clone is the same set.
pub(crate) struct LiveSet<R: Registrable>(Arc<Shared<R>>);

/// The same for those who change it. It ends with the server: a tool that has the set as a state does not keep it.
pub(crate) struct SetHandle<R: Registrable>(Weak<Shared<R>>);

struct Shared<R: Registrable> {
    words: &'static Words,
    started: OnceLock<Started<R>>,
    /// Whether the set may change while the server serves, which clients are told when they connect.
    can_change: AtomicBool,
    changes: Changes,
    /// What clients are told when it has changed.
    news: News,
}

struct Started<R> {
    contents: Contents<R>,
    surroundings: Arc<Surroundings>,
}

/// What the set has.
enum Contents<R> {
    /// It was not given out, so it never changes, and whoever reads it need not lock or keep it.
    Fixed(Registry<R>),
    Live(RwLock<Arc<Registry<R>>>),
}

/// A set as it was when it was read.
pub(crate) enum Reading<'a, R> {
    Fixed(&'a Registry<R>),
    Live(Arc<Registry<R>>),
}

impl<R> Deref for Reading<'_, R> {
    type Target = Registry<R>;

    fn deref(&self) -> &Registry<R> {
        match self {
            Self::Fixed(registry) => registry,
            Self::Live(registry) => registry,
        }
    }
}

impl<R: Registrable> LiveSet<R> {
    /// An empty set, whose changes are `news`.
    pub(crate) fn new(words: &'static Words, changes: Changes, news: News) -> Self {
        let (started, can_change) = (OnceLock::new(), AtomicBool::new(false));
        Self(Arc::new(Shared { words, started, can_change, changes, news }))
    }

    /// Gives the set out, which clients are told when they connect: it may change.
    pub(crate) fn share(&self) -> SetHandle<R> {
        self.0.can_change.store(true, Ordering::Relaxed);
        self.0.changes.expect();
        SetHandle(Arc::downgrade(&self.0))
    }

    /// What one of its things is called.
    pub(crate) fn noun(&self) -> &'static str {
        self.0.words.noun
    }

    pub(crate) fn can_change(&self) -> bool {
        self.0.can_change.load(Ordering::Relaxed)
    }

    /// The set with what it has first.
    pub(crate) fn start(&self, registry: Registry<R>, surroundings: Arc<Surroundings>) {
        let contents =
            if self.can_change() { Contents::Live(RwLock::new(Arc::new(registry))) } else { Contents::Fixed(registry) };
        // A server starts once, so nothing is there yet.
        let _ = self.0.started.set(Started { contents, surroundings });
    }

    /// The set as it is now, whatever becomes of it; `None` before the server has started. Rendering its list runs code of the
    /// user, for which nobody has to wait.
    pub(crate) fn read(&self) -> Option<Reading<'_, R>> {
        Some(match &self.0.started.get()?.contents {
            Contents::Fixed(registry) => Reading::Fixed(registry),
            Contents::Live(registry) => {
                Reading::Live(Arc::clone(&registry.read().unwrap_or_else(PoisonError::into_inner)))
            }
        })
    }

    /// Whether there is something to list, now or later.
    pub(crate) fn is_offered(&self) -> bool {
        self.can_change() || self.read().is_some_and(|registry| !registry.is_empty())
    }
}

impl<R: Registrable> SetHandle<R> {
    /// Adds something at the end, or where `may_replace` in the place of what has its key.
    ///
    /// # Errors
    /// If it cannot be registered, before the server serves, or after its end.
    pub(crate) fn put(&self, source: R::Source, may_replace: bool) -> Result<(), SetError> {
        let refused = |problem: String| SetError { problems: vec![problem] };
        let key = R::source_key(&source);
        let shared =
            self.0.upgrade().ok_or_else(|| refused(format!("the server has ended, so `{key}` is not added")))?;
        let Words { noun, adding, .. } = shared.words;
        let (registry, surroundings) = shared
            .live()
            .ok_or_else(|| refused(format!("the server does not serve yet: add the {noun} `{key}` with `{adding}`")))?;
        let (entry, problems) = Entry::checked(source, surroundings);
        let added = Arc::make_mut(&mut write(registry)).add(entry, problems, may_replace);
        match added {
            Ok(replaced) => drop(replaced),
            Err((refused, problems)) => {
                drop(refused);
                return Err(SetError { problems });
            }
        }
        shared.has_changed();
        Ok(())
    }

    /// Takes something away. Returns whether it was there; before the server serves, nothing is.
    pub(crate) fn remove(&self, key: &str) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        let removed = shared.live().and_then(|(registry, _)| Arc::make_mut(&mut write(registry)).remove(key));
        let was_there = removed.is_some();
        drop(removed);
        if was_there {
            shared.has_changed();
        }
        was_there
    }

    /// Shows or hides something. Returns whether it is there.
    pub(crate) fn set_enabled(&self, key: &str, is_enabled: bool) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        let set =
            shared.live().and_then(|(registry, _)| Arc::make_mut(&mut write(registry)).set_enabled(key, is_enabled));
        if set == Some(true) {
            shared.has_changed();
        }
        set.is_some()
    }

    /// Tells clients of something else than the list, unless the server has ended or does not serve yet.
    pub(crate) fn tell(&self, news: News) {
        if let Some(shared) = self.0.upgrade().filter(|shared| shared.started.get().is_some()) {
            shared.changes.tell(news);
        }
    }
}

impl<R: Registrable> Shared<R> {
    fn has_changed(&self) {
        self.changes.tell(self.news.clone());
    }

    /// What a started set has and what it is checked by, to be changed. One that never changes was given to nobody who could
    /// ask.
    fn live(&self) -> Option<(&RwLock<Arc<Registry<R>>>, &Surroundings)> {
        let Started { contents, surroundings } = self.started.get()?;
        match contents {
            Contents::Fixed(_) => None,
            Contents::Live(registry) => Some((registry, surroundings)),
        }
    }
}

/// Changing a registry runs no code of the user, and what leaves it is dropped later, so it is whole whenever the lock is
/// free.
fn write<R>(registry: &RwLock<Arc<Registry<R>>>) -> RwLockWriteGuard<'_, Arc<Registry<R>>> {
    registry.write().unwrap_or_else(PoisonError::into_inner)
}

impl<R: Registrable> Clone for LiveSet<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R: Registrable> Clone for SetHandle<R> {
    fn clone(&self) -> Self {
        Self(Weak::clone(&self.0))
    }
}

impl<R: Registrable> std::fmt::Debug for LiveSet<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveSet").field("of", &self.0.words.noun).finish_non_exhaustive()
    }
}
