//! Changing the tools of a server while it serves.
//!
//! Spec: 2026-07-28, `server/tools`, "List Changed Notification".

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};
use std::time::{Duration, Instant};

use super::Surroundings;
use super::registry::{Entry, Registry};
use super::value::Tool;
use crate::error::ToolSetError;

/// How long clients are left alone after they were told of a change. Further changes within that time are told together
/// at its end.
const QUIET_TIME: Duration = Duration::from_millis(50);

/// The tools of a server, to change them while it serves: [`Server::tool_set`](crate::Server::tool_set) gives it out. Cheap
/// to clone; every clone is the same set.
///
/// The set is that of the server, never of one connection. Clients that want to know are told of each change, of several
/// in a row once. A call that runs is not touched by any of them.
///
/// # Examples
/// A tool that brings another one along:
/// ```
/// use mcp_runtime::{Server, State, Tool, ToolSet, ToolSetError, tool, tools};
///
/// /// Make a tool that says something.
/// #[tool]
/// fn teach(name: String, words: String, set: &State<ToolSet>) -> Result<(), ToolSetError> {
///     let say = move |_: serde_json::Value, _| {
///         let words = words.clone();
///         async move { Ok::<_, std::convert::Infallible>(words) }
///     };
///     set.add(Tool::builder(name).input_schema(serde_json::json!({ "type": "object" })).handler(say))
/// }
///
/// let mut server = Server::new("parrot", "1.0.0").tools(tools![teach]);
/// let set = server.tool_set();
/// let server = server.state(set);
/// # let _ = server;
/// ```
#[derive(Clone)]
pub struct ToolSet(Weak<Shared>);

/// The same for the server itself, which the set ends with: a tool that has the set as a state does not keep it.
#[derive(Clone, Default)]
pub(crate) struct Tools(Arc<Shared>);

#[derive(Default)]
struct Shared {
    started: OnceLock<Started>,
    /// Whether the set may change while the server serves, which clients are told when they connect.
    can_change: AtomicBool,
    listeners: Mutex<Vec<Weak<dyn Listener>>>,
    telling: Mutex<Telling>,
}

struct Started {
    registry: RwLock<Registry>,
    surroundings: Arc<Surroundings>,
}

/// When clients were told of a change.
#[derive(Default)]
struct Telling {
    last: Option<Instant>,
    /// Whether they will be told at the end of the quiet time.
    is_planned: bool,
}

/// A connection whose client may want to know of changes.
pub(crate) trait Listener: Send + Sync {
    fn tools_changed(&self);
}

#[expect(clippy::must_use_candidate, reason = "whether a tool was there matters to few")]
impl ToolSet {
    /// Adds a tool at the end of the list.
    ///
    /// # Errors
    /// If the tool cannot be registered, such as where its name is taken, or if the server has ended. Before the server
    /// serves, [`Server::tools`] is the way to add tools, and this fails.
    ///
    /// [`Server::tools`]: crate::Server::tools
    pub fn add(&self, tool: impl Into<Tool>) -> Result<(), ToolSetError> {
        self.put(tool.into(), false)
    }

    /// Adds a tool, in the place of the one that has its name if there is one. Where that is hidden, so is the new one.
    ///
    /// # Errors
    /// Like [`add`](Self::add), but that the name may be taken.
    pub fn replace(&self, tool: impl Into<Tool>) -> Result<(), ToolSetError> {
        self.put(tool.into(), true)
    }

    fn put(&self, tool: Tool, may_replace: bool) -> Result<(), ToolSetError> {
        let not_now = |why: &str| ToolSetError { problems: vec![format!("{why}: `{}` is not added", tool.name())] };
        let shared = self.0.upgrade().ok_or_else(|| not_now("the server has ended"))?;
        let started = shared.started.get();
        let started = started.ok_or_else(|| not_now("the server does not serve yet, so use `Server::tools`"))?;
        let (entry, problems) = Entry::checked(tool, &started.surroundings);
        let added = started.write().add(entry, problems, may_replace);
        match added {
            Ok(replaced) => drop(replaced),
            Err((refused, problems)) => {
                drop(refused);
                return Err(ToolSetError { problems });
            }
        }
        Tools(Arc::clone(&shared)).changed();
        Ok(())
    }

    /// Takes a tool away. Returns whether it was there; before the server serves, none is.
    pub fn remove(&self, name: &str) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        let removed = shared.started.get().and_then(|started| started.write().remove(name));
        let was_there = removed.is_some();
        drop(removed);
        if was_there {
            Tools(shared).changed();
        }
        was_there
    }

    /// Shows a tool that was hidden. Returns whether there is a tool of that name; before the server serves, there is none.
    pub fn enable(&self, name: &str) -> bool {
        self.set_enabled(name, true)
    }

    /// Hides a tool: it is neither listed nor can it be called, until it is enabled again. Returns whether there is a tool
    /// of that name; before the server serves, there is none.
    pub fn disable(&self, name: &str) -> bool {
        self.set_enabled(name, false)
    }

    fn set_enabled(&self, name: &str, is_enabled: bool) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        let set = shared.started.get().and_then(|started| started.write().set_enabled(name, is_enabled));
        if set == Some(true) {
            Tools(shared).changed();
        }
        set.is_some()
    }
}

impl Tools {
    /// Gives the set out, which clients are told when they connect: it may change.
    pub(crate) fn share(&self) -> ToolSet {
        self.0.can_change.store(true, Ordering::Relaxed);
        ToolSet(Arc::downgrade(&self.0))
    }

    pub(crate) fn can_change(&self) -> bool {
        self.0.can_change.load(Ordering::Relaxed)
    }

    /// The set with its first tools.
    pub(crate) fn start(&self, registry: Registry, surroundings: Arc<Surroundings>) {
        // A server starts once, so nothing is there yet.
        let _ = self.0.started.set(Started { registry: RwLock::new(registry), surroundings });
    }

    /// Looks at the tools; `None` before the server has started.
    pub(crate) fn read(&self) -> Option<RwLockReadGuard<'_, Registry>> {
        Some(self.0.started.get()?.registry.read().unwrap_or_else(PoisonError::into_inner))
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
    fn changed(&self) {
        let quiet = {
            let mut telling = self.telling();
            if telling.is_planned {
                return;
            }
            let quiet = telling.last.and_then(|last| QUIET_TIME.checked_sub(last.elapsed()));
            telling.is_planned = quiet.is_some();
            if quiet.is_none() {
                telling.last = Some(Instant::now());
            }
            quiet
        };
        let Some(quiet) = quiet else { return self.tell() };
        let tools = self.clone();
        let thread = std::thread::Builder::new().name("mcp-changes".into());
        // A thread, since the server may be without a runtime, and a burst of changes is rare. It lives for the quiet time.
        let planned = thread.spawn(move || {
            std::thread::sleep(quiet);
            tools.tell_as_planned();
        });
        if let Err(error) = planned {
            tracing::debug!(%error, "cannot start a thread to wait with");
            self.tell_as_planned();
        }
    }

    fn tell_as_planned(&self) {
        *self.telling() = Telling { last: Some(Instant::now()), is_planned: false };
        self.tell();
    }

    fn tell(&self) {
        // Telling may end a connection, and a new one may want to listen.
        let listeners = self.listeners().clone();
        for listener in listeners.iter().filter_map(Weak::upgrade) {
            listener.tools_changed();
        }
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Weak<dyn Listener>>> {
        self.0.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn telling(&self) -> MutexGuard<'_, Telling> {
        self.0.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Started {
    /// Changing a registry runs no code of the user, and what leaves it is dropped later, so it is whole whenever the lock
    /// is free.
    fn write(&self) -> RwLockWriteGuard<'_, Registry> {
        self.registry.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSet").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tools").field("can_change", &self.can_change()).finish_non_exhaustive()
    }
}
