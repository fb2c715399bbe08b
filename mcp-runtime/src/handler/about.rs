//! What is said about a tool, a prompt or a resource, whichever it is: by its companion, and once it is registered.

use std::borrow::Cow;
use std::panic::Location;
use std::time::Duration;

use serde_json::Value;

use super::Started;
use super::arguments::Call;
use super::params::Params;
use crate::protocol::icons::Icon;

/// What the companions of all kinds have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Def {
    pub(crate) name: &'static str,
    /// Where the attribute stands.
    origin: &'static Location<'static>,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) is_sync: bool,
    pub(crate) is_blocking: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) icons: Option<fn(&mut Icons)>,
    pub(crate) meta: Option<fn() -> Value>,
    pub(crate) params: fn(&mut Params),
    pub(crate) call: fn(&mut Call<'_>) -> Started,
}

impl Def {
    /// It remembers where it was made.
    #[track_caller]
    pub(crate) const fn new(name: &'static str, params: fn(&mut Params), call: fn(&mut Call<'_>) -> Started) -> Self {
        Self {
            name,
            origin: Location::caller(),
            title: None,
            description: None,
            is_sync: false,
            is_blocking: false,
            timeout: None,
            icons: None,
            meta: None,
            params,
            call,
        }
    }

    pub(crate) fn about(&self) -> About {
        let mut icons = Icons::default();
        if let Some(add) = self.icons {
            add(&mut icons);
        }
        About {
            name: self.name.into(),
            origin: self.origin,
            title: self.title.map(Cow::Borrowed),
            description: self.description.map(Cow::Borrowed),
            icons: icons.0,
            meta: self.meta.map(|meta| meta()).filter(Value::is_object),
        }
    }
}

/// The methods that set what every companion has, for a type with a field `def`.
macro_rules! def_settings {
    () => {
        /// The name for people.
        #[must_use]
        pub const fn title(mut self, title: &'static str) -> Self {
            self.def.title = Some(title);
            self
        }

        /// What the model reads.
        #[must_use]
        pub const fn description(mut self, description: &'static str) -> Self {
            self.def.description = Some(description);
            self
        }

        /// The function is not `async`.
        #[must_use]
        pub const fn sync(mut self) -> Self {
            self.def.is_sync = true;
            self
        }

        /// The function blocks its thread for long.
        #[must_use]
        pub const fn blocking(mut self) -> Self {
            self.def.is_blocking = true;
            self
        }

        /// How long a call may take.
        #[must_use]
        pub const fn timeout(mut self, timeout: ::std::time::Duration) -> Self {
            self.def.timeout = Some(timeout);
            self
        }

        /// The pictures.
        #[must_use]
        pub const fn icons(mut self, icons: fn(&mut $crate::handler::about::Icons)) -> Self {
            self.def.icons = Some(icons);
            self
        }

        /// `_meta` in the list.
        #[must_use]
        pub const fn meta(mut self, meta: fn() -> ::serde_json::Value) -> Self {
            self.def.meta = Some(meta);
            self
        }
    };
}
pub(crate) use def_settings;

/// What is said about something that is registered.
#[derive(Debug)]
pub(crate) struct About {
    pub(crate) name: Cow<'static, str>,
    /// Where it was made.
    pub(crate) origin: &'static Location<'static>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<Value>,
}

impl About {
    pub(crate) fn new(name: String, origin: &'static Location<'static>) -> Self {
        Self { name: name.into(), origin, title: None, description: None, icons: Vec::new(), meta: None }
    }
}

/// The methods that set the same at run time, for a type with a field `about`.
macro_rules! about_settings {
    () => {
        /// The name for people. Default: none.
        pub fn title(mut self, title: impl Into<String>) -> Self {
            self.about.title = Some(title.into().into());
            self
        }

        /// What the model reads about it. Default: none.
        pub fn description(mut self, description: impl Into<String>) -> Self {
            self.about.description = Some(description.into().into());
            self
        }

        /// A picture at a URI of `https` or `data`, or an [`Icon`](crate::Icon) that says more. May be called again. Default:
        /// none.
        pub fn icon(mut self, icon: impl Into<$crate::protocol::icons::Icon>) -> Self {
            self.about.icons.push(icon.into());
            self
        }

        /// `_meta` in the list. Default: none.
        pub fn meta(mut self, meta: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            self.about.meta = Some(::serde_json::Value::Object(meta));
            self
        }
    };
}
pub(crate) use about_settings;

/// The pictures of a companion while they are listed.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Icons(Vec<Icon>);

#[doc(hidden)]
impl Icons {
    /// The next picture.
    #[expect(clippy::indexing_slicing, reason = "what was pushed last is there")]
    pub fn icon(&mut self, src: &str) -> IconEntry<'_> {
        let index = self.0.len();
        self.0.push(Icon::new(src));
        IconEntry(&mut self.0[index])
    }
}

/// A picture while it is described.
#[doc(hidden)]
#[derive(Debug)]
pub struct IconEntry<'i>(&'i mut Icon);

#[doc(hidden)]
#[expect(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "not called by hand")]
impl IconEntry<'_> {
    /// Its MIME type.
    pub fn mime_type(self, mime_type: &str) -> Self {
        self.0.mime_type = Some(mime_type.to_owned());
        self
    }

    /// Its sizes, such as `48x48 96x96`.
    pub fn sizes(self, sizes: &str) -> Self {
        self.0.sizes = sizes.split_whitespace().map(str::to_owned).collect();
        self
    }

    /// `light` or `dark`.
    pub fn theme(self, theme: &str) -> Self {
        self.0.theme = Some(theme.to_owned());
        self
    }
}
