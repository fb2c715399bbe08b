use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroI8;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{FormField, FormSchema, IsChoice};
use crate::protocol::Revision;

const WITH_TITLES: [Revision; 2] = [Revision::V2025_11_25, Revision::V2026_07_28];

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "its schema is what matters")]
struct Every {
    /// Your name.
    #[schemars(length(min = 1, max = 40))]
    name: String,
    initial: char,
    age: u8,
    #[schemars(range(min = 0.5, max = 2.0))]
    factor: f64,
    count: Option<i64>,
    news: bool,
    colour: Colour,
    nick: Option<String>,
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Teal,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Speed {
    /// Three to five days,
    /// by land.
    ///
    /// Not for islands.
    Slow,
    #[schemars(title = "Express")]
    Fast,
    Any,
}

fn of<T: JsonSchema>() -> FormSchema {
    FormSchema::of::<T>().unwrap()
}

fn raw(schema: &Value) -> FormSchema {
    FormSchema::raw(schema).unwrap()
}

/// The one field of a form, for a revision.
fn field(form: &FormSchema, revision: Revision) -> Value {
    form.project(revision).unwrap()["properties"]["it"].clone()
}

/// A schema with one field.
fn one(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "it": property }, "required": ["it"] })
}

impl IsChoice for Colour {}

#[test]
fn has_fields_of_these_types() {
    fn field<T: FormField>() {}
    field::<String>();
    field::<std::borrow::Cow<'static, str>>();
    field::<char>();
    field::<bool>();
    field::<u128>();
    field::<Option<f32>>();
    field::<Option<NonZeroI8>>();
    field::<Colour>();
    field::<Option<Vec<Colour>>>();
    field::<HashSet<Colour>>();
}

#[test]
fn shows_the_same_form_of_plain_fields_in_every_revision() {
    let expected = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "Your name.", "minLength": 1, "maxLength": 40 },
            "initial": { "type": "string", "minLength": 1, "maxLength": 1 },
            "age": { "type": "integer", "minimum": 0, "maximum": 255 },
            "factor": { "type": "number", "minimum": 0.5, "maximum": 2.0 },
            "count": { "type": "integer" },
            "news": { "type": "boolean" },
            "colour": { "type": "string", "enum": ["red", "teal"] },
            "nick": { "type": "string" },
        },
        "required": ["name", "initial", "age", "factor", "news", "colour"],
    });
    let form = of::<Every>();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        assert_eq!(form.project(revision).unwrap(), expected, "{revision}");
    }
}

#[test]
fn has_no_forms_in_older_revisions() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        assert_eq!(of::<Every>().project(revision).unwrap_err(), format!("revision {revision} has no forms"));
    }
}

#[test]
fn spells_bounds_of_integers_as_integers() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Bounded {
        it: i16,
    }
    let expected = r#"{"type":"integer","minimum":-32768,"maximum":32767}"#;
    assert_eq!(field(&of::<Bounded>(), Revision::LATEST).to_string(), expected);
    let form = raw(&one(&json!({ "type": "integer", "minimum": 1.0, "maximum": 3e2 })));
    assert_eq!(field(&form, Revision::LATEST).to_string(), r#"{"type":"integer","minimum":1,"maximum":300}"#);
}

#[test]
fn titles_choices_as_each_revision_has_them() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Shipping {
        /// How fast?
        it: Option<Speed>,
    }
    let form = of::<Shipping>();
    assert_eq!(
        field(&form, Revision::V2025_06_18),
        json!({
            "type": "string",
            "description": "How fast?",
            "enum": ["any", "slow", "fast"],
            "enumNames": ["any", "slow: Three to five days, by land.", "Express"],
        })
    );
    for revision in WITH_TITLES {
        assert_eq!(
            field(&form, revision),
            json!({
                "type": "string",
                "description": "How fast?",
                "oneOf": [
                    { "const": "any", "title": "any" },
                    { "const": "slow", "title": "slow: Three to five days, by land." },
                    { "const": "fast", "title": "Express" },
                ],
            }),
            "{revision}"
        );
    }
    assert_eq!(form.project(Revision::LATEST).unwrap().get("required"), None);
}

#[test]
fn shows_lists_of_choices_since_2025_11_25() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Lists {
        #[schemars(length(min = 1, max = 2))]
        plain: Vec<Colour>,
        titled: Option<Vec<Speed>>,
        set: HashSet<Colour>,
    }
    let form = of::<Lists>();
    for revision in WITH_TITLES {
        assert_eq!(
            form.project(revision).unwrap(),
            json!({
                "type": "object",
                "properties": {
                    "plain": {
                        "type": "array",
                        "items": { "type": "string", "enum": ["red", "teal"] },
                        "minItems": 1,
                        "maxItems": 2,
                    },
                    "titled": {
                        "type": "array",
                        "items": { "anyOf": [
                            { "const": "any", "title": "any" },
                            { "const": "slow", "title": "slow: Three to five days, by land." },
                            { "const": "fast", "title": "Express" },
                        ] },
                    },
                    "set": { "type": "array", "items": { "type": "string", "enum": ["red", "teal"] } },
                },
                "required": ["plain", "set"],
            }),
            "{revision}"
        );
    }
    assert_eq!(
        form.project(Revision::V2025_06_18).unwrap_err(),
        "a client of revision 2025-06-18 cannot show lists of choices (`plain`, `titled`, `set`); ask for one choice, or \
         for a boolean for each"
    );
}

#[test]
fn sends_defaults_where_the_revision_has_them() {
    fn three() -> u8 {
        3
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Defaults {
        #[serde(default)]
        news: bool,
        #[serde(default = "three")]
        count: u8,
        #[serde(default)]
        nick: Option<String>,
    }
    let form = of::<Defaults>();
    let count = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    let mut count_with_default = count.clone();
    count_with_default["default"] = json!(3);
    let expected = |count: Value| {
        json!({
            "type": "object",
            "properties": { "news": { "type": "boolean", "default": false }, "count": count, "nick": { "type": "string" } },
        })
    };
    assert_eq!(form.project(Revision::V2025_06_18).unwrap(), expected(count));
    for revision in WITH_TITLES {
        assert_eq!(form.project(revision).unwrap(), expected(count_with_default.clone()), "{revision}");
    }
}

#[test]
fn refuses_a_default_that_breaks_its_own_field() {
    for (property, expected) in [
        (json!({ "type": "integer", "maximum": 3, "default": 4 }), "`it`: expected integer of at most 3, got 4"),
        (json!({ "type": "string", "default": 1 }), "`it`: expected string, got integer 1"),
        (
            json!({ "type": "string", "enum": ["red"], "default": "rad" }),
            "`it`: expected \"red\", got \"rad\"; did you mean \"red\"?",
        ),
    ] {
        let problem = FormSchema::raw(&one(&property)).unwrap_err();
        assert_eq!(problem, format!("a default does not fit its field: {expected}"));
    }
}

#[test]
fn sends_the_keywords_of_a_schema_from_outside() {
    for property in [
        json!({ "type": "string", "title": "Mail", "description": "Yours.", "maxLength": 9, "format": "email" }),
        json!({ "type": "number", "minimum": -1.5 }),
        json!({ "type": "boolean", "default": true }),
        json!({ "type": "string", "enum": ["a", "b"] }),
    ] {
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
            let schema = one(&property);
            assert_eq!(raw(&schema).project(revision).unwrap(), schema, "{revision}");
        }
    }
    for property in [
        json!({ "type": "string", "format": "date", "default": "2026-07-28" }),
        json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] }),
        json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"], "default": "b" }),
        json!({ "type": "array", "items": { "type": "string", "enum": ["a"] }, "minItems": 1, "default": ["a"] }),
        json!({ "type": "array", "title": "T", "items": { "anyOf": [{ "const": "a", "title": "A" }] }, "maxItems": 1 }),
    ] {
        for revision in WITH_TITLES {
            let schema = one(&property);
            assert_eq!(raw(&schema).project(revision).unwrap(), schema, "{revision}");
        }
    }
}

#[test]
fn leaves_out_what_no_form_has() {
    for (property, expected) in [
        (
            json!({ "type": ["string", "null"], "pattern": "^a", "examples": ["a"], "x-mine": 1, "format": "uuid" }),
            json!({ "type": "string" }),
        ),
        (
            json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }], "default": null }),
            json!({ "type": "integer" }),
        ),
        (json!({ "enum": ["a", null] }), json!({ "type": "string", "enum": ["a"] })),
        (json!({ "const": "a" }), json!({ "type": "string", "enum": ["a"] })),
        (json!({ "type": "string", "minLength": "1", "title": 7 }), json!({ "type": "string" })),
        (json!({ "$ref": "#/$defs/N", "title": "Mine" }), json!({ "type": "number", "title": "Mine" })),
        (
            json!({ "type": "array", "items": { "enum": ["a"] }, "uniqueItems": true }),
            json!({ "type": "array", "items": { "type": "string", "enum": ["a"] } }),
        ),
    ] {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Form",
            "type": "object",
            "properties": { "it": property },
            "additionalProperties": false,
            "$defs": { "N": { "type": "number", "title": "Its" } },
        });
        assert_eq!(
            raw(&schema).project(Revision::LATEST).unwrap(),
            json!({ "type": "object", "properties": { "it": expected } })
        );
    }
}

#[test]
fn requires_nothing_that_may_be_null() {
    let form = raw(&one(&json!({ "type": ["boolean", "null"] })));
    assert_eq!(form.project(Revision::LATEST).unwrap().get("required"), None);
}

#[test]
fn names_each_field_that_no_form_can_have() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Address {
        street: String,
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    enum Shape {
        Dot,
        Circle { radius: u32 },
    }
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "its schema is what matters")]
    enum Either {
        Text(String),
        Number(u32),
    }
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Wrong {
        fine: String,
        address: Address,
        tags: Vec<String>,
        map: BTreeMap<String, u32>,
        shape: Option<Shape>,
        either: Either,
        any: Value,
        nothing: (),
        again: Option<Box<Wrong>>,
    }
    assert_eq!(
        FormSchema::of::<Wrong>().unwrap_err(),
        "`address` is an object; `tags` is a list of other things than choices; `map` is a map; `shape` is one of several \
         types, or an enum with data; `either` is one of several types, or an enum with data; `any` does not say of which \
         type it is; `nothing` holds nothing; `again` is an object; a form has strings, numbers, booleans, choices (enums \
         without data) and lists of choices, and each may be optional"
    );
}

#[test]
fn says_what_is_wrong_with_a_schema_from_outside() {
    for (property, expected) in [
        (json!({ "type": ["string", "integer"] }), "is of several types"),
        (json!({ "type": "integer", "enum": [1, 2] }), "is a choice of numbers, and choices are strings"),
        (json!({ "type": "string", "enum": ["a", 1] }), "is a choice of other values than strings"),
        (json!({ "type": "string", "enum": [] }), "has nothing to choose from"),
        (
            json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A"] }),
            "needs a name in `enumNames` for each of its 2 choices",
        ),
        (
            json!({ "type": "string", "oneOf": [{ "pattern": "a" }, { "const": "b" }] }),
            "is one of several kinds of strings",
        ),
        (json!({ "type": "array" }), "is a list of anything"),
        (
            json!({ "type": "array", "items": { "type": "integer", "enum": [1] } }),
            "is a list of other things than choices",
        ),
        (json!({ "$ref": "#/$defs/Missing" }), "does not say of which type it is"),
        (json!({ "type": "file" }), "is a file"),
        (json!(true), "does not say of which type it is"),
        (json!({}), "does not say of which type it is"),
    ] {
        let problem = FormSchema::raw(&one(&property)).unwrap_err();
        assert!(problem.starts_with(&format!("`it` {expected}; a form has")), "{problem}");
    }
    let problem = FormSchema::raw(&json!({ "type": "object", "properties": {}, "required": ["it"] })).unwrap_err();
    assert_eq!(problem, "`it` is required and is no field of the form");
}

#[test]
fn follows_no_reference_in_a_circle() {
    let schema = json!({
        "type": "object",
        "properties": { "it": { "$ref": "#/$defs/A" } },
        "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }] } },
    });
    assert!(FormSchema::raw(&schema).is_err());
}

#[test]
fn is_one_object() {
    #[derive(JsonSchema)]
    struct Nothing {}
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Flat {
        it: String,
        #[serde(flatten)]
        more: Nothing,
    }
    let empty = json!({ "type": "object", "properties": {} });
    assert_eq!(of::<Nothing>().project(Revision::LATEST).unwrap(), empty);
    assert_eq!(of::<Flat>().project(Revision::LATEST).unwrap(), one(&json!({ "type": "string" })));
    let wrong = |what: &str| format!("a form is one object with named fields, and not {what}");
    for (problem, expected) in [
        (FormSchema::of::<String>(), "a string"),
        (FormSchema::of::<Option<Nothing>>(), "one of several"),
        (FormSchema::of::<Vec<String>>(), "a list"),
        (FormSchema::of::<()>(), "nothing"),
        (FormSchema::of::<Value>(), "true"),
        (FormSchema::of::<BTreeMap<String, String>>(), "a map"),
        (FormSchema::of::<Speed>(), "one of several"),
        (FormSchema::raw(&json!([])), "[]"),
        (FormSchema::raw(&json!({ "type": "object", "properties": {}, "oneOf": [] })), "one with `oneOf`"),
    ] {
        assert_eq!(problem.map(|_| ()).unwrap_err(), wrong(expected));
    }
}

#[test]
fn takes_an_answer_that_fits() {
    let form = of::<Every>();
    let answer = r#"{"name":"Ada","initial":"A","age":30,"factor":1,"news":true,"colour":"teal","more":[]}"#;
    assert_eq!(form.check(answer).as_deref(), Ok(answer));
    assert!(of::<Every>().check("{}").is_err());
}

#[test]
fn mends_an_answer() {
    let form = of::<Every>();
    let answer =
        r#"{"name":"Ada","initial":"A","age":30.0,"factor":1,"news":true,"colour":"teal","count":2e1,"nick":null}"#;
    assert_eq!(
        form.check(answer).as_deref(),
        Ok(r#"{"name":"Ada","initial":"A","age":30,"factor":1,"news":true,"colour":"teal","count":20}"#)
    );
}

#[test]
fn tells_every_problem_of_an_answer() {
    let form = of::<Every>();
    let answer = r#"{"name":"","age":"30","factor":3,"news":null,"colour":"tael","count":1.5}"#;
    let expected = [
        "`name`: expected string of 1 to 40 characters, got 0 characters",
        r#"`age`: expected integer from 0 to 255, got string "30""#,
        "`factor`: expected number from 0.5 to 2.0, got 3",
        "`news`: expected boolean, got null",
        r#"`colour`: expected one of "red", "teal", got "tael"; did you mean "teal"?"#,
        "`count`: expected integer, got number 1.5",
        "`initial` is required and missing",
    ];
    assert_eq!(form.check(answer).unwrap_err(), expected);
    for answer in ["[]", "null", "\"yes\""] {
        assert_eq!(form.check(answer).unwrap_err(), ["`content` must be an object with the fields of the form"]);
    }
}

#[test]
fn checks_a_choice_by_its_value_and_not_its_title() {
    let titled = json!([{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }]);
    let form = raw(&one(&json!({ "type": "array", "items": { "anyOf": titled }, "maxItems": 1 })));
    assert!(form.check(r#"{"it":["a"]}"#).is_ok());
    assert_eq!(
        form.check(r#"{"it":["A"]}"#).unwrap_err(),
        [r#"`it[0]`: expected one of "a", "b", got "A"; did you mean "a"?"#]
    );
    assert_eq!(form.check(r#"{"it":["a","b"]}"#).unwrap_err(), ["`it`: expected array of at most 1 item, got 2 items"]);
}

#[test]
fn checks_what_no_client_is_shown() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its schema is what matters")]
    struct Numbers {
        exact: Option<NonZeroI8>,
        single: Option<f32>,
    }
    let form = of::<Numbers>();
    assert_eq!(
        form.project(Revision::LATEST).unwrap()["properties"],
        json!({ "exact": { "type": "integer", "minimum": -128, "maximum": 127 }, "single": { "type": "number" } })
    );
    for (answer, expected) in [
        (r#"{"exact":0}"#, "`exact`: expected integer from -128 to 127 but not 0, got 0"),
        (r#"{"single":1e300}"#, "`single`: expected number from -3.4e38 to 3.4e38, got 1e300"),
    ] {
        assert_eq!(form.check(answer).unwrap_err(), [expected]);
    }
    let form = raw(&one(&json!({ "type": "number", "exclusiveMinimum": 0 })));
    assert_eq!(field(&form, Revision::LATEST), json!({ "type": "number" }));
    assert!(form.check(r#"{"it":0}"#).is_err());
}

#[cfg(feature = "pattern")]
#[test]
fn checks_patterns() {
    let form = raw(&one(&json!({ "type": "string", "pattern": "^[A-Z]+$" })));
    assert_eq!(field(&form, Revision::LATEST), json!({ "type": "string" }));
    assert_eq!(form.check(r#"{"it":"a"}"#).unwrap_err(), [r"`it`: expected a string that matches ^[A-Z]+$, got a"]);
    assert!(FormSchema::raw(&one(&json!({ "type": "string", "pattern": "(" }))).is_err());
}
