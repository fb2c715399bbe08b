//! What a client can be asked.
//!
//! Spec: 2026-07-28, `schema`, `ClientCapabilities`.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::Revision;
use crate::json;

/// One thing that a client may declare that it can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClientCapability {
    /// Show a form to the user. Since 2025-06-18.
    ElicitationForm,
    /// Send the user to a URL. Since 2025-11-25.
    ElicitationUrl,
    /// Let its model write a message.
    Sampling,
    /// Let its model call tools meanwhile. Since 2025-11-25.
    SamplingTools,
    /// Give the model context of this server or of all; declared since 2025-11-25, before it came with sampling.
    SamplingContext,
    /// Tell the folders that it works in.
    Roots,
}

impl ClientCapability {
    /// All, in the order of the schema.
    const ALL: [Self; 6] = [
        Self::ElicitationForm,
        Self::ElicitationUrl,
        Self::Roots,
        Self::Sampling,
        Self::SamplingContext,
        Self::SamplingTools,
    ];

    /// The member of the capabilities that it is declared by, and the one inside of that.
    const fn path(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::ElicitationForm => ("elicitation", Some("form")),
            Self::ElicitationUrl => ("elicitation", Some("url")),
            Self::Roots => ("roots", None),
            Self::Sampling => ("sampling", None),
            Self::SamplingContext => ("sampling", Some("context")),
            Self::SamplingTools => ("sampling", Some("tools")),
        }
    }

    /// The first revision that has it.
    const fn since(self) -> Revision {
        match self {
            Self::ElicitationForm => Revision::V2025_06_18,
            Self::ElicitationUrl | Self::SamplingTools => Revision::V2025_11_25,
            Self::Roots | Self::Sampling | Self::SamplingContext => Revision::V2024_11_05,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// What a client with it can do, as the end of "this client cannot".
    pub(crate) const fn ability(self) -> &'static str {
        match self {
            Self::ElicitationForm => "show a form to the user",
            Self::ElicitationUrl => "open a URL for the user",
            Self::Roots => "tell which folders it works in",
            Self::Sampling => "let its model write a message",
            Self::SamplingContext => "give context to its model",
            Self::SamplingTools => "let its model call tools for a message",
        }
    }
}

/// As it stands in the capabilities, such as `elicitation.url`.
impl std::fmt::Display for ClientCapability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path() {
            (member, None) => f.write_str(member),
            (member, Some(inner)) => write!(f, "{member}.{inner}"),
        }
    }
}

/// What a client has declared that it can be asked.
///
/// # Examples
/// ```
/// use mcp_runtime::{ClientCapabilities, ClientCapability};
///
/// assert!(!ClientCapabilities::default().has(ClientCapability::Sampling));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientCapabilities(u8);

impl ClientCapabilities {
    /// Whether the client has declared it.
    #[must_use]
    pub const fn has(self, capability: ClientCapability) -> bool {
        self.0 & capability.bit() != 0
    }

    /// Whether the client has declared nothing that it can be asked.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Reads the capabilities of a client. What is malformed, or not of the revision, is not declared: no client should
    /// be turned away for what nobody asks it.
    pub(crate) fn decode(raw: &RawValue, revision: Revision) -> Self {
        let declared: RawCapabilities<'_> = lenient(raw);
        let mut read = Self::default();
        if let Some(elicitation) = declared.elicitation.filter(is_object) {
            let modes: RawElicitation<'_> = lenient(elicitation);
            let has_url = modes.url.is_some_and(|url| is_object(&url));
            // An empty object is from when there were forms only.
            if modes.form.map_or(!has_url, |form| is_object(&form)) {
                read = read.with(ClientCapability::ElicitationForm);
            }
            if has_url {
                read = read.with(ClientCapability::ElicitationUrl);
            }
        }
        if let Some(sampling) = declared.sampling.filter(is_object) {
            let parts: RawSampling<'_> = lenient(sampling);
            read = read.with(ClientCapability::Sampling);
            if parts.tools.is_some_and(|tools| is_object(&tools)) {
                read = read.with(ClientCapability::SamplingTools);
            }
            // Before it was declared, it came with sampling.
            if parts.context.is_some_and(|context| is_object(&context)) || revision < Revision::V2025_11_25 {
                read = read.with(ClientCapability::SamplingContext);
            }
        }
        if declared.roots.is_some_and(|roots| is_object(&roots)) {
            read = read.with(ClientCapability::Roots);
        }
        read.iter().filter(|capability| revision >= capability.since()).collect()
    }

    /// The same and one more.
    #[must_use]
    pub(crate) const fn with(self, capability: ClientCapability) -> Self {
        Self(self.0 | capability.bit())
    }

    /// As they are declared, and as `error.data.requiredCapabilities` of -32021 has them: `{"elicitation":{"url":{}}}`.
    pub(crate) fn to_json(self) -> Value {
        let mut object = Map::new();
        for capability in self.iter() {
            let (member, inner) = capability.path();
            let member = object.entry(member).or_insert_with(|| json!({}));
            if let (Some(member), Some(inner)) = (member.as_object_mut(), inner) {
                member.insert(inner.to_owned(), json!({}));
            }
        }
        Value::Object(object)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = ClientCapability> {
        ClientCapability::ALL.into_iter().filter(move |capability| self.has(*capability))
    }
}

impl FromIterator<ClientCapability> for ClientCapabilities {
    fn from_iter<I: IntoIterator<Item = ClientCapability>>(capabilities: I) -> Self {
        capabilities.into_iter().fold(Self::default(), Self::with)
    }
}

impl From<ClientCapability> for ClientCapabilities {
    fn from(capability: ClientCapability) -> Self {
        Self::default().with(capability)
    }
}

impl std::fmt::Debug for ClientCapabilities {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[derive(Default, Deserialize)]
struct RawCapabilities<'a> {
    #[serde(borrow)]
    elicitation: Option<&'a RawValue>,
    #[serde(borrow)]
    sampling: Option<&'a RawValue>,
    #[serde(borrow)]
    roots: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct RawElicitation<'a> {
    #[serde(borrow)]
    form: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct RawSampling<'a> {
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow)]
    context: Option<&'a RawValue>,
}

/// What can be read of an object; a derived struct would take an array for its members in order.
fn lenient<'a, T: Default + Deserialize<'a>>(raw: &'a RawValue) -> T {
    if !is_object(&raw) {
        return T::default();
    }
    json::parse(raw.get()).unwrap_or_default()
}

fn is_object(raw: &&RawValue) -> bool {
    raw.get().starts_with('{')
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::{ClientCapabilities, ClientCapability};
    use crate::protocol::Revision;

    fn decoded(declared: &str, revision: Revision) -> Value {
        let raw: &RawValue = serde_json::from_str(declared).unwrap();
        ClientCapabilities::decode(raw, revision).to_json()
    }

    #[test]
    fn reads_what_a_client_declares() {
        for (declared, expected) in [
            (r"{}", json!({})),
            (r#"{"elicitation":{}}"#, json!({ "elicitation": { "form": {} } })),
            (r#"{"elicitation":{"form":{}}}"#, json!({ "elicitation": { "form": {} } })),
            (r#"{"elicitation":{"url":{}}}"#, json!({ "elicitation": { "url": {} } })),
            (r#"{"elicitation":{"form":{"x":1},"url":{}}}"#, json!({ "elicitation": { "form": {}, "url": {} } })),
            (r#"{"elicitation":{"form":null,"url":null}}"#, json!({ "elicitation": { "form": {} } })),
            (r#"{"elicitation":{"other":{}}}"#, json!({ "elicitation": { "form": {} } })),
            (r#"{"elicitation":{"form":null,"url":{}}}"#, json!({ "elicitation": { "url": {} } })),
            (r#"{"elicitation":{"form":false}}"#, json!({})),
            (r#"{"sampling":{}}"#, json!({ "sampling": {} })),
            (r#"{"sampling":{"tools":{},"context":{}}}"#, json!({ "sampling": { "context": {}, "tools": {} } })),
            (r#"{"roots":{"listChanged":true},"experimental":{}}"#, json!({ "roots": {} })),
        ] {
            for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
                assert_eq!(decoded(declared, revision), expected, "{declared}");
            }
        }
    }

    #[test]
    fn takes_what_is_malformed_for_absent() {
        for declared in [
            "null",
            "[]",
            "[{}]",
            "true",
            r#"{"elicitation":true,"sampling":[],"roots":null}"#,
            r#"{"elicitation":"form","sampling":1,"roots":"all"}"#,
            r#"{"roots":{},"roots":{}}"#,
        ] {
            assert_eq!(decoded(declared, Revision::LATEST), json!({}), "{declared}");
        }
    }

    #[test]
    fn knows_what_each_revision_has() {
        let all = r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}"#;
        let has = |revision| {
            let raw: &RawValue = serde_json::from_str(all).unwrap();
            ClientCapability::ALL.map(|capability| ClientCapabilities::decode(raw, revision).has(capability))
        };
        let [form, url, context, tools] = [
            ClientCapability::ElicitationForm,
            ClientCapability::ElicitationUrl,
            ClientCapability::SamplingContext,
            ClientCapability::SamplingTools,
        ]
        .map(|wanted| ClientCapability::ALL.iter().position(|capability| *capability == wanted).unwrap());
        for (revision, expected) in [
            (Revision::V2024_11_05, [false, false, true, false]),
            (Revision::V2025_03_26, [false, false, true, false]),
            (Revision::V2025_06_18, [true, false, true, false]),
            (Revision::V2025_11_25, [true, true, false, true]),
            (Revision::V2026_07_28, [true, true, false, true]),
        ] {
            let has = has(revision);
            assert_eq!([form, url, context, tools].map(|index| has[index]), expected, "{revision}");
        }
    }

    #[test]
    fn names_what_is_required() {
        assert_eq!(
            ClientCapabilities::from(ClientCapability::ElicitationUrl).to_json(),
            json!({ "elicitation": { "url": {} } })
        );
        let several = [ClientCapability::SamplingTools, ClientCapability::Roots, ClientCapability::ElicitationForm];
        assert_eq!(
            ClientCapabilities::from_iter(several).to_json(),
            json!({ "elicitation": { "form": {} }, "roots": {}, "sampling": { "tools": {} } })
        );
    }

    #[test]
    fn is_shown_as_it_is_declared() {
        assert_eq!(ClientCapability::SamplingTools.to_string(), "sampling.tools");
        assert_eq!(format!("{:?}", ClientCapabilities::from(ClientCapability::Roots)), "{Roots}");
    }
}
