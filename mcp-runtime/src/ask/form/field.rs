//! One field of a form, and how each revision writes it.

use serde_json::{Map, Value, json};

/// How fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// 2025-06-18: choices with names beside them, defaults for booleans only, no lists.
    Names,
    /// Since 2025-11-25: choices with a title each, defaults, lists of choices.
    Titles,
    /// For the check of an answer: with what no client can be shown.
    Check,
}

/// One field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) is_required: bool,
    /// `string`, `integer`, `number`, `boolean` or `array`.
    pub(super) ty: &'static str,
    /// `title` and `description`.
    pub(super) texts: Map<String, Value>,
    /// What the client and we both check: `minLength`, `format`, `maximum`, and so on.
    pub(super) bounds: Map<String, Value>,
    /// What only we check.
    pub(super) unshown: Map<String, Value>,
    pub(super) choices: Option<Choices>,
    pub(super) default: Option<Value>,
}

/// What a field can be chosen from.
#[derive(Debug)]
pub(super) struct Choices {
    pub(super) choices: Vec<Choice>,
    /// Whether the names stand beside the choices, as the schema has them that the form comes from.
    pub(super) has_enum_names: bool,
}

#[derive(Debug)]
pub(super) struct Choice {
    pub(super) value: String,
    /// What the user reads instead.
    pub(super) title: Option<String>,
}

impl Choice {
    fn title(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.value)
    }
}

impl Field {
    /// Whether it is a list of choices.
    pub(super) fn is_list(&self) -> bool {
        self.ty == "array"
    }

    pub(super) fn to_json(&self, dialect: Dialect) -> Value {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), self.ty.into());
        schema.extend(self.texts.clone());
        if let Some(choices) = &self.choices {
            let titled = if self.is_list() { "anyOf" } else { "oneOf" };
            let choices = choices.to_json(dialect, titled);
            if self.is_list() {
                schema.insert("items".to_owned(), Value::Object(choices));
            } else {
                schema.extend(choices);
            }
        }
        schema.extend(self.bounds.clone());
        if dialect == Dialect::Check {
            schema.extend(self.unshown.clone());
        }
        let has_default = dialect != Dialect::Names || self.ty == "boolean";
        if let Some(default) = self.default.as_ref().filter(|_| has_default) {
            schema.insert("default".to_owned(), default.clone());
        }
        Value::Object(schema)
    }
}

impl Choices {
    /// The keywords of the choices. With titles, each has one.
    fn to_json(&self, dialect: Dialect, titled: &str) -> Map<String, Value> {
        let has_titles = self.choices.iter().any(|choice| choice.title.is_some());
        let values: Vec<&str> = self.choices.iter().map(|choice| choice.value.as_str()).collect();
        let mut keywords = Map::new();
        if titled == "anyOf" {
            keywords.insert("type".to_owned(), "string".into());
        }
        if has_titles && dialect == Dialect::Titles && !self.has_enum_names {
            let choices = self.choices.iter().map(|choice| json!({ "const": choice.value, "title": choice.title() }));
            // The choices of a list have no type beside them.
            return Map::from_iter([(titled.to_owned(), choices.collect())]);
        }
        keywords.insert("enum".to_owned(), values.into());
        if has_titles && dialect != Dialect::Check {
            keywords.insert("enumNames".to_owned(), self.choices.iter().map(Choice::title).collect());
        }
        keywords
    }
}
