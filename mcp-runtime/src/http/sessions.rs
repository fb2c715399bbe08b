//! The sessions that are open, by their ids, and their end when nobody uses them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::session::{InUse, Session};

/// How many bytes of randomness an id has.
const ID_BYTES: usize = 16;

/// The open sessions.
pub(super) struct Sessions {
    limit: usize,
    max_idle: Duration,
    /// What all ids begin with.
    prefix: String,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    sessions: HashMap<Arc<str>, Arc<Session>>,
    /// Whether a task looks after idle sessions.
    is_swept: bool,
}

impl Sessions {
    pub(super) fn new(limit: usize, max_idle: Duration, prefix: String) -> Self {
        Self { limit, max_idle, prefix, table: Mutex::default() }
    }

    /// Opens a session under a new id; `None` if there are too many, or if the system has no randomness.
    pub(super) fn open(self: &Arc<Self>, make: impl FnOnce(Arc<str>) -> Session) -> Option<Arc<Session>> {
        let id = new_id(&self.prefix)?;
        let mut ended = Vec::new();
        let mut table = self.table();
        if table.sessions.len() >= self.limit {
            ended = table.take_idle(self.max_idle);
            if ended.is_empty() {
                ended.extend(table.take_unused());
            }
        }
        let opened = (table.sessions.len() < self.limit).then(|| {
            let session = Arc::new(make(Arc::clone(&id)));
            table.sessions.insert(id, Arc::clone(&session));
            if !table.is_swept {
                table.is_swept = true;
                drop(tokio::spawn(sweep(Arc::downgrade(self), self.max_idle)));
            }
            session
        });
        drop(table);
        end_all(ended);
        opened
    }

    /// The session of that id, which does not end while it is used.
    pub(super) fn get(&self, id: &str) -> Option<InUse> {
        // Under the lock, so that it does not end in between.
        self.table().sessions.get(id).map(Session::use_it)
    }

    /// Ends a session.
    pub(super) fn end(&self, id: &str) {
        let session = self.table().sessions.remove(id);
        end_all(session);
    }

    /// Ends all sessions.
    pub(super) fn end_everything(&self) {
        let sessions = std::mem::take(&mut self.table().sessions);
        end_all(sessions.into_values());
    }

    /// Ends those that have been idle for too long. Returns whether there are others.
    fn end_idle(&self) -> bool {
        let mut table = self.table();
        let ended = table.take_idle(self.max_idle);
        table.is_swept = !table.sessions.is_empty();
        let goes_on = table.is_swept;
        drop(table);
        end_all(ended);
        goes_on
    }

    /// No code of the user runs under the lock.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Takes the oldest session that was never used after its handshake: those who open many of them take no place from
    /// those who use theirs.
    fn take_unused(&mut self) -> Option<Arc<Session>> {
        let now = Instant::now();
        let unused = self.sessions.values().filter(|session| !session.was_used());
        let oldest = unused.filter_map(|session| Some((session.idle(now)?, session.id())));
        let (_, id) = oldest.max_by_key(|(idle, _)| *idle)?;
        let id = Arc::clone(id);
        self.sessions.remove(&id)
    }

    fn take_idle(&mut self, max_idle: Duration) -> Vec<Arc<Session>> {
        let now = Instant::now();
        let is_over = |session: &Session| session.idle(now).is_some_and(|idle| idle >= max_idle);
        let mut ended = Vec::new();
        self.sessions.retain(|_, session| {
            let is_over = is_over(session);
            if is_over {
                ended.push(Arc::clone(session));
            }
            !is_over
        });
        if self.sessions.len() < self.sessions.capacity() / 4 {
            self.sessions.shrink_to_fit();
        }
        ended
    }
}

fn end_all(sessions: impl IntoIterator<Item = Arc<Session>>) {
    for session in sessions {
        session.end();
    }
}

/// Looks after idle sessions, for as long as there are sessions. They end up to half as late again as they may.
async fn sweep(sessions: Weak<Sessions>, max_idle: Duration) {
    loop {
        tokio::time::sleep(max_idle / 2).await;
        let Some(sessions) = sessions.upgrade() else { return };
        if !sessions.end_idle() {
            return;
        }
    }
}

/// An id that cannot be guessed.
fn new_id(prefix: &str) -> Option<Arc<str>> {
    let mut bytes = [0; ID_BYTES];
    let filled = getrandom::fill(&mut bytes);
    filled.inspect_err(|error| tracing::error!(%error, "the system gives no random bytes for a session")).ok()?;
    Some(format!("{prefix}{:032x}", u128::from_be_bytes(bytes)).into())
}
