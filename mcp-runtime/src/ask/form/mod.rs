//! What a form can ask for: as a trait of the types that hold the answers, and as a schema for the client.
//!
//! Spec: 2026-07-28, `client/elicitation`, "Requested Schema".

mod field;
mod read;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize,
};

use schemars::JsonSchema;
use schemars::generate::Contract;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use self::field::{Dialect, Field};
use crate::protocol::Revision;
use crate::schema::check::{Manner, check};
use crate::schema::pattern::Patterns;
use crate::schema::{generator, own_definitions};

/// What the user can be asked to fill in: a struct whose fields are [`FormField`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked for in a form",
    label = "not a form",
    note = "derive `Form`, `Deserialize` and `JsonSchema` for a struct with named fields",
    note = "a single value is asked for as a struct with one field"
)]
pub trait Form: FormData {}

#[diagnostic::do_not_recommend]
impl<T: IsForm + FormData> Form for T {}

/// What `#[derive(Form)]` implements for a struct. It asks for nothing, and what is asked of a [`Form`] besides is asked in
/// our words; and no text of the compiler lists its implementors.
#[doc(hidden)]
pub trait IsForm {}

/// What is derived beside [`Form`]: an answer is deserialized, and its schema is what the client is shown.
#[diagnostic::on_unimplemented(
    message = "`{Self}` needs further traits to be asked for",
    label = "not `Deserialize` and `JsonSchema`",
    note = "derive `Deserialize` and `JsonSchema` beside `Form`"
)]
pub trait FormData: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> FormData for T {}

/// What a field of a form can hold: a string, a number, a boolean, a choice, a list of choices (since 2025-11-25), and an
/// `Option` of one.
///
/// A type of another crate that is written as one of these, such as a date, is a field in a type of your own that is
/// `#[serde(transparent)]` and implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "not a field of a form",
    note = "a form has strings, numbers, booleans, choices (enums without data that derive `Form`), lists of choices, and an \
            `Option` of each",
    note = "a form is flat: move the fields of a struct here, or ask a second question; ask for a list of anything else as \
            one string, or one at a time"
)]
pub trait FormField {}

/// What the user can choose from: an enum without data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a choice of a form",
    label = "not a choice",
    note = "a choice is an enum without data that derives `Form`, `Deserialize` and `JsonSchema`"
)]
pub trait FormChoice: FormData {}

#[diagnostic::do_not_recommend]
impl<T: IsChoice + FormData> FormChoice for T {}

/// What `#[derive(Form)]` implements for an enum.
#[doc(hidden)]
pub trait IsChoice {}

#[diagnostic::do_not_recommend]
impl<T: FormChoice> FormField for T {}

#[diagnostic::do_not_recommend]
impl<T: FormField> FormField for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: FormChoice> FormField for Vec<T> {}

#[diagnostic::do_not_recommend]
impl<T: FormChoice> FormField for BTreeSet<T> {}

#[diagnostic::do_not_recommend]
impl<T: FormChoice, S> FormField for HashSet<T, S> {}

macro_rules! fields {
    ($($ty:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl FormField for $ty {}
    )* };
}

fields! {
    String Box<str> Cow<'static, str> char bool f32 f64
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
    NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
    NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize
}

/// The schema of a form: what each revision can show of it, and what an answer has to keep to.
#[derive(Debug)]
pub(crate) struct FormSchema {
    fields: Vec<Field>,
    /// What an answer is checked against.
    checked: Value,
    patterns: Patterns,
}

impl FormSchema {
    /// The form of a type.
    ///
    /// # Errors
    /// Which fields no form can have, and what may stand there.
    pub(crate) fn of<T: JsonSchema>() -> Result<Self, String> {
        let mut generator = generator(Contract::Deserialize);
        let schema = generator.subschema_for::<T>().to_value();
        let definitions = generator.take_definitions(true);
        Self::new(&schema, &definitions)
    }

    /// The form of a schema that comes from outside. Keywords that no form can have are left out; a pattern and exclusive
    /// bounds are checked all the same.
    ///
    /// # Errors
    /// Which fields no form can have, and what may stand there.
    pub(crate) fn raw(schema: &Value) -> Result<Self, String> {
        Self::new(schema, &own_definitions(schema))
    }

    fn new(schema: &Value, definitions: &Map<String, Value>) -> Result<Self, String> {
        let fields = read::fields(schema, definitions)?;
        let checked = object(&fields, Dialect::Check);
        let (mut patterns, mut problems) = (Patterns::default(), Vec::new());
        patterns.add(&checked, &mut problems);
        let form = Self { fields, checked, patterns };
        problems.extend(form.fields.iter().filter_map(|field| form.default_problem(field)));
        if problems.is_empty() { Ok(form) } else { Err(problems.join("; ")) }
    }

    /// What is wrong with the default of a field.
    fn default_problem(&self, field: &Field) -> Option<String> {
        let (schema, default) = (field.to_json(Dialect::Check), field.default.as_ref()?);
        let definitions = Map::new();
        let found = check(&schema, &definitions, &self.patterns, &field.name, &default.to_string(), Manner::STRICT);
        let problem = found.problems.into_iter().next()?;
        Some(format!("a default does not fit its field: {problem}"))
    }

    /// The schema for clients of a revision.
    ///
    /// # Errors
    /// Which fields these clients cannot show.
    pub(crate) fn project(&self, revision: Revision) -> Result<Value, String> {
        if revision < Revision::V2025_06_18 {
            return Err(format!("revision {revision} has no forms"));
        }
        if revision >= Revision::V2025_11_25 {
            return Ok(object(&self.fields, Dialect::Titles));
        }
        let lists: Vec<String> =
            self.fields.iter().filter(|field| field.is_list()).map(|field| format!("`{}`", field.name)).collect();
        if lists.is_empty() {
            return Ok(object(&self.fields, Dialect::Names));
        }
        Err(format!(
            "a client of revision {revision} cannot show lists of choices ({}); ask for one choice, or for a boolean for each",
            lists.join(", ")
        ))
    }

    /// Checks the content of an answer, a JSON text; returns it as its type takes it: integers without a fraction, and
    /// without a null for what is optional.
    ///
    /// # Errors
    /// What is wrong with it, one problem each.
    pub(crate) fn check<'c>(&self, content: &'c str) -> Result<Cow<'c, str>, Vec<String>> {
        if !content.starts_with('{') {
            return Err(vec!["`content` must be an object with the fields of the form".to_owned()]);
        }
        let definitions = Map::new();
        let manner = Manner { drop_nulls: true, ..Manner::STRICT };
        let found = check(&self.checked, &definitions, &self.patterns, "", content, manner);
        if found.problems.is_empty() {
            return Ok(found.changed.map_or(Cow::Borrowed(content), Cow::Owned));
        }
        // The content itself has no name.
        let mut problems: Vec<String> = found.problems.iter().map(|problem| problem.replacen("`.", "`", 1)).collect();
        if found.untold > 0 {
            problems.push(format!("and {} more", found.untold));
        }
        Err(problems)
    }
}

fn object(fields: &[Field], dialect: Dialect) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), field.to_json(dialect))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    Value::Object(schema)
}

#[cfg(test)]
mod tests;
