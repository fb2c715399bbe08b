//! State that a server shares with its handlers.

use std::any::{Any, TypeId};
use std::ops::Deref;
use std::sync::Arc;

/// What the server was given with [`Server::state`](crate::Server::state), as a parameter of a tool, a
/// prompt or a resource.
///
/// It is taken by value or lent, `State<T>` or `&State<T>`. The parameter may stand in any position and is not part of
/// the schema. A server without a state of that type does not start.
///
/// # Examples
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// use mcp_runtime::{Server, State, tool, tools};
///
/// #[derive(Default)]
/// struct Counter(AtomicU32);
///
/// /// Count up.
/// #[tool]
/// fn count_up(counter: &State<Counter>, by: u32) -> u32 {
///     counter.0.fetch_add(by, Ordering::Relaxed) + by
/// }
///
/// let server = Server::new("counter", "1.0.0").state(Counter::default()).tools(tools![count_up]);
/// # let _ = server;
/// ```
#[derive(Debug)]
pub struct State<T: ?Sized>(Arc<T>);

impl<T> State<T> {
    pub(crate) fn new(state: Arc<T>) -> Self {
        Self(state)
    }

    /// The shared value, to be kept for longer than the call.
    #[must_use]
    pub fn into_arc(self) -> Arc<T> {
        self.0
    }
}

/// A state of its own, for a test that calls the function itself.
impl<T> From<T> for State<T> {
    fn from(state: T) -> Self {
        Self(Arc::new(state))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// What calls can share: every type that several threads may use at the same time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared between calls",
    label = "not `Send` and `Sync`",
    note = "calls run at the same time on several threads, so a state must be `Send`, `Sync` and `'static`"
)]
pub trait ToolState: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ToolState for T {}

/// One value of each type. There are few, and to compare the ids of some types takes less than to hash one.
#[derive(Debug, Default)]
pub(crate) struct States(Vec<AnyState>);

/// A value and the name of its type.
#[derive(Debug, Clone)]
pub(crate) struct AnyState {
    id: TypeId,
    type_name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
}

impl AnyState {
    pub(crate) fn new<T: Send + Sync + 'static>(value: T) -> Self {
        Self { id: TypeId::of::<T>(), type_name: std::any::type_name::<T>(), value: Arc::new(value) }
    }
}

impl States {
    /// Adds a state. Two of one type are a mistake, whose description is returned.
    pub(crate) fn add(&mut self, state: AnyState) -> Option<String> {
        let type_name = state.type_name;
        let is_taken = self.has(state.id);
        self.0.push(state);
        is_taken.then(|| format!("two states have the type `{type_name}`; give one of them a type of its own"))
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.find(id).is_some()
    }

    /// Whether there is one of a type that is called so.
    pub(crate) fn has_named(&self, type_name: &str) -> bool {
        self.0.iter().any(|state| state.type_name == type_name)
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.find(TypeId::of::<T>())?.value).downcast().ok()
    }

    fn find(&self, id: TypeId) -> Option<&AnyState> {
        self.0.iter().find(|state| state.id == id)
    }
}
