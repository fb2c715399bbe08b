//! Tables of keys, and how a list of keys is read by one.

use syn::{Ident, Result};

use crate::diag::{Errors, keys as diag};
use crate::entries::{Entry, Key, parse_key};
use crate::kind::Kind;

/// One key of the attribute whose model is `A`.
pub(super) struct Row<A: 'static> {
    name: &'static str,
    read: fn(&mut A, &Key) -> Result<()>,
    is_repeated: bool,
    is_hidden: bool,
    /// Empty for every kind.
    kinds: &'static [&'static Kind],
}

impl<A> Row<A> {
    pub(super) const fn new(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { name, read, is_repeated: false, is_hidden: false, kinds: &[] }
    }

    /// A key that may be given more than once.
    pub(super) const fn repeated(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { is_repeated: true, ..Row::new(name, read) }
    }

    /// A key for our own use, or one that is refused with a text of its own. No text lists it.
    pub(super) const fn hidden(name: &'static str, read: fn(&mut A, &Key) -> Result<()>) -> Self {
        Row { is_hidden: true, ..Row::new(name, read) }
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name
    }

    fn is_of(&self, kind: &Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// A key that only handlers of these kinds have.
pub(super) const fn only<A>(kinds: &'static [&'static Kind], mut row: Row<A>) -> Row<A> {
    row.kinds = kinds;
    row
}

/// The keys of one attribute.
pub(super) struct Table<A: 'static> {
    /// The attribute as a message names it.
    owner: &'static str,
    rows: Vec<&'static Row<A>>,
}

impl<A> Table<A> {
    pub(super) fn new(owner: &'static str, rows: &'static [Row<A>]) -> Self {
        Self { owner, rows: rows.iter().collect() }
    }

    /// Without the keys that handlers of other kinds have.
    pub(super) fn of_kind(owner: &'static str, rows: &'static [Row<A>], kind: &Kind) -> Self {
        Self { owner, rows: rows.iter().filter(|row| row.is_of(kind)).collect() }
    }

    /// Whether it has a key that users may write.
    pub(super) fn has(&self, key: &Ident) -> bool {
        self.shown().any(|name| *key == name)
    }

    /// Reads all keys that can be read; `place_of` says where one belongs that another attribute has.
    pub(super) fn read(
        &self,
        entries: impl IntoIterator<Item = Entry>,
        attr: &mut A,
        place_of: &dyn Fn(&Ident) -> Option<String>,
        errors: &Errors,
    ) {
        let mut seen = Vec::new();
        for entry in entries {
            let read = parse_key(self.owner, entry).and_then(|key| {
                let row = self.find_row(&key.ident, place_of)?;
                if seen.contains(&row.name) && !row.is_repeated {
                    return Err(diag::key_given_twice(&key.ident));
                }
                seen.push(row.name);
                (row.read)(attr, &key)
            });
            if let Err(error) = read {
                errors.push(error);
            }
        }
    }

    fn find_row(&self, key: &Ident, place_of: &dyn Fn(&Ident) -> Option<String>) -> Result<&'static Row<A>> {
        self.rows.iter().find(|row| *key == row.name).copied().ok_or_else(|| {
            let names: Vec<&str> = self.shown().collect();
            diag::unknown_key(self.owner, key, &names, place_of(key).as_deref())
        })
    }

    fn shown(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().filter(|row| !row.is_hidden).map(|row| row.name)
    }
}
