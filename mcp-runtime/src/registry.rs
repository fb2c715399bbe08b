//! What a server has of one kind, such as its tools, by key and in order, and what clients are told of it.

use std::collections::{BTreeMap, HashMap};
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;

use crate::error::StartError;
use crate::handler::Surroundings;
use crate::jsonrpc::write_json;
use crate::protocol::Revision;

/// What can be registered.
pub(crate) trait Registrable: Send + Sync + std::fmt::Debug + 'static {
    /// What it is made of.
    type Source: Send;

    /// The key that it will have.
    fn source_key(source: &Self::Source) -> &str;

    fn register(source: Self::Source, surroundings: &Surroundings) -> Self;

    /// What tells it from the others: a name, or a URI.
    fn key(&self) -> &str;

    /// Where it was made.
    fn origin(&self) -> &'static Location<'static>;

    /// Whether it is there for clients from the start.
    fn starts_enabled(&self) -> bool;

    /// Everything that can be found wrong with it by itself.
    fn problems(&self, surroundings: &Surroundings) -> Vec<String>;

    /// Appends its entry in the list.
    fn write_listed(&self, revision: Revision, out: &mut Vec<u8>);
}

/// How a kind of things is spoken of.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) noun: &'static str,
    /// What its key is.
    pub(crate) key: &'static str,
    /// The member of the list's result.
    pub(crate) member: &'static str,
    /// How it is added before the server serves.
    pub(crate) adding: &'static str,
}

/// A set of things of one kind. The order of registration is the order of the list.
#[derive(Debug)]
pub(crate) struct Registry<R> {
    words: &'static Words,
    entries: Vec<Entry<R>>,
    /// In order, since to compare a few short keys takes less than to hash one.
    by_key: BTreeMap<String, usize>,
    page_size: usize,
    /// The listing of each revision, rendered when it is first asked for.
    listings: [OnceLock<Vec<Page>>; Revision::ALL.len()],
}

/// A thing in its place.
#[derive(Debug)]
pub(crate) struct Entry<R> {
    thing: Arc<R>,
    /// Whether clients may know of it.
    is_enabled: bool,
}

impl<R> Clone for Registry<R> {
    fn clone(&self) -> Self {
        let (entries, by_key) = (self.entries.clone(), self.by_key.clone());
        // It is cloned to be changed, and then the listings are others.
        Self { words: self.words, entries, by_key, page_size: self.page_size, listings: Default::default() }
    }
}

impl<R> Clone for Entry<R> {
    fn clone(&self) -> Self {
        Self { thing: Arc::clone(&self.thing), is_enabled: self.is_enabled }
    }
}

/// What was not added, and why. It holds values of the user, too.
pub(crate) type Refused<R> = (Entry<R>, Vec<String>);

/// One page of a list: the members of its result.
#[derive(Debug)]
struct Page {
    /// What a client asks for the page with; the first one is asked for with nothing.
    cursor: Option<String>,
    members: Vec<u8>,
}

impl<R: Registrable> Registry<R> {
    /// Registers the things. Each of the `replacements` takes the place of the one that has its key.
    ///
    /// # Errors
    /// Names everything whose key is taken or is none, and everything else that keeps it from working.
    pub(crate) fn new(
        words: &'static Words,
        things: Vec<R::Source>,
        replacements: Vec<R::Source>,
        surroundings: &Surroundings,
        page_size: usize,
    ) -> Result<Self, StartError> {
        let mut problems = Vec::new();
        let entry = |source| Entry::new(R::register(source, surroundings));
        let mut entries: Vec<Entry<R>> = things.into_iter().map(entry).collect();
        for replacement in replacements.into_iter().map(entry) {
            match entries.iter_mut().find(|entry| entry.thing.key() == replacement.thing.key()) {
                Some(entry) => *entry = replacement,
                None => problems.push(format!("there is no {} `{}` to replace", words.noun, replacement.thing.key())),
            }
        }
        problems.extend(clashes(words, entries.iter().map(|entry| entry.thing.as_ref())));
        problems.extend(entries.iter().flat_map(|entry| entry.thing.problems(surroundings)));
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        let mut registry = Self { words, entries, by_key: BTreeMap::new(), page_size, listings: Default::default() };
        registry.has_changed();
        Ok(registry)
    }

    /// Adds a thing at the end. One that `may_replace` takes the place of the one that has its key, if there is one, and
    /// stays hidden if that was. What is not in the set any more is returned, to be dropped where nobody waits for the
    /// set: it holds values of the user.
    ///
    /// # Errors
    /// What is wrong with it, `problems` included; nothing is changed then.
    pub(crate) fn add(
        &mut self,
        mut entry: Entry<R>,
        mut problems: Vec<String>,
        may_replace: bool,
    ) -> Result<Option<Entry<R>>, Refused<R>> {
        let place = self.by_key.get(entry.thing.key()).copied();
        let same = place.and_then(|place| self.entries.get_mut(place));
        if same.is_some() && !may_replace {
            problems.push(format!(
                "the {} `{}` is taken; `replace` puts a {} in the place of another",
                self.words.key,
                entry.thing.key(),
                self.words.noun
            ));
        }
        if !problems.is_empty() {
            return Err((entry, problems));
        }
        let replaced = if let Some(same) = same {
            entry.is_enabled &= same.is_enabled;
            Some(std::mem::replace(same, entry))
        } else {
            self.entries.push(entry);
            None
        };
        self.has_changed();
        Ok(replaced)
    }

    /// Takes a thing out, if it is there, to be dropped where nobody waits for the set.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry<R>> {
        let place = self.by_key.get(key).copied().filter(|place| *place < self.entries.len())?;
        let removed = self.entries.remove(place);
        self.has_changed();
        Some(removed)
    }

    /// Shows or hides a thing. Returns whether that changed anything, if the thing is there.
    pub(crate) fn set_enabled(&mut self, key: &str, is_enabled: bool) -> Option<bool> {
        let entry = self.by_key.get(key).and_then(|place| self.entries.get_mut(*place))?;
        let changes = std::mem::replace(&mut entry.is_enabled, is_enabled) != is_enabled;
        if changes {
            self.has_changed();
        }
        Some(changes)
    }

    fn has_changed(&mut self) {
        let places = self.entries.iter().enumerate();
        self.by_key = places.map(|(place, entry)| (entry.thing.key().to_owned(), place)).collect();
        self.listings = Default::default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All keys, in order, those of what is hidden included.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> + Clone {
        self.entries.iter().map(|entry| entry.thing.key())
    }

    /// What is not hidden, in order.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = &Arc<R>> {
        self.entries.iter().filter(|entry| entry.is_enabled).map(|entry| &entry.thing)
    }

    /// The thing with that key, unless it is hidden.
    pub(crate) fn get(&self, key: &str) -> Option<&Arc<R>> {
        self.lookup(key).filter(|(_, is_enabled)| *is_enabled).map(|(thing, _)| thing)
    }

    /// The thing with that key, also if it is hidden, with whether it is not.
    pub(crate) fn lookup(&self, key: &str) -> Option<(&Arc<R>, bool)> {
        let entry = self.entries.get(*self.by_key.get(key)?)?;
        Some((&entry.thing, entry.is_enabled))
    }

    /// The first that `is_it` holds for, also if it is hidden, with whether it is not.
    pub(crate) fn find(&self, is_it: impl Fn(&R) -> bool) -> Option<(&Arc<R>, bool)> {
        let found = self.entries.iter().find(|entry| is_it(&entry.thing))?;
        Some((&found.thing, found.is_enabled))
    }

    /// The members of a page of the list, if there is a page with that cursor.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision) -> Option<&[u8]> {
        let listing = self.listings.get(revision as usize)?.get_or_init(|| self.render_pages(revision));
        let page = listing.iter().find(|page| page.cursor.as_deref() == cursor)?;
        Some(&page.members)
    }

    fn render_pages(&self, revision: Revision) -> Vec<Page> {
        let things: Vec<&R> = self.enabled().map(Arc::as_ref).collect();
        if things.is_empty() {
            return vec![Page { cursor: None, members: self.render_page(&[], None, revision) }];
        }
        let chunks: Vec<&[&R]> = things.chunks(self.page_size.max(1)).collect();
        let cursors: Vec<Option<String>> =
            chunks.iter().skip(1).map(|chunk| chunk.first().map(|thing| cursor(thing.key()))).collect();
        let own = std::iter::once(None).chain(cursors.iter().cloned());
        let next = cursors.iter().cloned().chain(std::iter::once(None));
        chunks
            .into_iter()
            .zip(own)
            .zip(next)
            .map(|((chunk, cursor), next)| Page { cursor, members: self.render_page(chunk, next.as_deref(), revision) })
            .collect()
    }

    fn render_page(&self, things: &[&R], next_cursor: Option<&str>, revision: Revision) -> Vec<u8> {
        let mut members = format!("\"{}\":[", self.words.member).into_bytes();
        for (index, thing) in things.iter().enumerate() {
            if index > 0 {
                members.push(b',');
            }
            thing.write_listed(revision, &mut members);
        }
        members.push(b']');
        if let Some(next_cursor) = next_cursor {
            members.extend_from_slice(br#","nextCursor":"#);
            write_json(&mut members, next_cursor);
        }
        members
    }
}

impl<R: Registrable> Entry<R> {
    fn new(thing: R) -> Self {
        Self { is_enabled: thing.starts_enabled(), thing: Arc::new(thing) }
    }

    /// A thing to add, and what is wrong with it by itself. This runs code of the user.
    pub(crate) fn checked(source: R::Source, surroundings: &Surroundings) -> (Self, Vec<String>) {
        let entry = Self::new(R::register(source, surroundings));
        let problems = entry.thing.problems(surroundings);
        (entry, problems)
    }
}

/// An opaque cursor that survives a restart: it names the first entry of its page.
fn cursor(key: &str) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(key)
}

/// Every key that several things have, in order, with where each of them comes from.
fn clashes<'a, R: Registrable>(words: &Words, things: impl Iterator<Item = &'a R>) -> Vec<String> {
    let same_keys = groups(things.map(|thing| (thing.key(), thing))).into_iter().filter(|same| same.len() > 1);
    let told = same_keys.filter_map(|same| {
        let first = *same.first()?;
        let (noun, key, place) = (words.noun, first.key(), first.origin());
        if same.iter().all(|thing| thing.origin() == place) {
            return Some(format!("the {noun} `{key}`, made at {place}, is added {} times", same.len()));
        }
        let places: Vec<String> = same.iter().map(|thing| thing.origin().to_string()).collect();
        let of_key = words.key;
        Some(format!("{} {noun}s have the {of_key} `{key}`: those made at {}", same.len(), places.join(", at ")))
    });
    told.collect()
}

/// The values of each key, in the order in which the keys come first.
pub(crate) fn groups<K: std::hash::Hash + Eq, V>(entries: impl Iterator<Item = (K, V)>) -> Vec<Vec<V>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<V>> = Vec::new();
    for (key, value) in entries {
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(value),
            None => groups.push(vec![value]),
        }
    }
    groups
}
