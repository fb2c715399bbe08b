//! Changing the prompts of a server while it serves.
//!
//! Spec: 2026-07-28, `server/prompts`, "List Changed Notification".

use super::Registered;
use super::value::Prompt;
use crate::error::SetError;
use crate::live_set::SetHandle;

/// The prompts of a server, to change them while it serves: [`Server::prompt_set`](crate::Server::prompt_set) gives it out.
/// Cheap to clone; every clone is the same set. It is to prompts what [`ToolSet`](crate::ToolSet) is to tools.
#[derive(Clone)]
pub struct PromptSet(pub(crate) SetHandle<Registered>);

#[expect(clippy::must_use_candidate, reason = "whether a prompt was there matters to few")]
impl PromptSet {
    /// Adds a prompt at the end of the list.
    ///
    /// # Errors
    /// If the prompt cannot be registered, such as where its name is taken, or if the server has ended. Before the server
    /// serves, [`Server::prompts`](crate::Server::prompts) is the way to add prompts, and this fails.
    pub fn add(&self, prompt: impl Into<Prompt>) -> Result<(), SetError> {
        self.0.put(prompt.into(), false)
    }

    /// Adds a prompt, in the place of the one that has its name if there is one. Where that is hidden, so is the new one.
    ///
    /// # Errors
    /// Like [`add`](Self::add), but that the name may be taken.
    pub fn replace(&self, prompt: impl Into<Prompt>) -> Result<(), SetError> {
        self.0.put(prompt.into(), true)
    }

    /// Takes a prompt away. Returns whether it was there; before the server serves, none is.
    pub fn remove(&self, name: &str) -> bool {
        self.0.remove(name)
    }

    /// Shows a prompt that was hidden. Returns whether there is a prompt of that name; before the server serves, there is
    /// none.
    pub fn enable(&self, name: &str) -> bool {
        self.0.set_enabled(name, true)
    }

    /// Hides a prompt until it is enabled again. Returns whether there is a prompt of that name; before the server serves,
    /// there is none.
    pub fn disable(&self, name: &str) -> bool {
        self.0.set_enabled(name, false)
    }
}

impl std::fmt::Debug for PromptSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptSet").finish_non_exhaustive()
    }
}
