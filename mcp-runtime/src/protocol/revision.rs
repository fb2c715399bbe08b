//! The revisions of the protocol and what tells them apart on the wire.

/// A revision of the Model Context Protocol.
///
/// Revisions are ordered by date. Up to [`Revision::V2025_11_25`] a session begins with `initialize` (the legacy era);
/// from [`Revision::V2026_07_28`] on, each request stands alone and carries its revision (the modern era).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05.
    V2024_11_05,
    /// 2025-03-26: tool annotations, audio, batches.
    V2025_03_26,
    /// 2025-06-18: structured content, output schemas, titles, resource links; no batches.
    V2025_06_18,
    /// 2025-11-25: icons, JSON Schema 2020-12.
    V2025_11_25,
    /// 2026-07-28: no sessions, `server/discover`, structured content of any JSON type.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: &'static [Self] =
        &[Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that a session can be opened for with `initialize`.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The revision as the protocol spells it, such as `2025-11-25`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of that name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|revision| revision.as_str() == name)
    }

    /// Whether each request carries its own revision, with no session.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// The names of all revisions, newest first, as `server/discover` lists them.
    pub(crate) fn names_newest_first() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().rev().map(|revision| revision.as_str())
    }

    /// Whether an error may have the code. The modern era keeps codes for itself, and those of the legacy one are gone.
    ///
    /// 2026-07-28, `basic/index`, "Error codes".
    pub(crate) fn has_error_code(self, code: i64) -> bool {
        let is_reserved = (-32099..=-32023).contains(&code) || code == -32002;
        !(self.is_modern() && is_reserved)
    }

    /// Whether a stream of events begins with one without a message, from which on a client can go on after a loss.
    #[cfg(feature = "http")]
    pub(crate) fn has_primed_streams(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Whether several messages may come in one array.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether the revision has `annotations` on tools, `audio` blocks, and `message` on progress.
    pub(crate) fn has_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether the revision has the capability `completions`. Before, there is the method without it.
    pub(crate) fn has_completions(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Whether the revision has `title`, `outputSchema`, `structuredContent`, `_meta` on tools, and resource links.
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether the revision has `icons`.
    pub(crate) fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Whether structured content and its schema must be objects.
    pub(crate) fn structured_is_object(self) -> bool {
        self.has_structured_content() && self < Self::V2026_07_28
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
