//! What a server has of one kind, such as its tools, by key and in order, and what clients are told of it.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;

use crate::error::StartError;
use crate::handler::Surroundings;
use crate::jsonrpc::write_json;
use crate::protocol::Revision;

/// What can be registered.
pub(crate) trait Registrable: Listed + Sized {
    /// What it is made of.
    type Source: Send;

    /// The key that it will have.
    fn source_key(source: &Self::Source) -> &str;

    fn register(source: Self::Source, surroundings: &Surroundings) -> Self;
}

/// What is registered, of whatever kind: all that is looked at now and then goes by this, and is compiled once.
pub(crate) trait Listed: Send + Sync + 'static {
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
    by_key: Places,
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
        let mut registry = Self { words, entries, by_key: Places::default(), page_size, listings: Default::default() };
        find_problems(words, &registry.things(|_| true), surroundings, &mut problems);
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        registry.reindex();
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
        let place = self.place(entry.thing.key());
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
        self.reindex();
        Ok(replaced)
    }

    /// Takes a thing out, if it is there, to be dropped where nobody waits for the set.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Entry<R>> {
        let place = self.place(key)?;
        let removed = self.entries.remove(place);
        self.reindex();
        Some(removed)
    }

    /// Shows or hides a thing. Returns whether that changed anything, if the thing is there.
    pub(crate) fn set_enabled(&mut self, key: &str, is_enabled: bool) -> Option<bool> {
        let entry = self.place(key).and_then(|place| self.entries.get_mut(place))?;
        let changes = std::mem::replace(&mut entry.is_enabled, is_enabled) != is_enabled;
        if changes {
            self.reindex();
        }
        Some(changes)
    }

    /// What follows from the entries is made anew.
    fn reindex(&mut self) {
        self.by_key = Places::of(&self.things(|_| true));
        self.listings = Default::default();
    }

    fn things(&self, which: fn(&Entry<R>) -> bool) -> Vec<&dyn Listed> {
        self.entries.iter().filter(|entry| which(entry)).map(|entry| entry.thing.as_ref() as &dyn Listed).collect()
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
        let entry = self.entries.get(self.place(key)?)?;
        Some((&entry.thing, entry.is_enabled))
    }

    fn place(&self, key: &str) -> Option<usize> {
        let is_it = |place: &usize| self.entries.get(*place).is_some_and(|entry| entry.thing.key() == key);
        self.by_key.alike(key).find(is_it)
    }

    /// The first that `is_it` holds for, also if it is hidden, with whether it is not.
    pub(crate) fn find(&self, is_it: impl Fn(&R) -> bool) -> Option<(&Arc<R>, bool)> {
        let found = self.entries.iter().find(|entry| is_it(&entry.thing))?;
        Some((&found.thing, found.is_enabled))
    }

    /// The members of a page of the list, if there is a page with that cursor.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision) -> Option<&[u8]> {
        let things = || self.things(|entry| entry.is_enabled);
        let listing = self.listings.get(revision as usize)?;
        let listing = listing.get_or_init(|| render_pages(self.words.member, &things(), self.page_size, revision));
        let page = listing.iter().find(|page| page.cursor.as_deref() == cursor)?;
        Some(&page.members)
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

/// Where each thing stands, sorted by the [hash] of its key: so a search compares numbers, and of the keys only those whose hash
/// is the same.
#[derive(Debug, Clone, Default)]
struct Places(Vec<(u64, usize)>);

impl Places {
    fn of(things: &[&dyn Listed]) -> Self {
        let mut places: Vec<_> = things.iter().enumerate().map(|(place, thing)| (hash(thing.key()), place)).collect();
        places.sort_unstable();
        Self(places)
    }

    /// Where the things stand whose keys have the hash of this one.
    fn alike(&self, key: &str) -> impl Iterator<Item = usize> {
        let hash = hash(key);
        let first = self.0.partition_point(|(other, _)| *other < hash);
        let alike = self.0.iter().skip(first).take_while(move |(other, _)| *other == hash);
        alike.map(|(_, place)| *place)
    }
}

/// A number for a key (FNV-1a). Keys whose numbers are the same cost a comparison each, and are told apart.
fn hash(key: &str) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    key.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Adds what is wrong with the things, by themselves and with all of them together.
fn find_problems(words: &Words, things: &[&dyn Listed], surroundings: &Surroundings, problems: &mut Vec<String>) {
    problems.extend(clashes(words, things));
    for thing in things {
        problems.extend(thing.problems(surroundings));
    }
}

fn render_pages(member: &str, things: &[&dyn Listed], page_size: usize, revision: Revision) -> Vec<Page> {
    let mut pages = Vec::new();
    let (mut rest, mut own_cursor) = (things, None);
    loop {
        let (chunk, next) = rest.split_at(page_size.max(1).min(rest.len()));
        let next_cursor = next.first().map(|thing| cursor(thing.key()));
        let members = render_page(member, chunk, next_cursor.as_deref(), revision);
        pages.push(Page { cursor: own_cursor, members });
        if next.is_empty() {
            return pages;
        }
        (rest, own_cursor) = (next, next_cursor);
    }
}

fn render_page(member: &str, things: &[&dyn Listed], next_cursor: Option<&str>, revision: Revision) -> Vec<u8> {
    let mut members = format!("\"{member}\":[").into_bytes();
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

/// An opaque cursor that survives a restart: it names the first entry of its page.
fn cursor(key: &str) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(key)
}

/// Every key that several things have, in order, with where each of them comes from.
fn clashes(words: &Words, things: &[&dyn Listed]) -> Vec<String> {
    let keys: Vec<&str> = things.iter().map(|thing| thing.key()).collect();
    let mut clashes = Vec::new();
    for same in same(&keys) {
        let places: Vec<_> = same.iter().filter_map(|index| things.get(*index)).map(|thing| thing.origin()).collect();
        let (Some(key), Some(place)) = (same.first().and_then(|first| keys.get(*first)), places.first()) else {
            continue;
        };
        let (noun, of_key, count) = (words.noun, words.key, places.len());
        clashes.push(if places.iter().all(|other| other == place) {
            format!("the {noun} `{key}`, made at {place}, is added {count} times")
        } else {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            format!("{count} {noun}s have the {of_key} `{key}`: those made at {}", places.join(", at "))
        });
    }
    clashes
}

/// Where each key that is there several times stands, in the order in which the keys come first.
pub(crate) fn same(keys: &[&str]) -> Vec<Vec<usize>> {
    let mut groups: HashMap<&str, usize> = HashMap::new();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        let group = *groups.entry(key).or_insert(all.len());
        match all.get_mut(group) {
            Some(places) => places.push(place),
            None => all.push(vec![place]),
        }
    }
    all.retain(|places| places.len() > 1);
    all
}
