//! Changing the tools of a server while it serves.
//!
//! Spec: 2026-07-28, `server/tools`, "List Changed Notification".

use super::Registered;
use super::value::Tool;
use crate::error::SetError;
use crate::live_set::SetHandle;

/// The tools of a server, to change them while it serves: [`Server::tool_set`](crate::Server::tool_set) gives it out. Cheap
/// to clone; every clone is the same set.
///
/// The set is that of the server, never of one connection. Clients that want to know are told of each change, of several
/// in a row once. A call that runs is not touched by any of them.
///
/// # Examples
/// A tool that brings another one along:
/// ```
/// use mcp_runtime::{Server, SetError, State, Tool, ToolSet, tool, tools};
///
/// /// Make a tool that says something.
/// #[tool]
/// fn teach(name: String, words: String, set: &State<ToolSet>) -> Result<(), SetError> {
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
pub struct ToolSet(pub(crate) SetHandle<Registered>);

#[expect(clippy::must_use_candidate, reason = "whether a tool was there matters to few")]
impl ToolSet {
    /// Adds a tool at the end of the list.
    ///
    /// # Errors
    /// If the tool cannot be registered, such as where its name is taken, or if the server has ended. Before the server
    /// serves, [`Server::tools`] is the way to add tools, and this fails.
    ///
    /// [`Server::tools`]: crate::Server::tools
    pub fn add(&self, tool: impl Into<Tool>) -> Result<(), SetError> {
        self.0.put(tool.into(), false)
    }

    /// Adds a tool, in the place of the one that has its name if there is one. Where that is hidden, so is the new one.
    ///
    /// # Errors
    /// Like [`add`](Self::add), but that the name may be taken.
    pub fn replace(&self, tool: impl Into<Tool>) -> Result<(), SetError> {
        self.0.put(tool.into(), true)
    }

    /// Takes a tool away. Returns whether it was there; before the server serves, none is.
    pub fn remove(&self, name: &str) -> bool {
        self.0.remove(name)
    }

    /// Shows a tool that was hidden. Returns whether there is a tool of that name; before the server serves, there is none.
    pub fn enable(&self, name: &str) -> bool {
        self.0.set_enabled(name, true)
    }

    /// Hides a tool: it is neither listed nor can it be called, until it is enabled again. Returns whether there is a tool
    /// of that name; before the server serves, there is none.
    pub fn disable(&self, name: &str) -> bool {
        self.0.set_enabled(name, false)
    }
}

impl std::fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSet").finish_non_exhaustive()
    }
}
