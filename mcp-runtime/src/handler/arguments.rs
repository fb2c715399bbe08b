//! Taking the arguments of a call: from the raw object straight into the parameters, each on its own, so that every
//! problem is found in one go.

use std::any::Any;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_path_to_error::Path;

use super::Surroundings;
use super::param::from_missing;
use super::params::{Param, Params};
use crate::call_state::CallState;
use crate::context::Context;
use crate::json::{self, Str};
use crate::jsonrpc::{scan, without_place};
use crate::schema::InputSchema;
use crate::schema::check::{Found, MAX_PLACE_CHARS, MAX_PROBLEMS, Manner};
use crate::text::{nearest, shortened, shortened_to};

/// How many characters of a reason are told: what a deserializer says may quote the whole value.
const MAX_REASON_CHARS: usize = 200;

/// How many arguments that the tool does not have are named: the others say nothing new, and guessing takes a while.
const MAX_UNKNOWN: usize = 8;

/// What is wrong with a string that `serde_json` does not take though it is JSON.
const HALF_A_CHARACTER: &str = "has an escape for one half of a surrogate pair, and a character needs both";

/// A call whose arguments are being taken.
#[derive(Debug)]
pub struct Call<'a> {
    params: &'a Params,
    schema: &'a InputSchema,
    /// The whole arguments object.
    arguments: &'a str,
    /// The argument of each parameter as it stands.
    slots: Slots<'a>,
    problems: Vec<String>,
    /// Whether the object cannot be read to its end, so that nobody knows what is missing.
    is_malformed: bool,
    /// How many problems were found beyond those.
    untold: usize,
    /// The type of an extension that the request should have and has not.
    missing_extension: Option<&'static str>,
    taking: Taking,
    state: &'a Arc<CallState>,
    surroundings: &'a Surroundings,
}

/// How many parameters a tool may have whose arguments are sorted without an allocation.
const FEW: usize = 8;

/// A place for the argument of each parameter.
#[derive(Debug)]
struct Slots<'a> {
    few: [Option<&'a str>; FEW],
    /// Those behind them.
    more: Vec<Option<&'a str>>,
}

impl<'a> Slots<'a> {
    fn new(count: usize) -> Self {
        Self { few: [None; FEW], more: vec![None; count.saturating_sub(FEW)] }
    }

    fn get(&self, index: usize) -> Option<&'a str> {
        *index.checked_sub(FEW).map_or_else(|| self.few.get(index), |index| self.more.get(index))?
    }

    fn get_mut(&mut self, index: usize) -> Option<&mut Option<&'a str>> {
        match index.checked_sub(FEW) {
            None => self.few.get_mut(index),
            Some(index) => self.more.get_mut(index),
        }
    }
}

/// Reads the text of an argument, and keeps the value.
type Read<'r> = dyn FnMut(&str) -> serde_json::Result<()> + 'r;

/// Where a deserializer stops: [`stop`] of some type.
type Stop = fn(&str) -> Option<(Path, serde_json::Error)>;

/// What became of an argument.
enum Taken {
    /// It is read.
    Read,
    /// It is not there, or a null that stands for that.
    Missing { is_null: bool },
    /// It does not fit, and the problems are noted.
    Refused,
}

/// How arguments are taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taking {
    /// Whether a string that spells a value is taken for it, where the schema wants one and no string.
    pub(crate) unquote: bool,
    /// Whether unknown arguments are ignored.
    pub(crate) open: bool,
}

impl<'a> Call<'a> {
    /// Sorts the members of the arguments object to the parameters that they are for.
    pub(crate) fn new(
        params: &'a Params,
        schema: &'a InputSchema,
        arguments: &'a str,
        taking: Taking,
        state: &'a Arc<CallState>,
        surroundings: &'a Surroundings,
    ) -> Self {
        let slots = Slots::new(params.len());
        let mut call = Self {
            params,
            schema,
            arguments,
            slots,
            problems: Vec::new(),
            is_malformed: false,
            untold: 0,
            missing_extension: None,
            taking,
            state,
            surroundings,
        };
        if !params.has_whole() && !call.sort_plain() {
            call.slots = Slots::new(params.len());
            let mut deserializer = serde_json::Deserializer::from_slice(arguments.as_bytes());
            if let Err(error) = Members(&mut call).deserialize(&mut deserializer) {
                let what = in_words(&without_place(&error));
                call.problems.push(format!("the arguments object is malformed: {what}"));
                call.is_malformed = true;
            }
        }
        call
    }

    /// Sorts the members of an object that is plain and has nothing wrong with it.
    fn sort_plain(&mut self) -> bool {
        let (params, slots, open) = (self.params, &mut self.slots, self.taking.open);
        scan::object(self.arguments, |key, walk| {
            let value = walk.value()?;
            match params.position(key) {
                Some(index) => scan::once(slots.get_mut(index)?, value),
                None => open.then_some(()),
            }
        })
    }

    /// The argument for the parameter at `index`; `None` with the problems noted if it does not fit.
    pub(crate) fn argument<T: DeserializeOwned + 'static>(&mut self, index: usize) -> Option<T> {
        let mut value = None;
        let mut read = |text: &str| read_into(&mut value, text);
        match self.take(index, &mut read, stop::<T>) {
            Taken::Read => value,
            Taken::Missing { is_null } => {
                let default = self.params.get(index).and_then(Param::default).or_else(from_missing);
                if default.is_none() && !self.is_malformed {
                    self.missing(index, is_null);
                }
                default
            }
            Taken::Refused => None,
        }
    }

    /// Takes an argument of any type, which `read` reads and keeps. Compiled once, and not for each type.
    fn take(&mut self, index: usize, read: &mut Read<'_>, stop: Stop) -> Taken {
        let Some(text) = self.raw(index) else { return Taken::Missing { is_null: false } };
        if text == "null" {
            // Clients send null for what they leave out; a type that takes null gets it.
            return if read(text).is_ok() { Taken::Read } else { Taken::Missing { is_null: true } };
        }
        let needs_check = self.schema.needs_check(self.params.argument_index(index), text);
        if (!needs_check && read(text).is_ok()) || self.take_checked(index, text, read, stop) {
            Taken::Read
        } else {
            Taken::Refused
        }
    }

    /// Takes an argument that has to be looked at closely, or that was refused and may be mended. Returns whether it fits.
    fn take_checked(&mut self, index: usize, text: &str, read: &mut Read<'_>, stop: Stop) -> bool {
        let found = self.check(index, text, false, &[]);
        if !found.problems.is_empty() {
            self.problems.extend(found.problems);
            self.untold += found.untold;
            return false;
        }
        let Err((path, reason)) = self.take_mended(index, text, found, read, stop) else { return true };
        let name = self.name(index);
        self.problems.push(format!(
            "`{name}{path}`: {}; got {}",
            shortened_to(MAX_REASON_CHARS, &reason),
            shortened(text)
        ));
        false
    }

    /// Takes an argument that its schema takes. A deserializer may want the optional members otherwise than they are there:
    /// none where they are null, or null where they are none, as one with a function of its own for an `Option` does.
    ///
    /// # Errors
    /// Where inside of the value the deserializer has stopped, and why.
    fn take_mended(
        &self,
        index: usize,
        text: &str,
        found: Found,
        read: &mut Read<'_>,
        stop: Stop,
    ) -> Result<(), (String, String)> {
        let has_null = found.has_optional_null;
        let (mut changed, mut drop_nulls, mut fill_nulls) = (found.changed, false, Vec::new());
        loop {
            let mended = changed.as_deref().unwrap_or(text);
            let Err(error) = read(mended) else { return Ok(()) };
            match missing_field(&error).filter(|field| !fill_nulls.contains(field)) {
                _ if has_null && !drop_nulls => drop_nulls = true,
                Some(field) if fill_nulls.len() < MAX_PROBLEMS => fill_nulls.push(field),
                _ => return Err(misfit(stop(mended))),
            }
            changed = self.check(index, text, drop_nulls, &fill_nulls).changed;
        }
    }

    fn check(&self, index: usize, text: &str, drop_nulls: bool, fill_nulls: &[String]) -> Found {
        let manner = Manner { unquote: self.taking.unquote, drop_nulls, fill_nulls };
        self.schema.check(self.params.argument_index(index), self.name(index), text, manner)
    }

    /// Notes that an argument is not there.
    fn missing(&mut self, index: usize, is_null: bool) {
        let problem = if is_null { "is required and must not be null" } else { "is required and missing" };
        self.problems.push(format!("`{}` {problem}", self.name(index)));
    }

    fn raw(&self, index: usize) -> Option<&'a str> {
        if self.params.is_whole(index) {
            return Some(self.arguments);
        }
        self.slots.get(index)
    }

    /// The context of the call.
    pub(crate) fn context(&self) -> Context {
        Context::new(Arc::clone(self.state))
    }

    /// A state of the server. The server has made sure at start that it is there.
    pub(crate) fn state<T: Send + Sync + 'static>(&mut self) -> Option<Arc<T>> {
        let state = self.surroundings.states.get();
        if state.is_none() {
            self.problems.push(format!("the server has no state of the type `{}`", std::any::type_name::<T>()));
        }
        state
    }

    /// What a layer in front of the server has put into the extensions of the request.
    #[cfg(feature = "http")]
    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(&mut self) -> Option<T> {
        let extension = self.state.origin.caller.http.as_ref().and_then(|request| request.extensions.get::<T>());
        if extension.is_none() {
            self.missing_extension = Some(std::any::type_name::<T>());
        }
        extension.cloned()
    }

    /// The type of an extension that is missing: no fault of the client.
    pub(crate) fn missing_extension(&self) -> Option<&'static str> {
        self.missing_extension
    }

    /// What was found wrong, and how much more there is.
    pub(crate) fn into_problems(self) -> (Vec<String>, usize) {
        (self.problems, self.untold)
    }

    /// What the parameter is called in messages; the whole arguments object has no name.
    fn name(&self, index: usize) -> &'static str {
        if self.params.is_whole(index) { "" } else { self.params.get(index).map_or("", Param::name) }
    }

    fn unknown(&mut self, key: &str) {
        let names: Vec<_> = self.params.argument_names().collect();
        let mut problem = format!("`{}` is not an argument", shortened(key));
        if let Some(nearest) = nearest(key, &names) {
            let _ = write!(problem, "; did you mean `{nearest}`?");
        }
        self.problems.push(problem);
    }

    fn list_arguments(&mut self, unknown: usize) {
        let names: Vec<_> = self.params.argument_names().map(|name| format!("`{name}`")).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let more = unknown.checked_sub(MAX_UNKNOWN).filter(|more| *more > 0);
        let more = more.map(|more| format!("and {more} more are not; ")).unwrap_or_default();
        self.problems.push(format!("{more}the arguments are: {known}"));
    }
}

/// Reads a value. A `String` without escapes needs no deserializer; `T` is known when this is compiled, so other types do not pay
/// for the question.
fn read_into<T: DeserializeOwned + 'static>(place: &mut Option<T>, text: &str) -> serde_json::Result<()> {
    if let Some(string) = (place as &mut dyn Any).downcast_mut::<Option<String>>() {
        if let Some(plain) = scan::plain_string(text) {
            *string = Some(plain.to_owned());
            return Ok(());
        }
    }
    *place = Some(json::parse(text)?);
    Ok(())
}

/// The field that a deserializer misses. Serde has no other way to tell.
fn missing_field(error: &serde_json::Error) -> Option<String> {
    let reason = without_place(error);
    let (field, _) = reason.strip_prefix("missing field `")?.split_once('`')?;
    Some(field.to_owned())
}

/// Where inside of a value a deserializer stops, and why; `None` if it does not. It is asked last, since it knows Rust's
/// types and not the schema's.
fn stop<T: DeserializeOwned>(text: &str) -> Option<(Path, serde_json::Error)> {
    let mut deserializer = serde_json::Deserializer::from_slice(text.as_bytes());
    let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
    Some((error.path().clone(), error.into_inner()))
}

/// The same in words.
fn misfit(stopped: Option<(Path, serde_json::Error)>) -> (String, String) {
    let Some((path, error)) = stopped else { return (String::new(), "does not fit".to_owned()) };
    let path = match path.to_string().as_str() {
        "." => String::new(),
        path if path.starts_with('[') => path.to_owned(),
        path => format!(".{path}"),
    };
    (shortened_to(MAX_PLACE_CHARS, &path).into_owned(), in_words(&without_place(&error)))
}

/// What a model knows instead of the types of Rust, and instead of the half of a character that an escape may stand for.
fn in_words(reason: &str) -> String {
    const WORDS: &[(&str, &str)] = &[
        ("expected u64", "expected integer from 0 to 18446744073709551615"),
        ("expected usize", "expected integer from 0 to 18446744073709551615"),
        ("expected i64", "expected integer from -9223372036854775808 to 9223372036854775807"),
        ("expected isize", "expected integer from -9223372036854775808 to 9223372036854775807"),
        ("expected u128", "expected integer of at least 0"),
        ("expected i128", "expected integer"),
        ("expected f32", "expected number"),
        ("expected f64", "expected number"),
        ("unexpected end of hex escape", HALF_A_CHARACTER),
        ("lone leading surrogate in hex escape", HALF_A_CHARACTER),
    ];
    let known = WORDS.iter().find(|(rust, _)| reason.ends_with(rust));
    known.map_or(reason, |(_, words)| words).to_owned()
}

/// The failure that a model reads: every problem on a line, then how many more there are. `what` does not fit.
pub(crate) fn explain(what: &str, problems: &[String], untold: usize) -> String {
    let mut text = format!("{what} do not fit:");
    for problem in problems.iter().take(MAX_PROBLEMS) {
        // The whole arguments object has no name.
        let problem = problem.strip_prefix("``: ").unwrap_or(problem);
        let _ = write!(text, "\n- {}", problem.replacen("`.", "`", 1));
    }
    if let more @ 1.. = problems.len().saturating_sub(MAX_PROBLEMS) + untold {
        let _ = write!(text, "\n- and {more} more");
    }
    text
}

/// Reads the arguments object into the slots of a call.
struct Members<'c, 'a>(&'c mut Call<'a>);

impl<'a> DeserializeSeed<'a> for Members<'_, 'a> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Members<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let call = self.0;
        let mut unknown = 0;
        while let Some(Str(key)) = map.next_key()? {
            let value: &'a RawValue = map.next_value()?;
            let Some(index) = call.params.position(&key) else {
                unknown += 1;
                if !call.taking.open && unknown <= MAX_UNKNOWN {
                    call.unknown(&key);
                }
                continue;
            };
            let slot = call.slots.get_mut(index).ok_or_else(|| A::Error::custom("no such parameter"))?;
            if slot.replace(value.get()).is_some() && call.problems.len() < MAX_PROBLEMS {
                call.problems.push(format!("`{key}` is given twice"));
            }
        }
        if unknown > 0 && !call.taking.open {
            call.list_arguments(unknown);
        }
        Ok(())
    }
}
