//! A prompt as a value: what `#[prompt]` has left behind, or what was put together at run time.

use std::panic::Location;

use super::builder::PromptBuilder;
use super::def::PromptDef;
use crate::handler::Handler;
use crate::handler::about::About;
use crate::handler::completer::Completers;
use crate::protocol::PromptArgument;

/// A prompt to register: made by `#[prompt]`, whose companions convert into it, or [built](Prompt::builder) at run time.
#[must_use = "a prompt does nothing until it is registered"]
pub struct Prompt {
    pub(super) about: About,
    pub(super) is_enabled: bool,
    /// The arguments as they are listed, unless they follow from the parameters.
    pub(super) arguments: Option<Vec<PromptArgument>>,
    pub(super) completers: Completers,
    pub(super) handler: Handler,
}

impl Prompt {
    /// Begins a prompt that is put together at run time, such as from a file.
    #[track_caller]
    pub fn builder(name: impl Into<String>) -> PromptBuilder {
        PromptBuilder::new(About::new(name.into(), Location::caller()))
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// Hides the prompt until [`PromptSet::enable`](crate::PromptSet::enable). A server whose set is not
    /// [given out](crate::Server::prompt_set) never shows it.
    pub fn disabled(mut self) -> Self {
        self.is_enabled = false;
        self
    }
}

impl From<PromptDef> for Prompt {
    fn from(prompt: PromptDef) -> Self {
        let handler = Handler::derived(&prompt.def);
        Self {
            about: prompt.def.about(),
            is_enabled: true,
            arguments: None,
            completers: Completers::default(),
            handler,
        }
    }
}

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prompt")
            .field("name", &self.about.name)
            .field("origin", &self.about.origin)
            .finish_non_exhaustive()
    }
}
