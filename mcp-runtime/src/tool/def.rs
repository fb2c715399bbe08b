//! The companion of a tool: constant data and functions that `#[tool]` has written.

use std::future::Future;
use std::panic::Location;
use std::time::Duration;

use serde_json::Value;

use super::ToolFuture;
use super::arguments::Call;
use super::param::Params;
use crate::protocol::ToolAnnotations;
use crate::protocol::tools::Icon;
use crate::result::{Outcome, OutputEntry};

/// A tool as the macro describes it. `#[tool]` makes one for each function, and `tools![…]` lists them.
#[derive(Debug, Clone, Copy)]
pub struct ToolDef {
    pub(super) name: &'static str,
    /// Where `#[tool]` stands.
    pub(super) origin: &'static Location<'static>,
    pub(super) title: Option<&'static str>,
    pub(super) description: Option<&'static str>,
    pub(super) annotations: ToolAnnotations,
    pub(super) is_sync: bool,
    pub(super) is_blocking: bool,
    pub(super) timeout: Option<Duration>,
    icons: Option<fn(&mut Icons)>,
    meta: Option<fn() -> Value>,
    pub(super) params: fn(&mut Params),
    pub(super) output: fn(&mut OutputEntry),
    pub(super) call: fn(&mut Call<'_>) -> Started,
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
        Self {
            name,
            origin: Location::caller(),
            title: None,
            description: None,
            annotations: ToolAnnotations::NONE,
            is_sync: false,
            is_blocking: false,
            timeout: None,
            icons: None,
            meta: None,
            params,
            output,
            call,
        }
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
        self.name
    }

    /// The name for people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the model reads.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

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

    /// The function is not `async`.
    #[must_use]
    pub const fn sync(mut self) -> Self {
        self.is_sync = true;
        self
    }

    /// The function blocks its thread for long.
    #[must_use]
    pub const fn blocking(mut self) -> Self {
        self.is_blocking = true;
        self
    }

    /// How long a call may take.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The pictures of the tool.
    #[must_use]
    pub const fn icons(mut self, icons: fn(&mut Icons)) -> Self {
        self.icons = Some(icons);
        self
    }

    /// `_meta` of the tool.
    #[must_use]
    pub const fn meta(mut self, meta: fn() -> Value) -> Self {
        self.meta = Some(meta);
        self
    }
}

impl ToolDef {
    pub(super) fn listed_icons(&self) -> Vec<Icon> {
        let mut icons = Icons::default();
        if let Some(add) = self.icons {
            add(&mut icons);
        }
        icons.0
    }

    pub(super) fn listed_meta(&self) -> Option<Value> {
        self.meta.map(|meta| meta()).filter(Value::is_object)
    }
}

/// The pictures of a tool while they are listed.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Icons(Vec<Icon>);

#[doc(hidden)]
impl Icons {
    /// The next picture.
    #[expect(clippy::indexing_slicing, reason = "what was pushed last is there")]
    pub fn icon(&mut self, src: &str) -> &mut Icon {
        let index = self.0.len();
        self.0.push(Icon::new(src));
        &mut self.0[index]
    }
}

/// What became of a call whose arguments were taken.
#[doc(hidden)]
pub struct Started(Option<ToolFuture>);

impl std::fmt::Debug for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Started").field(&self.0.is_some()).finish()
    }
}

#[doc(hidden)]
impl Started {
    /// The arguments do not fit; the call knows why.
    #[must_use]
    pub const fn refused() -> Self {
        Self(None)
    }

    /// The body is ready to run.
    pub fn future(future: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self(Some(Box::pin(future)))
    }

    pub(super) fn into_future(self) -> Option<ToolFuture> {
        self.0
    }
}
