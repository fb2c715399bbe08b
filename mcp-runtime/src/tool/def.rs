//! The companion of a tool: constant data and functions that `#[tool]` has written.

use crate::handler::Started;
use crate::handler::about::{Def, def_settings};
use crate::handler::arguments::Call;
use crate::handler::params::Params;
use crate::protocol::ToolAnnotations;
use crate::result::OutputEntry;

/// A tool as the macro describes it. `#[tool]` makes one for each function, and `tools![…]` lists them.
#[derive(Debug, Clone, Copy)]
pub struct ToolDef {
    pub(super) def: Def,
    pub(super) annotations: ToolAnnotations,
    pub(super) output: fn(&mut OutputEntry),
}

#[doc(hidden)]
impl ToolDef {
    /// A tool by its name and what it can do. It remembers where it was made.
    #[must_use]
    #[track_caller]
    pub const fn new(
        name: &'static str,
        params: fn(&mut Params),
        output: fn(&mut OutputEntry),
        call: fn(&mut Call<'_>) -> Started,
    ) -> Self {
        Self { def: Def::new(name, params, call), annotations: ToolAnnotations::NONE, output }
    }

    /// Stands for a tool whose function has a mistake, so that the mistake is the only error. It never runs.
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

    /// `readOnlyHint`.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only_hint = Some(hint);
        self
    }

    /// `destructiveHint`.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive_hint = Some(hint);
        self
    }

    /// `idempotentHint`.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent_hint = Some(hint);
        self
    }

    /// `openWorldHint`.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world_hint = Some(hint);
        self
    }
}
