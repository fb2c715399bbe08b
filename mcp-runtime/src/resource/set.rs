//! Changing the resources of a server while it serves.
//!
//! Spec: 2026-07-28, `server/resources`, "List Changed Notification" and "Subscriptions".

use std::collections::BTreeSet;

use super::Registered;
use super::value::ServerResource;
use crate::changes::News;
use crate::error::SetError;
use crate::live_set::SetHandle;

/// The resources of a server, those with a template included, to change them while it serves and to tell that their contents
/// have changed: [`Server::resource_set`](crate::Server::resource_set) gives it out. Cheap to clone; every clone is the same
/// set. It is to resources what [`ToolSet`](crate::ToolSet) is to tools.
///
/// # Examples
/// ```
/// use std::sync::Mutex;
///
/// use mcp_runtime::{ResourceSet, Server, State, resource, resources, tool, tools};
///
/// struct Note(Mutex<String>);
///
/// #[resource("note://today", mime_type = "text/markdown")]
/// fn today(note: &State<Note>) -> String {
///     note.0.lock().unwrap().clone()
/// }
///
/// /// Write the note of today.
/// #[tool]
/// fn write(text: String, note: &State<Note>, set: &State<ResourceSet>) {
///     *note.0.lock().unwrap() = text;
///     set.updated("note://today");
/// }
///
/// let mut server = Server::new("notes", "1.0.0").tools(tools![write]).resources(resources![today]);
/// let set = server.resource_set();
/// let server = server.state(set).state(Note(Mutex::default()));
/// # let _ = server;
/// ```
#[derive(Clone)]
pub struct ResourceSet {
    pub(crate) resources: SetHandle<Registered>,
    pub(crate) templates: SetHandle<Registered>,
}

#[expect(clippy::must_use_candidate, reason = "whether a resource was there matters to few")]
impl ResourceSet {
    /// Adds a resource at the end of its list.
    ///
    /// # Errors
    /// If the resource cannot be registered, such as where its URI is taken, or if the server has ended. Before the server
    /// serves, [`Server::resources`](crate::Server::resources) is the way to add resources, and this fails.
    pub fn add(&self, resource: impl Into<ServerResource>) -> Result<(), SetError> {
        self.put(resource.into(), false)
    }

    /// Adds a resource, in the place of the one that has its URI if there is one. Where that is hidden, so is the new one.
    ///
    /// # Errors
    /// Like [`add`](Self::add), but that the URI may be taken.
    pub fn replace(&self, resource: impl Into<ServerResource>) -> Result<(), SetError> {
        self.put(resource.into(), true)
    }

    fn put(&self, resource: ServerResource, may_replace: bool) -> Result<(), SetError> {
        let set = if resource.is_template() { &self.templates } else { &self.resources };
        set.put(resource, may_replace)
    }

    /// Takes the resource with that URI or template away. Returns whether it was there; before the server serves, none is.
    pub fn remove(&self, uri: &str) -> bool {
        self.resources.remove(uri) || self.templates.remove(uri)
    }

    /// Shows a resource that was hidden. Returns whether there is one with that URI or template; before the server serves,
    /// there is none.
    pub fn enable(&self, uri: &str) -> bool {
        self.resources.set_enabled(uri, true) || self.templates.set_enabled(uri, true)
    }

    /// Hides a resource until it is enabled again. Returns whether there is one with that URI or template; before the server
    /// serves, there is none.
    pub fn disable(&self, uri: &str) -> bool {
        self.resources.set_enabled(uri, false) || self.templates.set_enabled(uri, false)
    }

    /// Tells the clients that watch the resource with that URI, or one that it is a part of, that its contents have
    /// changed. Of several changes in a row they are told once.
    pub fn updated(&self, uri: &str) {
        self.resources.tell(News { updated: BTreeSet::from([uri.into()]), ..News::default() });
    }
}

impl std::fmt::Debug for ResourceSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResourceSet").finish_non_exhaustive()
    }
}
