//! The companion of a resource: constant data and functions that `#[resource]` has written.

use std::time::Duration;

use super::output::ResourceOutput;
use crate::handler::Started;
use crate::handler::about::{Def, def_settings};
use crate::handler::arguments::Call;
use crate::handler::params::Params;
use crate::protocol::{Annotations, CacheScope, Role};
use crate::result::ToolFailure;
use crate::returns::{Failure, Success};

/// A resource as the macro describes it. `#[resource]` makes one for each function, and `resources![…]` lists them.
#[derive(Debug, Clone, Copy)]
pub struct ResourceDef {
    pub(super) def: Def,
    pub(super) uri: &'static str,
    pub(super) mime_type: Option<&'static str>,
    pub(super) size: Option<u64>,
    priority: Option<f64>,
    /// Whether the user and the model are named.
    audience: (bool, bool),
    last_modified: Option<&'static str>,
    pub(super) ttl: Duration,
    pub(super) scope: CacheScope,
}

#[doc(hidden)]
impl ResourceDef {
    /// A resource by its name, its URI or the template of its URIs, and what it can do. It remembers where it was made. The
    /// closure about the output is there for the compiler, which checks the return type.
    #[must_use]
    #[track_caller]
    pub const fn new(
        name: &'static str,
        uri: &'static str,
        params: fn(&mut Params),
        _: fn(&mut ResourceEntry),
        call: fn(&mut Call<'_>) -> Started,
    ) -> Self {
        Self {
            def: Def::new(name, params, call),
            uri,
            mime_type: None,
            size: None,
            priority: None,
            audience: (false, false),
            last_modified: None,
            ttl: Duration::ZERO,
            scope: CacheScope::Private,
        }
    }

    /// Stands for a resource whose function has a mistake, so that the mistake is the only error. It never runs.
    #[must_use]
    #[track_caller]
    pub const fn invalid(name: &'static str, uri: &'static str) -> Self {
        Self::new(name, uri, |_| (), |_| (), |_| Started::refused())
    }

    /// The URI, or the template of URIs.
    #[must_use]
    pub const fn uri(&self) -> &'static str {
        self.uri
    }

    def_settings!();

    /// Its MIME type.
    #[must_use]
    pub const fn mime_type(mut self, mime_type: &'static str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// How much it matters, from 0.0 to 1.0.
    #[must_use]
    pub const fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Who it is for: `user` or `assistant`.
    #[must_use]
    pub const fn audience(mut self, role: &'static str) -> Self {
        // A constant cannot compare strings.
        if role.len() == "user".len() {
            self.audience.0 = true;
        } else {
            self.audience.1 = true;
        }
        self
    }

    /// When it last changed, in ISO 8601.
    #[must_use]
    pub const fn last_modified(mut self, when: &'static str) -> Self {
        self.last_modified = Some(when);
        self
    }

    /// How long its contents may be kept.
    #[must_use]
    pub const fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// Who may be given contents that were kept: `public` or `private`.
    #[must_use]
    pub const fn cache_scope(mut self, scope: &'static str) -> Self {
        self.scope = if scope.len() == "public".len() { CacheScope::Public } else { CacheScope::Private };
        self
    }
}

impl ResourceDef {
    pub(super) fn annotations(&self) -> Annotations {
        let roles = [(self.audience.0, Role::User), (self.audience.1, Role::Assistant)];
        Annotations {
            audience: roles.into_iter().filter(|(is_named, _)| *is_named).map(|(_, role)| role).collect(),
            priority: self.priority,
            last_modified: self.last_modified.map(str::to_owned),
        }
    }
}

/// Learns what a resource returns.
#[doc(hidden)]
#[derive(Debug)]
pub struct ResourceEntry(());

#[doc(hidden)]
impl ResourceEntry {
    /// The type of the value.
    pub fn success<T: ResourceOutput>(&mut self, _: Success<T>) {}

    /// The type of the error.
    pub fn error<E: ToolFailure>(&mut self, _: Failure<E>) {}
}
