//! Taking the arguments of a call: from the raw object straight into the parameters, each on its own, so that every
//! problem is found in one go.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::param::{Params, from_missing};
use crate::context::{CallOrigin, CallState, Context};
use crate::protocol::meta::without_place;

/// How many characters of a value are quoted in a message.
const QUOTED_CHARS: usize = 60;

/// A call whose arguments are being taken.
#[derive(Debug)]
pub struct Call<'a> {
    params: &'a Params,
    /// The raw argument of each parameter.
    slots: Vec<Option<&'a RawValue>>,
    problems: Vec<String>,
    origin: &'a CallOrigin,
    state: Option<Arc<CallState>>,
}

impl<'a> Call<'a> {
    /// Sorts the members of the arguments object to the parameters that they are for.
    pub(crate) fn new(tool: &str, params: &'a Params, arguments: &'a str, origin: &'a CallOrigin) -> Self {
        let mut call = Self { params, slots: vec![None; params.len()], problems: Vec::new(), origin, state: None };
        let mut deserializer = serde_json::Deserializer::from_str(arguments);
        if let Err(error) = (Members { call: &mut call, tool }).deserialize(&mut deserializer) {
            call.problems.push(format!("the arguments object is malformed: {}", without_place(&error)));
        }
        call
    }

    /// The argument for the parameter at `index`; `None` with a problem noted if it does not fit.
    pub(crate) fn argument<T: DeserializeOwned>(&mut self, index: usize) -> Option<T> {
        let raw = self.slots.get(index).copied().flatten();
        if let Some(raw) = raw {
            match serde_json::from_str(raw.get()) {
                Ok(value) => return Some(value),
                // Clients send null for what they leave out; a type that takes null has taken it above.
                Err(_) if raw.get() == "null" => {}
                Err(_) => {
                    self.misfit(index, raw, &misfit::<T>(raw));
                    return None;
                }
            }
        }
        from_missing().or_else(|| {
            self.absent(index, raw.is_some());
            None
        })
    }

    /// The context of the call.
    pub(crate) fn context(&mut self) -> Context {
        let state = self.state.get_or_insert_with(|| Arc::new(CallState::new(self.origin.clone())));
        Context::new(Arc::clone(state))
    }

    /// What was found wrong, and the state if the context was asked for.
    pub(crate) fn finish(self) -> (Vec<String>, Option<Arc<CallState>>) {
        (self.problems, self.state)
    }

    fn name(&self, index: usize) -> &'static str {
        self.params.get(index).map_or("", super::param::Param::name)
    }

    fn misfit(&mut self, index: usize, raw: &RawValue, (path, reason): &(String, String)) {
        let name = self.name(index);
        self.problems.push(format!("`{name}{path}`: {reason}; got {}", shortened(raw.get())));
    }

    fn absent(&mut self, index: usize, is_null: bool) {
        let name = self.name(index);
        let problem = if is_null { "is required and must not be null" } else { "is required and missing" };
        self.problems.push(format!("`{name}` {problem}"));
    }

    fn unknown(&mut self, key: &str) {
        let names: Vec<_> = self.params.argument_names().collect();
        let mut problem = format!("`{}` is not an argument", shortened(key));
        if let Some(nearest) = nearest(key, &names) {
            let _ = write!(problem, "; did you mean `{nearest}`?");
        }
        self.problems.push(problem);
    }
}

/// Where inside of the value the problem is, and what it is.
fn misfit<T: DeserializeOwned>(raw: &RawValue) -> (String, String) {
    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => (String::new(), "does not fit".to_owned()),
        Err(error) => {
            let path = error.path().to_string();
            let path = match path.as_str() {
                "." => String::new(),
                path if path.starts_with('[') => path.to_owned(),
                path => format!(".{path}"),
            };
            (path, without_place(error.inner()))
        }
    }
}

/// The failure that a model reads: every problem on a line, then what the tool takes.
pub(super) fn explain(tool: &str, problems: &[String]) -> String {
    let mut text = format!("the arguments of `{tool}` do not fit:");
    for problem in problems {
        let _ = write!(text, "\n- {problem}");
    }
    text
}

/// Reads the arguments object into the slots of a call.
struct Members<'c, 'a, 't> {
    call: &'c mut Call<'a>,
    tool: &'t str,
}

impl<'a> DeserializeSeed<'a> for Members<'_, 'a, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Members<'_, 'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the arguments object of `{}`", self.tool)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let mut any_unknown = false;
        while let Some(Key(key)) = map.next_key()? {
            let value: &'a RawValue = map.next_value()?;
            let Some(index) = self.call.params.position(&key) else {
                self.call.unknown(&key);
                any_unknown = true;
                continue;
            };
            let slot = self.call.slots.get_mut(index).ok_or_else(|| A::Error::custom("no such parameter"))?;
            if slot.replace(value).is_some() {
                self.call.problems.push(format!("`{key}` is given twice"));
            }
        }
        if any_unknown {
            let names: Vec<_> = self.call.params.argument_names().map(|name| format!("`{name}`")).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            self.call.problems.push(format!("the arguments are: {known}"));
        }
        Ok(())
    }
}

/// A key of an object, borrowed where it holds no escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value as it is quoted in a message: not longer than a line.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// The name that the key was most likely meant to be: at most a third of its letters differ, case and separators aside.
fn nearest<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    // A key of this length is no misspelling, and the distance is quadratic.
    if key.len() > 64 {
        return None;
    }
    let plain = |name: &str| name.to_lowercase().replace(['-', ' ', '.'], "_");
    let key = plain(key);
    names
        .iter()
        .map(|name| (distance(&key, &plain(name)), *name))
        .filter(|(distance, name)| *distance * 3 <= name.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters have to be added, removed or replaced (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            *cell = replaced.min(*cell + 1).min(left + 1);
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
