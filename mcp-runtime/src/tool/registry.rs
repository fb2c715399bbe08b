//! The tools of a server, by name and in order, and what clients are told of them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;

use super::{Registered, Surroundings, Tool, names};
use crate::error::StartError;
use crate::jsonrpc::write_json;
use crate::protocol::Revision;

/// A set of tools. The order of registration is the order of the list.
#[derive(Debug)]
pub(crate) struct Registry {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    page_size: usize,
    /// The listing of each revision, rendered when it is first asked for.
    listings: [OnceLock<Vec<Page>>; Revision::ALL.len()],
}

/// A tool in its place.
#[derive(Debug)]
pub(super) struct Entry {
    tool: Arc<Registered>,
    /// Whether clients may know of it.
    is_enabled: bool,
}

/// One page of `tools/list`: the members of its result.
#[derive(Debug)]
struct Page {
    /// What a client asks for the page with; the first one is asked for with nothing.
    cursor: Option<String>,
    members: Vec<u8>,
}

impl Registry {
    /// Registers the tools. Each of the `replacements` takes the place of the tool that has its name.
    ///
    /// # Errors
    /// Names every tool whose name is taken or is none, and everything else that keeps a tool from working.
    pub(crate) fn new(
        tools: Vec<Tool>,
        replacements: Vec<Tool>,
        surroundings: &Surroundings,
        page_size: usize,
    ) -> Result<Self, StartError> {
        let open = surroundings.open_arguments;
        let mut problems = Vec::new();
        let mut entries: Vec<Entry> = tools.into_iter().map(|tool| Entry::new(tool, open)).collect();
        for replacement in replacements {
            match entries.iter_mut().find(|entry| entry.tool.name() == replacement.name()) {
                Some(entry) => *entry = Entry::new(replacement, open),
                None => problems.push(format!("there is no tool `{}` to replace", replacement.name())),
            }
        }
        let tools = || entries.iter().map(|entry| &entry.tool);
        problems.extend(tools().filter_map(|tool| names::problem(tool.name())));
        problems.extend(names::clashes(tools().map(|tool| (tool.name(), tool.origin()))));
        problems.extend(tools().flat_map(|tool| tool.problems(&surroundings.states)));
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        for doubt in names::doubts(tools().map(|tool| tool.name())) {
            tracing::warn!("{doubt}");
        }
        let mut registry = Self { entries, by_name: HashMap::new(), page_size, listings: Default::default() };
        registry.has_changed();
        Ok(registry)
    }

    /// Adds a tool at the end. One that `may_replace` takes the place of the tool that has its name, if there is one, and
    /// stays hidden if that was. What is not in the set any more is returned, to be dropped where nobody waits for the
    /// set: it holds values of the user.
    ///
    /// # Errors
    /// What is wrong with the tool, `problems` included; nothing is changed then.
    pub(super) fn add(
        &mut self,
        mut entry: Entry,
        mut problems: Vec<String>,
        may_replace: bool,
    ) -> Result<Option<Entry>, (Entry, Vec<String>)> {
        let place = self.by_name.get(entry.tool.name()).copied();
        let same = place.and_then(|place| self.entries.get_mut(place));
        if same.is_some() && !may_replace {
            problems.push(format!(
                "the name `{}` is taken; `replace` puts a tool in the place of another",
                entry.tool.name()
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

    /// Takes a tool out, if it is there, to be dropped where nobody waits for the set.
    pub(super) fn remove(&mut self, name: &str) -> Option<Entry> {
        let place = self.by_name.get(name).copied().filter(|place| *place < self.entries.len())?;
        let removed = self.entries.remove(place);
        self.has_changed();
        Some(removed)
    }

    /// Shows or hides a tool. Returns whether that changed anything, if the tool is there.
    pub(super) fn set_enabled(&mut self, name: &str, is_enabled: bool) -> Option<bool> {
        let entry = self.by_name.get(name).and_then(|place| self.entries.get_mut(*place))?;
        let changes = std::mem::replace(&mut entry.is_enabled, is_enabled) != is_enabled;
        if changes {
            self.has_changed();
        }
        Some(changes)
    }

    fn has_changed(&mut self) {
        let places = self.entries.iter().enumerate();
        self.by_name = places.map(|(place, entry)| (entry.tool.name().to_owned(), place)).collect();
        self.listings = Default::default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tool of that name, unless it is hidden.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Registered>> {
        let entry = self.entries.get(*self.by_name.get(name)?)?;
        entry.is_enabled.then_some(&entry.tool)
    }

    /// The members of a page of `tools/list`, if there is a page with that cursor.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision) -> Option<&[u8]> {
        let listing = self.listings.get(revision as usize)?.get_or_init(|| self.render_pages(revision));
        let page = listing.iter().find(|page| page.cursor.as_deref() == cursor)?;
        Some(&page.members)
    }

    fn render_pages(&self, revision: Revision) -> Vec<Page> {
        let enabled = self.entries.iter().filter(|entry| entry.is_enabled);
        let tools: Vec<&Registered> = enabled.map(|entry| entry.tool.as_ref()).collect();
        if tools.is_empty() {
            return vec![Page { cursor: None, members: render_page(&[], None, revision) }];
        }
        let chunks: Vec<&[&Registered]> = tools.chunks(self.page_size.max(1)).collect();
        let cursors: Vec<Option<String>> =
            chunks.iter().skip(1).map(|chunk| chunk.first().map(|tool| cursor(tool))).collect();
        let own = std::iter::once(None).chain(cursors.iter().cloned());
        let next = cursors.iter().cloned().chain(std::iter::once(None));
        chunks
            .into_iter()
            .zip(own)
            .zip(next)
            .map(|((chunk, cursor), next)| Page { cursor, members: render_page(chunk, next.as_deref(), revision) })
            .collect()
    }
}

impl Entry {
    fn new(tool: Tool, open_arguments: bool) -> Self {
        let tool = Registered::new(tool, open_arguments);
        Self { is_enabled: tool.starts_enabled(), tool: Arc::new(tool) }
    }

    /// A tool to add, and what is wrong with it by itself. This runs code of the user.
    pub(super) fn checked(tool: Tool, surroundings: &Surroundings) -> (Self, Vec<String>) {
        let entry = Self::new(tool, surroundings.open_arguments);
        let name = names::problem(entry.tool.name());
        let problems = name.into_iter().chain(entry.tool.problems(&surroundings.states)).collect();
        (entry, problems)
    }
}

/// An opaque cursor that survives a restart: it names the first tool of its page.
fn cursor(tool: &Registered) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(tool.name())
}

fn render_page(tools: &[&Registered], next_cursor: Option<&str>, revision: Revision) -> Vec<u8> {
    let tools: Vec<_> = tools.iter().map(|tool| tool.listed(revision)).collect();
    let mut members = Vec::from(br#""tools":"#);
    write_json(&mut members, &tools);
    if let Some(next_cursor) = next_cursor {
        members.extend_from_slice(br#","nextCursor":"#);
        write_json(&mut members, next_cursor);
    }
    members
}
