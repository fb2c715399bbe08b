//! Checking a value against a schema: every problem in one go, each with its place, and on the way the repair of what is
//! right but for its spelling.
//!
//! Deserializing is the check of most calls. This walk is for the others: for a type whose deserializer takes more than
//! its schema says, and for a value that the deserializer has refused, which stops at the first problem.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::pattern::Patterns;
use super::resolve;
use super::words::{excluded, kind, one_of};
use crate::json::{self, View, integer};
use crate::text::{nearest, shortened, shortened_to};

/// How much is told of where a problem is: keys come from the client.
pub(crate) const MAX_PLACE_CHARS: usize = 200;

/// How deep a value is followed. Deserializing refuses deeper ones anyway.
const MAX_DEPTH: usize = 128;

/// How much of even a short text is looked at, in bytes, before the check is given up. A value that fits no branch of a union is
/// looked at by all of them, and a recursive type has unions in unions.
const MAX_WORK: usize = 4 * 1024 * 1024;

/// How often each byte of a long text may be looked at: once for each value that it is in, and for each branch of a union. A list
/// of digits takes nine.
const WORK_FACTOR: usize = 256;

/// What a value costs besides its bytes.
const VALUE_WORK: usize = 16;

/// How many problems are told: a model mends the first ones first, and finding more costs time.
pub(crate) const MAX_PROBLEMS: usize = 20;

/// How a value is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner<'m> {
    /// Whether a string that spells a value of the wanted type is that value.
    pub(crate) unquote: bool,
    /// Whether a null for what is optional is taken out, and not only let pass.
    pub(crate) drop_nulls: bool,
    /// Optional members that are given a null where they are missing.
    pub(crate) fill_nulls: &'m [String],
}

impl Manner<'_> {
    /// The value as it stands.
    pub(crate) const STRICT: Manner<'static> = Manner { unquote: false, drop_nulls: false, fill_nulls: &[] };
}

/// What a walk has found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) problems: Vec<String>,
    /// How many more there are.
    pub(crate) untold: usize,
    /// The text of the value as its schema wants it, if it had to be changed.
    pub(crate) changed: Option<String>,
    /// Whether there was a null for something optional.
    pub(crate) has_optional_null: bool,
}

/// Checks the JSON text of a value that is called `name`.
pub(crate) fn check<'s>(
    schema: &'s Value,
    definitions: &'s Map<String, Value>,
    patterns: &'s Patterns,
    name: &str,
    text: &str,
    manner: Manner<'s>,
) -> Found {
    let place = if name.is_empty() { Vec::new() } else { vec![name.to_owned()] };
    let (followed, problems) = (Vec::new(), Vec::new());
    let work = text.len().saturating_mul(WORK_FACTOR).saturating_add(MAX_WORK);
    let mut walk = Walk { definitions, patterns, manner, place, followed, problems, has_optional_null: false, work };
    let changed = walk.value(schema, text);
    if walk.work == 0 {
        walk.problems.clear();
        walk.problem("cannot be checked, since there are too many ways to read it; nest it less deeply".to_owned());
    }
    let untold = walk.problems.len().saturating_sub(MAX_PROBLEMS);
    let problems = walk.problems.into_iter().take(MAX_PROBLEMS).map(Problem::into_line).collect();
    Found { problems, untold, changed, has_optional_null: walk.has_optional_null }
}

/// One thing that is wrong.
#[derive(Debug)]
struct Problem {
    /// Where, as the model would write it: `steps[1].n`.
    place: String,
    what: String,
    /// How deep it stands. Of the branches of a union, the one that fails deepest was meant.
    depth: usize,
    /// The tag, if it is another than this branch of a union wants.
    tag: Option<Tag>,
}

/// The value that tells the branches of a union apart.
#[derive(Debug, Clone)]
struct Tag {
    wanted: String,
    got: String,
}

struct Walk<'s> {
    definitions: &'s Map<String, Value>,
    patterns: &'s Patterns,
    manner: Manner<'s>,
    /// The path to the value: a name, then `.member` and `[index]`.
    place: Vec<String>,
    /// The references that are being followed, each with the value it is followed for: both by their addresses.
    followed: Vec<(*const Value, *const u8)>,
    problems: Vec<Problem>,
    has_optional_null: bool,
    /// How much may still be looked at; zero once it was too much.
    work: usize,
}

impl<'s> Walk<'s> {
    /// Checks a value; returns its text if that had to be changed.
    fn value(&mut self, schema: &'s Value, text: &str) -> Option<String> {
        self.work = self.work.saturating_sub(text.len() + VALUE_WORK);
        if self.place.len() > MAX_DEPTH || self.work == 0 {
            self.problem("is nested too deeply".to_owned());
            return None;
        }
        if schema.get("$ref").is_none() {
            return self.fitting(schema, text);
        }
        // A schema from outside may refer to itself without ever looking into the value.
        let step = (std::ptr::from_ref(schema), text.as_ptr());
        if self.followed.contains(&step) {
            self.problem("cannot be checked, since its schema refers to itself".to_owned());
            return None;
        }
        self.followed.push(step);
        let changed = self.fitting(schema, text);
        self.followed.pop();
        changed
    }

    fn fitting(&mut self, schema: &'s Value, text: &str) -> Option<String> {
        let schema = self.resolve(schema);
        let keywords = schema.as_object()?;
        let view = View::of(text)?;
        if !type_fits(keywords, &view) {
            match self.unquoted(schema, &view) {
                Some(Ok(changed)) => return Some(changed),
                Some(Err(problems)) => self.problems.extend(problems),
                None => self.misfit(schema, &view, text),
            }
            return None;
        }
        let Some(branches) = union(keywords) else { return self.own(keywords, &view, text) };
        let problems = self.problems.len();
        let chosen = self.union(schema, branches, &view, text);
        if self.problems.len() > problems {
            return None;
        }
        // What stands beside the union holds for the value too.
        let text = chosen.as_deref().unwrap_or(text);
        let own = View::of(text).and_then(|view| self.own(keywords, &view, text));
        own.or(chosen)
    }

    /// Follows a reference to a definition, as recursive types have them.
    fn resolve(&self, schema: &'s Value) -> &'s Value {
        resolve(schema, self.definitions)
    }

    /// Checks without keeping the problems.
    fn trial(&mut self, check: impl FnOnce(&mut Self) -> Option<String>) -> (Option<String>, Vec<Problem>) {
        let kept = std::mem::take(&mut self.problems);
        let changed = check(self);
        (changed, std::mem::replace(&mut self.problems, kept))
    }

    /// A string where none is wanted may spell what is; it is never trimmed, and has to fit. If it is of the type that is wanted,
    /// what else is wrong with it is wrong with the value.
    fn unquoted(&mut self, schema: &'s Value, view: &View<'_>) -> Option<Result<String, Vec<Problem>>> {
        let View::String(string) = view else { return None };
        let spelt = View::of(string).filter(|_| is_json(string))?;
        if !self.manner.unquote || matches!(spelt, View::Null | View::String(_)) {
            return None;
        }
        let (changed, problems) = self.trial(|walk| walk.value(schema, string));
        if problems.is_empty() {
            return Some(Ok(changed.unwrap_or_else(|| string.clone().into_owned())));
        }
        let is_of_type = schema.as_object().is_some_and(|keywords| type_fits(keywords, &spelt));
        is_of_type.then_some(Err(problems))
    }

    /// Checks a union: one branch has to fit.
    fn union(&mut self, schema: &'s Value, branches: &'s [Value], view: &View<'_>, text: &str) -> Option<String> {
        let unquote = self.manner.unquote;
        // A string is first taken as it is, here and inside: another branch may want one.
        self.manner.unquote = false;
        let strict = self.first_that_fits(branches, view, text);
        self.manner.unquote = unquote;
        let mut failed = match strict {
            Ok(changed) => return changed,
            Err(failed) => failed,
        };
        let may_be_meant = matches!(view, View::String(_)) && self.takes_strings(schema);
        if unquote && !may_be_meant {
            match self.first_that_fits(branches, view, text) {
                Ok(changed) => return changed,
                Err(lenient) => failed = lenient,
            }
        }
        self.report_union(schema, view, text, failed);
        None
    }

    fn first_that_fits(
        &mut self,
        branches: &'s [Value],
        view: &View<'_>,
        text: &str,
    ) -> Result<Option<String>, Vec<Vec<Problem>>> {
        let mut failed = Vec::new();
        for branch in branches {
            match self.branch(branch, view, text) {
                (changed, problems) if problems.is_empty() => return Ok(changed),
                (_, problems) => failed.push(problems),
            }
        }
        Err(failed)
    }

    /// Checks a branch of a union. One whose tag is another is not looked at any further: what is inside may be a union again.
    fn branch(&mut self, branch: &'s Value, view: &View<'_>, text: &str) -> (Option<String>, Vec<Problem>) {
        if let Some((name, tag, value)) = self.tag(branch, view) {
            let (changed, problems) = self.trial(|walk| walk.at(format!(".{name}"), tag, value.get()));
            if !problems.is_empty() {
                return (changed, problems);
            }
        }
        self.trial(|walk| walk.value(branch, text))
    }

    /// The member that tells an object of this branch from those of others: its name, its schema and its value.
    fn tag<'v>(&self, branch: &'s Value, view: &View<'v>) -> Option<(&'s str, &'s Value, &'v RawValue)> {
        let View::Object(members) = view else { return None };
        let properties = self.resolve(branch).get("properties")?.as_object()?;
        let (name, tag) = properties.iter().find(|(_, property)| property.get("const").is_some())?;
        let (_, value) = members.iter().find(|(key, _)| key == name)?;
        Some((name, tag, value))
    }

    /// Tells what is wrong with a value that fits no branch, by the branch that was most likely meant.
    fn report_union(&mut self, schema: &'s Value, view: &View<'_>, text: &str, failed: Vec<Vec<Problem>>) {
        let tag = |problems: &Vec<Problem>| problems.iter().find_map(|problem| problem.tag.clone());
        let tags: Vec<String> = failed.iter().filter_map(tag).map(|tag| tag.wanted).collect();
        let depth = self.place.len();
        let meant = failed.into_iter().max_by_key(|problems| {
            let deepest = problems.iter().map(|problem| problem.depth).max().unwrap_or_default();
            (tag(problems).is_none(), deepest, std::cmp::Reverse(problems.len()))
        });
        let Some(meant) = meant else { return };
        if let Some(what) = unknown_variant(schema, view) {
            self.problem(what);
        } else if let Some((wrong, tag)) = meant.iter().find_map(|problem| Some((problem, problem.tag.as_ref()?))) {
            let what = format!("expected one of {}, got {}", tags.join(", "), tag.got);
            self.problems.push(Problem { place: wrong.place.clone(), what, depth: wrong.depth, tag: None });
        } else if meant.iter().all(|problem| problem.depth <= depth) && !matches!(view, View::Object(_)) {
            self.misfit(schema, view, text);
        } else {
            self.problems.extend(meant);
        }
    }

    /// Checks everything but unions.
    fn own(&mut self, schema: &'s Map<String, Value>, view: &View<'_>, text: &str) -> Option<String> {
        self.constants(schema, view, text);
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            // A part of the whole cannot change it; what it would change, the whole does.
            self.value(part, text);
        }
        match view {
            View::Number(number) => self.number(schema, number),
            View::String(string) => {
                self.size(schema, string.chars().count(), "minLength", "maxLength");
                self.pattern(schema, string);
                None
            }
            View::Array(items) => self.array(schema, items),
            View::Object(members) => self.object(schema, members),
            View::Null | View::Bool => None,
        }
    }

    fn constants(&mut self, schema: &'s Map<String, Value>, view: &View<'_>, text: &str) {
        let same = |value: &Value| match (view, value) {
            (View::Number(number), Value::Number(wanted)) => integer(number).as_deref() == Some(&wanted.to_string()),
            (View::String(string), Value::String(wanted)) => string == wanted,
            _ => json::tree(text).is_ok_and(|got| got == *value),
        };
        if let Some(wanted) = schema.get("const").filter(|wanted| !same(wanted)) {
            let tag = Tag { wanted: json::text(wanted), got: shortened(text).into_owned() };
            self.problem(format!("expected {}, got {}", tag.wanted, tag.got));
            if let Some(problem) = self.problems.last_mut() {
                problem.tag = Some(tag);
            }
        }
        let Some(Value::Array(values)) =
            schema.get("enum").filter(|values| !values.as_array().is_some_and(|values| values.iter().any(same)))
        else {
            return;
        };
        let names: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let guess = match view {
            View::String(string) => nearest(string, &names).map(|name| format!("; did you mean \"{name}\"?")),
            _ => None,
        };
        self.problem(format!("expected {}, got {}{}", one_of(values), shortened(text), guess.unwrap_or_default()));
    }

    fn number(&mut self, schema: &'s Map<String, Value>, number: &str) -> Option<String> {
        let is_single = schema.get("format").is_some_and(|format| format == "float");
        if is_single && number.parse::<f64>().is_ok_and(|number| number.abs() > f64::from(f32::MAX)) {
            self.problem(format!("expected number from -3.4e38 to 3.4e38, got {}", shortened(number)));
        }
        let breaks = |keyword: &str, wrong: &[Ordering]| {
            let bound = schema.get(keyword).and_then(Value::as_number);
            bound.is_some_and(|bound| compare(number, &bound.to_string()).is_some_and(|order| wrong.contains(&order)))
        };
        if breaks("minimum", &[Ordering::Less])
            || breaks("maximum", &[Ordering::Greater])
            || breaks("exclusiveMinimum", &[Ordering::Less, Ordering::Equal])
            || breaks("exclusiveMaximum", &[Ordering::Greater, Ordering::Equal])
            || excluded(schema).is_some_and(|value| compare(number, &json::text(value)) == Some(Ordering::Equal))
        {
            self.problem(format!("expected {}, got {}", kind(schema), shortened(number)));
        }
        let is_integer = schema.get("type").and_then(Value::as_str) == Some("integer");
        let plain = integer(number).filter(|plain| is_integer && plain != number)?;
        Some(plain.into_owned())
    }

    /// Checks the length of a string or an array.
    fn size(&mut self, schema: &'s Map<String, Value>, size: usize, least: &str, most: &str) {
        let bound =
            |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
        if bound(least).is_some_and(|least| size < least) || bound(most).is_some_and(|most| size > most) {
            let unit = if least == "minLength" { "character" } else { "item" };
            let plural = if size == 1 { "" } else { "s" };
            self.problem(format!("expected {}, got {size} {unit}{plural}", kind(schema)));
        }
    }

    fn pattern(&mut self, schema: &'s Map<String, Value>, string: &str) {
        let pattern = schema.get("pattern").and_then(Value::as_str);
        if let Some(pattern) = pattern.filter(|pattern| !self.patterns.matches(pattern, string)) {
            self.problem(format!("expected a string that matches {pattern}, got {}", shortened(string)));
        }
    }

    fn array(&mut self, schema: &'s Map<String, Value>, items: &[&RawValue]) -> Option<String> {
        self.size(schema, items.len(), "minItems", "maxItems");
        let places = schema.get("prefixItems").and_then(Value::as_array);
        let others = schema.get("items");
        let mut parts = Parts::default();
        for (index, item) in items.iter().enumerate() {
            let wanted = places.and_then(|places| places.get(index)).or(others);
            let changed = wanted.and_then(|wanted| self.at(format!("[{index}]"), wanted, item.get()));
            parts.push(item.get(), changed);
        }
        parts.changed().map(|items| format!("[{}]", items.join(",")))
    }

    fn object(&mut self, schema: &'s Map<String, Value>, members: &[(Cow<'_, str>, &RawValue)]) -> Option<String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut parts = Parts::default();
        for (key, value) in members {
            let json_key = Value::from(key.as_ref());
            let changed = match properties.and_then(|properties| properties.get(key.as_ref())) {
                Some(wanted) if value.get() == "null" && !required.contains(&json_key) && !self.takes_null(wanted) => {
                    self.has_optional_null = true;
                    if self.manner.drop_nulls {
                        parts.is_changed = true;
                        continue;
                    }
                    None
                }
                Some(wanted) => self.at(format!(".{key}"), wanted, value.get()),
                None => self.additional(schema, key, value),
            };
            let json_key = json::text(&json_key);
            let changed = changed.map(|changed| format!("{json_key}:{changed}"));
            parts.push(&format!("{json_key}:{}", value.get()), changed);
        }
        let is_missing = |name: &str| !members.iter().any(|(key, _)| key == name);
        for name in required.iter().filter_map(Value::as_str).filter(|name| is_missing(name)) {
            self.place.push(format!(".{name}"));
            self.problem("is required and missing".to_owned());
            self.place.pop();
        }
        for name in self.manner.fill_nulls.iter().filter(|name| is_missing(name)) {
            if properties.is_some_and(|properties| properties.contains_key(name)) {
                parts.is_changed = true;
                parts.push(&format!("{}:null", json::text(&name.as_str().into())), None);
            }
        }
        parts.changed().map(|members| format!("{{{}}}", members.join(",")))
    }

    /// Checks a member that the schema does not name.
    fn additional(&mut self, schema: &'s Map<String, Value>, key: &str, value: &RawValue) -> Option<String> {
        // Keys by pattern are those of maps with numbers for keys: whether it is one, the deserializer knows.
        if let Some(patterns) = schema.get("patternProperties").and_then(Value::as_object) {
            let wanted = patterns.values().next().filter(|_| patterns.len() == 1)?;
            return self.at(format!(".{key}"), wanted, value.get());
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                let names: Vec<&str> = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
                let guess = nearest(key, &names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
                self.place.push(format!(".{}", shortened(key)));
                self.problem(format!("is not known{guess}"));
                self.place.pop();
                None
            }
            Some(wanted @ Value::Object(_)) => self.at(format!(".{key}"), wanted, value.get()),
            _ => None,
        }
    }

    fn at(&mut self, step: String, schema: &'s Value, text: &str) -> Option<String> {
        self.place.push(step);
        let changed = self.value(schema, text);
        self.place.pop();
        changed
    }

    fn takes_null(&self, schema: &'s Value) -> bool {
        self.takes(schema, &View::Null)
    }

    fn takes_strings(&self, schema: &'s Value) -> bool {
        self.takes(schema, &View::String(Cow::Borrowed("")))
    }

    /// Whether a schema takes values of this type at all.
    fn takes(&self, schema: &'s Value, view: &View<'_>) -> bool {
        let Some(keywords) = self.resolve(schema).as_object() else { return true };
        let in_union = union(keywords).is_none_or(|branches| branches.iter().any(|branch| self.takes(branch, view)));
        type_fits(keywords, view) && in_union
    }

    /// Reports that the value is of another type than the schema wants.
    fn misfit(&mut self, schema: &'s Value, view: &View<'_>, text: &str) {
        let mut kinds: Vec<String> = Vec::new();
        self.kinds(schema, &mut kinds, 0);
        let value = match view {
            View::Array(_) | View::Object(_) | View::Null => String::new(),
            _ => format!(" {}", shortened(text)),
        };
        self.problem(format!("expected {}, got {}{value}", kinds.join(" or "), view.type_name()));
    }

    /// What the schema wants, in words; for a union, each branch.
    fn kinds(&self, schema: &'s Value, kinds: &mut Vec<String>, depth: usize) {
        let Some(keywords) = self.resolve(schema).as_object().filter(|_| depth < 8) else { return };
        if let Some(branches) = union(keywords) {
            return branches.iter().for_each(|branch| self.kinds(branch, kinds, depth + 1));
        }
        let kind = kind(keywords);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }

    /// Reports a problem at the current place.
    fn problem(&mut self, what: String) {
        self.problems.push(Problem { place: self.place.concat(), what, depth: self.place.len(), tag: None });
    }
}

impl Problem {
    fn into_line(self) -> String {
        let colon = if self.what.starts_with("expected") { ":" } else { "" };
        format!("`{}`{colon} {}", shortened_to(MAX_PLACE_CHARS, &self.place), self.what)
    }
}

/// The texts of items or members, and whether one of them was changed.
#[derive(Debug, Default)]
struct Parts {
    texts: Vec<String>,
    is_changed: bool,
}

impl Parts {
    fn push(&mut self, text: &str, changed: Option<String>) {
        self.is_changed |= changed.is_some();
        self.texts.push(changed.unwrap_or_else(|| text.to_owned()));
    }

    fn changed(self) -> Option<Vec<String>> {
        self.is_changed.then_some(self.texts)
    }
}

fn union(schema: &Map<String, Value>) -> Option<&[Value]> {
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array()).map(Vec::as_slice)
}

/// What is wrong with an object that names no variant of an enum whose variants are each an object with one member. Each
/// branch by itself would tell that its own variant is missing.
fn unknown_variant(schema: &Value, view: &View<'_>) -> Option<String> {
    let View::Object(members) = view else { return None };
    let branches = union(schema.as_object()?)?.iter().filter(|branch| branch["type"] != "string");
    let names: Vec<&str> = branches.map(variant_member).collect::<Option<_>>()?;
    if members.iter().any(|(key, _)| names.contains(&key.as_ref())) {
        return None;
    }
    let guess = members.iter().find_map(|(key, _)| nearest(key, &names));
    let guess = guess.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    Some(format!("expected an object with one of {}{guess}", names.join(", ")))
}

/// The only member that an object can have and must have.
fn variant_member(branch: &Value) -> Option<&str> {
    let is_closed = branch.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = branch.get("properties")?.as_object().filter(|properties| is_closed && properties.len() == 1)?;
    let name = properties.keys().next()?;
    branch.get("required")?.as_array()?.iter().any(|required| required == name).then_some(name)
}

/// Whether the whole text is one JSON value without white space around it.
fn is_json(text: &str) -> bool {
    text.trim() == text && json::parse::<serde::de::IgnoredAny>(text).is_ok()
}

fn type_fits(schema: &Map<String, Value>, view: &View<'_>) -> bool {
    let name = view.type_name();
    let fits = |wanted: &str| wanted == name || (wanted == "number" && name == "integer");
    match schema.get("type") {
        Some(Value::String(wanted)) => fits(wanted),
        Some(Value::Array(wanted)) => wanted.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}

fn compare(number: &str, bound: &str) -> Option<Ordering> {
    if let (Some(number), Some(bound)) = (integer(number), integer(bound)) {
        if let (Ok(number), Ok(bound)) = (number.parse::<i128>(), bound.parse::<i128>()) {
            return Some(number.cmp(&bound));
        }
    }
    number.parse::<f64>().ok()?.partial_cmp(&bound.parse().ok()?)
}

#[cfg(test)]
mod tests;
