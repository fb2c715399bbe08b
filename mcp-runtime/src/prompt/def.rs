//! The companion of a prompt: constant data and functions that `#[prompt]` has written.

use super::output::PromptOutput;
use crate::handler::Started;
use crate::handler::about::{Def, def_settings};
use crate::handler::arguments::Call;
use crate::handler::params::Params;
use crate::result::ToolFailure;
use crate::returns::{Failure, Success};

/// A prompt as the macro describes it. `#[prompt]` makes one for each function, and `prompts![…]` lists them.
#[derive(Debug, Clone, Copy)]
pub struct PromptDef {
    pub(super) def: Def,
}

#[doc(hidden)]
impl PromptDef {
    /// A prompt by its name and what it can do. It remembers where it was made. The closure about the output is there for
    /// the compiler, which checks the return type.
    #[must_use]
    #[track_caller]
    pub const fn new(
        name: &'static str,
        params: fn(&mut Params),
        _: fn(&mut PromptEntry),
        call: fn(&mut Call<'_>) -> Started,
    ) -> Self {
        Self { def: Def::new(name, params, call) }
    }

    /// Stands for a prompt whose function has a mistake, so that the mistake is the only error. It never runs.
    #[must_use]
    #[track_caller]
    pub const fn invalid(name: &'static str) -> Self {
        Self::new(name, |_| (), |_| (), |_| Started::refused())
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.def.name
    }

    def_settings!();
}

/// Learns what a prompt returns.
#[doc(hidden)]
#[derive(Debug)]
pub struct PromptEntry(());

#[doc(hidden)]
impl PromptEntry {
    /// The type of the value.
    pub fn success<T: PromptOutput>(&mut self, _: Success<T>) {}

    /// The type of the error.
    pub fn error<E: ToolFailure>(&mut self, _: Failure<E>) {}
}
