//! `completion/complete`.
//!
//! Spec: 2026-07-28, `server/utilities/completion`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::json;
use crate::jsonrpc::{ErrorObject, present, without_place, write_json};
use crate::text::shortened;

/// How many values one answer has at most.
pub(crate) const MAX_VALUES: usize = 100;

/// What is completed: an argument of a prompt, or a variable of a resource template.
#[derive(Debug)]
pub(crate) enum Reference {
    Prompt { name: String },
    Resource { uri: String },
}

/// The same with the members of both kinds. An enum by its tag would bring the code that keeps any value until the tag is
/// found.
#[derive(Deserialize)]
struct RawReference<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    name: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    uri: Option<&'a RawValue>,
}

impl RawReference<'_> {
    fn read(&self) -> Result<Reference, String> {
        match string("type", self.kind)?.as_str() {
            "ref/prompt" => Ok(Reference::Prompt { name: string("name", self.name)? }),
            "ref/resource" => Ok(Reference::Resource { uri: string("uri", self.uri)? }),
            kind => Err(format!("unknown variant `{}`, expected `ref/prompt` or `ref/resource`", shortened(kind))),
        }
    }
}

fn string(member: &str, raw: Option<&RawValue>) -> Result<String, String> {
    let raw = raw.ok_or_else(|| format!("missing field `{member}`"))?;
    json::parse(raw.get()).map_err(|error| without_place(&error))
}

#[derive(Debug, Deserialize)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// What is typed so far.
    pub(crate) value: String,
}

#[derive(Debug, Default, Deserialize)]
struct Context {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

/// The params of `completion/complete`.
#[derive(Debug)]
pub(crate) struct CompleteRequest {
    pub(crate) reference: Reference,
    pub(crate) argument: Argument,
    /// The other arguments, as far as they are known.
    pub(crate) others: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct RawComplete<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "ref")]
    reference: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    argument: Option<&'a RawValue>,
    #[serde(borrow)]
    context: Option<&'a RawValue>,
}

impl CompleteRequest {
    /// Reads the params.
    ///
    /// # Errors
    /// `-32602` naming the member that is missing or wrong.
    pub(crate) fn decode(params: Option<&RawValue>) -> Result<Self, ErrorObject> {
        let params = params.ok_or_else(|| ErrorObject::invalid_params("`completion/complete` needs params"))?;
        let raw: RawComplete<'_> = super::meta::object(params, "params")?;
        let missing = |what: &str| ErrorObject::invalid_params(format!("`{what}` is missing"));
        let reference: RawReference<'_> = super::meta::object(raw.reference.ok_or_else(|| missing("ref"))?, "ref")?;
        let argument = super::meta::object(raw.argument.ok_or_else(|| missing("argument"))?, "argument")?;
        let context: Context =
            raw.context.map_or_else(|| Ok(Context::default()), |raw| super::meta::object(raw, "context"))?;
        let reference = reference
            .read()
            .map_err(|problem| ErrorObject::invalid_params(format!("`ref` is malformed: {problem}")))?;
        Ok(Self { reference, argument, others: context.arguments })
    }
}

/// Values that an argument may have, the best first.
///
/// A list of strings converts into it. A client gets at most 100 values; of more, the first ones, and it is told so.
///
/// # Spec
/// 2026-07-28, `schema`, `CompleteResult`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The values.
    pub values: Vec<String>,
    /// How many there are, if that is known; that of `values` by default.
    pub total: Option<u64>,
    /// Whether there are more than these.
    pub has_more: bool,
}

impl Completion {
    /// These values, and no others.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { values: values.into_iter().map(Into::into).collect(), total: None, has_more: false }
    }

    /// Says how many there are in all.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// Says that there are more than these.
    #[must_use]
    pub fn has_more(mut self) -> Self {
        self.has_more = true;
        self
    }

    /// Appends the member of the result.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Written<'a> {
            values: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            total: Option<u64>,
            has_more: bool,
        }
        let count = self.values.len();
        let values = self.values.get(..MAX_VALUES).unwrap_or(&self.values);
        // What is not known is not said: there may be more than were made.
        let total = self.total.or_else(|| u64::try_from(count).ok().filter(|_| !self.has_more));
        let has_more = self.has_more || count > MAX_VALUES || total.is_some_and(|total| total > values.len() as u64);
        out.extend_from_slice(br#""completion":"#);
        write_json(out, &Written { values, total, has_more });
    }
}

impl<S: Into<String>> From<Vec<S>> for Completion {
    fn from(values: Vec<S>) -> Self {
        Self::new(values)
    }
}

impl<S: Into<String>, const N: usize> From<[S; N]> for Completion {
    fn from(values: [S; N]) -> Self {
        Self::new(values)
    }
}
