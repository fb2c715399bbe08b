//! Arguments: the keys of `#[arg]`, whole argument objects, and what a call accepts and refuses.

#![allow(
    clippy::needless_pass_by_value,
    clippy::option_option,
    clippy::ref_option,
    clippy::too_many_arguments,
    clippy::trivially_copy_pass_by_ref,
    dead_code,
    reason = "the tools have the shapes that are tested"
)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::num::{NonZeroI8, NonZeroU8};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::memory::{Wire, block_on, input_schema, start_error};
use mcp_runtime::{Context, Revision, Server, State, ToolDef, tool, tools};
use serde_json::{Value, json};

/// A session with a server that has these tools.
async fn session<const N: usize>(tools: [ToolDef; N]) -> Wire {
    Wire::initialized(Server::new("t", "1").tools(tools), "2025-11-25").await
}

/// Why a server with the tool does not start.
async fn refusal(tool: ToolDef) -> String {
    start_error(Server::new("t", "1").tools([tool])).await
}

/// What a tool answers that shows its arguments.
fn shown(arguments: impl Debug) -> String {
    format!("{arguments:?}")
}

/// The failure of a call, in full.
fn misfit(tool: &str, problems: &[&str]) -> String {
    format!("the arguments of `{tool}` do not fit:\n- {}", problems.join("\n- "))
}

mod defaults {
    use super::*;

    const fn once() -> u8 {
        1
    }

    #[tool]
    fn send(
        /// Who gets it.
        to: &str,
        /// How often.
        #[arg(default = once(), range = 1..=5)]
        times: u8,
    ) -> String {
        shown((to, times))
    }

    #[test]
    fn shows_a_default_in_the_schema_and_requires_nothing() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "to": { "type": "string", "description": "Who gets it." },
                    "times": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 5,
                        "description": "How often.",
                        "default": 1,
                    },
                },
                "required": ["to"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![send][0]).await, expected);
        });
    }

    #[test]
    fn uses_a_default_where_the_argument_is_missing() {
        block_on(async {
            assert_eq!(session(tools![send]).await.text("send", json!({ "to": "a" })).await, shown(("a", 1)));
        });
    }

    #[test]
    fn uses_a_default_where_the_argument_is_null() {
        block_on(async {
            let arguments = json!({ "to": "a", "times": null });
            assert_eq!(session(tools![send]).await.text("send", arguments).await, shown(("a", 1)));
        });
    }

    #[test]
    fn prefers_an_argument_to_its_default() {
        block_on(async {
            let arguments = json!({ "to": "a", "times": 4 });
            assert_eq!(session(tools![send]).await.text("send", arguments).await, shown(("a", 4)));
        });
    }

    #[derive(Debug, Default, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Format {
        #[default]
        Plain,
        Html,
    }

    #[tool]
    fn by_type(
        #[arg(default)] deep: bool,
        #[arg(default)] tags: Vec<String>,
        #[arg(default)] format: Format,
    ) -> String {
        shown((deep, tags, format))
    }

    #[test]
    fn takes_the_default_of_the_type() {
        block_on(async {
            let mut wire = session(tools![by_type]).await;
            assert_eq!(wire.text("by_type", json!({})).await, r"(false, [], Plain)");
            let arguments = json!({ "deep": null, "tags": null, "format": null });
            assert_eq!(wire.text("by_type", arguments).await, r"(false, [], Plain)");
        });
    }

    #[test]
    fn shows_no_default_that_cannot_be_written_as_json() {
        block_on(async {
            let schema = input_schema(tools![by_type][0]).await;
            assert_eq!(schema["properties"]["format"], json!({ "type": "string", "enum": ["plain", "html"] }));
            assert_eq!(schema["properties"]["tags"]["default"], json!([]));
            assert_eq!(schema.get("required"), None);
        });
    }

    #[tool]
    fn optional(#[arg(default = Some(3))] limit: Option<u32>, #[arg(default = None)] after: Option<String>) -> String {
        shown((limit, after))
    }

    #[test]
    fn shows_the_default_of_an_option_unless_it_is_none() {
        block_on(async {
            let expected = json!({
                "limit": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "default": 3 },
                "after": { "type": "string" },
            });
            assert_eq!(input_schema(tools![optional][0]).await["properties"], expected);
        });
    }

    #[test]
    fn gives_null_to_an_option_although_it_has_a_default() {
        block_on(async {
            let mut wire = session(tools![optional]).await;
            assert_eq!(wire.text("optional", json!({})).await, "(Some(3), None)");
            assert_eq!(wire.text("optional", json!({ "limit": null })).await, "(None, None)");
        });
    }

    #[tool]
    fn lent(
        #[arg(default = "once")] how: &str,
        #[arg(default = vec![1, 2])] bytes: &[u8],
        #[arg(default = "/tmp")] path: &Path,
    ) -> String {
        shown((how, bytes, path))
    }

    #[test]
    fn lends_a_default() {
        block_on(async {
            assert_eq!(session(tools![lent]).await.text("lent", json!({})).await, r#"("once", [1, 2], "/tmp")"#);
            let properties = input_schema(tools![lent][0]).await["properties"].take();
            assert_eq!(
                (&properties["how"]["default"], &properties["bytes"]["default"]),
                (&json!("once"), &json!([1, 2]))
            );
        });
    }

    /// Whether null is a value of its own.
    #[derive(Debug)]
    enum Change {
        Keep,
        Clear,
        Set(u32),
    }

    impl<'de> serde::Deserialize<'de> for Change {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Option::<u32>::deserialize(deserializer).map(|value| value.map_or(Self::Clear, Self::Set))
        }
    }

    impl schemars::JsonSchema for Change {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Change".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            Option::<u32>::json_schema(generator)
        }
    }

    #[tool]
    fn change(#[arg(default = Change::Keep)] limit: Change) -> String {
        shown(limit)
    }

    #[test]
    fn tells_null_from_a_missing_argument_where_the_type_does() {
        block_on(async {
            let mut wire = session(tools![change]).await;
            assert_eq!(wire.text("change", json!({})).await, "Keep");
            assert_eq!(wire.text("change", json!({ "limit": null })).await, "Clear");
            assert_eq!(wire.text("change", json!({ "limit": 3 })).await, "Set(3)");
        });
    }

    const TOO_MANY: u8 = 30;

    #[tool]
    fn beyond(#[arg(default = TOO_MANY, range = 0..=20)] n: u8) -> u8 {
        n
    }

    #[test]
    fn refuses_to_start_with_a_default_outside_of_its_own_bounds() {
        block_on(async {
            let expected = "tool `beyond`: the default of `n`: expected integer from 0 to 20, got 30";
            assert_eq!(refusal(tools![beyond][0]).await, expected);
        });
    }
}

mod names {
    use super::*;

    #[tool]
    fn purge(path: &str, #[arg(rename = "dry-run", default)] dry_run: bool) -> String {
        shown((path, dry_run))
    }

    #[test]
    fn uses_the_other_name_on_the_wire() {
        block_on(async {
            let schema = input_schema(tools![purge][0]).await;
            assert_eq!(schema["properties"]["dry-run"], json!({ "type": "boolean", "default": false }));
            assert_eq!(schema["properties"].get("dry_run"), None);
            let arguments = json!({ "path": "a", "dry-run": true });
            assert_eq!(session(tools![purge]).await.text("purge", arguments).await, shown(("a", true)));
        });
    }

    #[test]
    fn does_not_know_the_name_of_a_renamed_parameter() {
        block_on(async {
            let text = session(tools![purge]).await.failure("purge", json!({ "path": "a", "dry_run": true })).await;
            let problems =
                ["`dry_run` is not an argument; did you mean `dry-run`?", "the arguments are: `path`, `dry-run`"];
            assert_eq!(text, misfit("purge", &problems));
        });
    }

    #[tool]
    fn named(#[arg(rename = "a b\"c")] odd: u8) -> u8 {
        odd
    }

    #[test]
    fn takes_any_string_as_a_name() {
        block_on(async {
            assert_eq!(input_schema(tools![named][0]).await["required"], json!(["a b\"c"]));
            let result = session(tools![named]).await.call("named", json!({ "a b\"c": 7 })).await;
            assert_eq!(result["structuredContent"], json!({ "result": 7 }));
        });
    }

    #[tool]
    fn r#match(r#type: String, r#fn: Option<String>) -> String {
        shown((r#type, r#fn))
    }

    #[test]
    fn drops_what_makes_an_identifier_raw() {
        block_on(async {
            let expected = json!({ "type": { "type": "string" }, "fn": { "type": "string" } });
            assert_eq!(input_schema(tools![r#match][0]).await["properties"], expected);
            let text = session(tools![r#match]).await.text("match", json!({ "type": "x" })).await;
            assert_eq!(text, r#"("x", None)"#);
        });
    }
}

mod bounds {
    use super::*;

    const MOST: i16 = 40;

    #[tool]
    fn ranged(
        #[arg(range = -3..=3)] around: i8,
        #[arg(range = 0..20)] below: u32,
        #[arg(range = 5..)] above: u64,
        #[arg(range = ..=MOST)] at_most: i16,
        #[arg(range = 1..=4)] non_zero: NonZeroU8,
        #[arg(range = 2..10)] optional: Option<u16>,
    ) -> String {
        shown((around, below, above, at_most, non_zero, optional))
    }

    #[test]
    fn shows_ranges_of_integers_with_the_ends_included() {
        block_on(async {
            let expected = json!({
                "around": { "type": "integer", "minimum": -3, "maximum": 3 },
                "below": { "type": "integer", "minimum": 0, "maximum": 19 },
                "above": { "type": "integer", "minimum": 5 },
                "at_most": { "type": "integer", "minimum": i16::MIN, "maximum": 40 },
                "non_zero": { "type": "integer", "minimum": 1, "maximum": 4 },
                "optional": { "type": "integer", "minimum": 2, "maximum": 9 },
            });
            assert_eq!(input_schema(tools![ranged][0]).await["properties"], expected);
        });
    }

    #[test]
    fn takes_the_ends_of_ranges_of_integers() {
        block_on(async {
            let mut wire = session(tools![ranged]).await;
            let least =
                json!({ "around": -3, "below": 0, "above": 5, "at_most": i16::MIN, "non_zero": 1, "optional": 2 });
            assert_eq!(wire.text("ranged", least).await, shown((-3, 0, 5, i16::MIN, 1, Some(2))));
            let most =
                json!({ "around": 3, "below": 19, "above": u64::MAX, "at_most": 40, "non_zero": 4, "optional": 9 });
            assert_eq!(wire.text("ranged", most).await, shown((3, 19, u64::MAX, 40, 4, Some(9))));
            let none = json!({ "around": 0, "below": 1, "above": 6, "at_most": 0, "non_zero": 2, "optional": null });
            assert_eq!(wire.text("ranged", none).await, shown((0, 1, 6, 0, 2, None::<u16>)));
        });
    }

    #[test]
    fn refuses_integers_outside_of_their_ranges_all_at_once() {
        block_on(async {
            let arguments = json!({
                "around": -4, "below": 20, "above": 4, "at_most": 41, "non_zero": 5, "optional": 10,
            });
            let text = session(tools![ranged]).await.failure("ranged", arguments).await;
            let problems = [
                "`around`: expected integer from -3 to 3, got -4",
                "`below`: expected integer from 0 to 19, got 20",
                "`above`: expected integer of at least 5, got 4",
                "`at_most`: expected integer from -32768 to 40, got 41",
                "`non_zero`: expected integer from 1 to 4, got 5",
                "`optional`: expected integer from 2 to 9, got 10",
            ];
            assert_eq!(text, misfit("ranged", &problems));
        });
    }

    #[tool]
    fn floats(
        #[arg(range = 0.0..1.0)] share: f64,
        #[arg(range = -0.5..=0.5)] tilt: f32,
        #[arg(range = ..100.0)] celsius: Option<f64>,
    ) -> String {
        shown((share, tilt, celsius))
    }

    #[test]
    fn shows_the_excluded_end_of_a_range_of_floats() {
        block_on(async {
            let expected = json!({
                "share": { "type": "number", "format": "double", "minimum": 0.0, "exclusiveMaximum": 1.0 },
                "tilt": { "type": "number", "format": "float", "minimum": -0.5, "maximum": 0.5 },
                "celsius": { "type": "number", "format": "double", "exclusiveMaximum": 100.0 },
            });
            assert_eq!(input_schema(tools![floats][0]).await["properties"], expected);
        });
    }

    #[test]
    fn takes_floats_up_to_an_excluded_end() {
        block_on(async {
            let mut wire = session(tools![floats]).await;
            let text = wire.text("floats", json!({ "share": 0, "tilt": 0.5, "celsius": 99.9 })).await;
            assert_eq!(text, "(0.0, 0.5, Some(99.9))");
            let text = wire.failure("floats", json!({ "share": 1.0, "tilt": 0.75, "celsius": 100 })).await;
            let problems = [
                "`share`: expected number of at least 0.0 and below 1.0, got 1.0",
                "`tilt`: expected number from -0.5 to 0.5, got 0.75",
                "`celsius`: expected number below 100.0, got 100",
            ];
            assert_eq!(text, misfit("floats", &problems));
        });
    }

    #[tool]
    fn signed(#[arg(range = -2..=2)] step: NonZeroI8) -> String {
        shown(step)
    }

    #[test]
    fn refuses_zero_in_a_range_of_a_type_without_it() {
        block_on(async {
            let mut wire = session(tools![signed]).await;
            assert_eq!(wire.text("signed", json!({ "step": -2 })).await, "-2");
            let text = wire.failure("signed", json!({ "step": 0 })).await;
            assert_eq!(text, misfit("signed", &["`step`: expected integer from -2 to 2 but not 0, got 0"]));
        });
    }

    #[tool]
    fn measured(
        #[arg(len = 2..=3)] name: String,
        #[arg(len = ..4)] code: &str,
        #[arg(len = 1..)] tags: Vec<String>,
        #[arg(len = 2)] pair: &[u8],
        #[arg(len = 1..=2)] set: BTreeSet<u8>,
        #[arg(len = 1..=2)] note: Option<String>,
    ) -> String {
        shown((name, code, tags, pair, set, note))
    }

    #[test]
    fn shows_lengths_of_strings_and_of_lists() {
        block_on(async {
            let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            let expected = json!({
                "name": { "type": "string", "minLength": 2, "maxLength": 3 },
                "code": { "type": "string", "maxLength": 3 },
                "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
                "pair": { "type": "array", "items": byte, "minItems": 2, "maxItems": 2 },
                "set": { "type": "array", "items": byte, "minItems": 1, "maxItems": 2 },
                "note": { "type": "string", "minLength": 1, "maxLength": 2 },
            });
            assert_eq!(input_schema(tools![measured][0]).await["properties"], expected);
        });
    }

    #[test]
    fn counts_characters_and_not_bytes() {
        block_on(async {
            let arguments = json!({
                "name": "éß\u{1F980}", "code": "", "tags": [""], "pair": [1, 2], "set": [3, 3], "note": "ab",
            });
            let text = session(tools![measured]).await.text("measured", arguments).await;
            assert_eq!(text, "(\"éß🦀\", \"\", [\"\"], [1, 2], {3}, Some(\"ab\"))");
        });
    }

    #[test]
    fn refuses_wrong_lengths_all_at_once() {
        block_on(async {
            let arguments =
                json!({ "name": "a", "code": "abcd", "tags": [], "pair": [1], "set": [1, 2, 3], "note": "" });
            let text = session(tools![measured]).await.failure("measured", arguments).await;
            let problems = [
                "`name`: expected string of 2 to 3 characters, got 1 character",
                "`code`: expected string of at most 3 characters, got 4 characters",
                "`tags`: expected array of at least 1 item, got 0 items",
                "`pair`: expected array of 2 items, got 1 item",
                "`set`: expected array of 1 to 2 items, got 3 items",
                "`note`: expected string of 1 to 2 characters, got 0 characters",
            ];
            assert_eq!(text, misfit("measured", &problems));
        });
    }
}

mod texts {
    use super::*;

    const WHERE: &str = "City and country.";

    #[tool]
    fn described(
        /// Not this.
        #[arg(description = WHERE)]
        place: &str,
        #[arg(description = concat!("In ", "days."), example = Some(3), example = Some(7))] days: Option<u8>,
        #[arg(example = "Celsius")] unit: Unit,
        #[arg(example = "Pune", example = String::from("Goa"))] near: &str,
    ) -> String {
        shown((place, days, unit, near))
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(from = "String")]
    struct Unit(String);

    impl From<&str> for Unit {
        fn from(name: &str) -> Self {
            Self(name.to_owned())
        }
    }

    impl From<String> for Unit {
        fn from(name: String) -> Self {
            Self(name)
        }
    }

    #[test]
    fn shows_descriptions_and_examples() {
        block_on(async {
            let properties = input_schema(tools![described][0]).await["properties"].take();
            assert_eq!(properties["place"], json!({ "type": "string", "description": "City and country." }));
            assert_eq!(properties["days"]["description"], "In days.");
            assert_eq!(properties["days"]["examples"], json!([3, 7]));
            assert_eq!(properties["near"]["examples"], json!(["Pune", "Goa"]));
        });
    }

    #[test]
    fn shows_no_example_that_cannot_be_written_as_json() {
        block_on(async {
            assert_eq!(input_schema(tools![described][0]).await["properties"]["unit"], json!({ "type": "string" }));
        });
    }
}

mod headers {
    use super::*;

    type Region = String;

    #[tool]
    fn mirrored(
        #[arg(header = "Region")] region: Region,
        #[arg(header = "Shard")] shard: Option<u16>,
        #[arg(header = "Dry-Run", default)] dry_run: bool,
        /// Beside the others.
        plain: u8,
    ) -> String {
        shown((region, shard, dry_run, plain))
    }

    #[test]
    fn shows_the_header_that_mirrors_an_argument() {
        block_on(async {
            let expected = json!({
                "region": { "type": "string", "x-mcp-header": "Region" },
                "shard": { "type": "integer", "minimum": 0, "maximum": 65535, "x-mcp-header": "Shard" },
                "dry_run": { "type": "boolean", "default": false, "x-mcp-header": "Dry-Run" },
                "plain": { "type": "integer", "minimum": 0, "maximum": 255, "description": "Beside the others." },
            });
            assert_eq!(input_schema(tools![mirrored][0]).await["properties"], expected);
        });
    }

    #[tool]
    fn of_float(#[arg(header = "Share")] share: f64) -> f64 {
        share
    }

    #[tool]
    fn of_list(#[arg(header = "Tags")] tags: Vec<String>) -> usize {
        tags.len()
    }

    #[tool]
    fn of_any(#[arg(header = "Any")] any: Value) -> Value {
        any
    }

    #[test]
    fn refuses_to_start_with_a_header_for_what_no_header_can_hold() {
        block_on(async {
            for (tool, name) in tools![of_float, of_list, of_any].into_iter().zip([
                "of_float`: `share`",
                "of_list`: `tags`",
                "of_any`: `any`",
            ]) {
                let expected =
                    format!("tool `{name}: only a string, an integer or a boolean can be mirrored in a header");
                assert_eq!(refusal(tool).await, expected);
            }
        });
    }
}

mod wholes {
    use super::*;

    /// Internal remark about the arguments.
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Order {
        /// Which one.
        id: u32,
        note: Option<String>,
        #[serde(default = "one")]
        count: u8,
        #[serde(rename = "ship-to")]
        ship_to: Option<Address>,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Address {
        city: String,
    }

    fn one() -> u8 {
        1
    }

    #[tool]
    fn order(#[args] order: Order) -> String {
        shown((order.id, order.note, order.count, order.ship_to.map(|address| address.city)))
    }

    #[test]
    fn shows_the_members_of_a_struct_at_the_root() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "id": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "Which one." },
                    "note": { "type": "string" },
                    "count": { "type": "integer", "minimum": 0, "maximum": 255, "default": 1 },
                    "ship-to": {
                        "type": "object",
                        "properties": { "city": { "type": "string" } },
                        "required": ["city"],
                    },
                },
                "required": ["id"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![order][0]).await, expected);
        });
    }

    #[test]
    fn takes_the_whole_object() {
        block_on(async {
            let mut wire = session(tools![order]).await;
            assert_eq!(wire.text("order", json!({ "id": 7 })).await, "(7, None, 1, None)");
            let arguments = json!({ "id": 7, "note": null, "count": null, "ship-to": { "city": "Pune" } });
            assert_eq!(wire.text("order", arguments).await, r#"(7, None, 1, Some("Pune"))"#);
        });
    }

    #[test]
    fn tells_every_problem_of_a_whole_object_by_its_path() {
        block_on(async {
            let arguments = json!({ "count": 256, "notes": "x", "ship-to": { "town": "Pune" } });
            let text = session(tools![order]).await.failure("order", arguments).await;
            let problems = [
                "`count`: expected integer from 0 to 255, got 256",
                "`notes` is not known; did you mean `note`?",
                "`ship-to.city` is required and missing",
                "`id` is required and missing",
            ];
            assert_eq!(text, misfit("order", &problems));
        });
    }

    #[test]
    fn takes_missing_and_null_arguments_for_a_struct_without_required_members() {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        struct Page {
            limit: Option<u8>,
        }

        #[tool]
        fn page(#[args] page: Page) -> String {
            shown(page.limit)
        }

        block_on(async {
            let mut wire = session(tools![page]).await;
            for params in [json!({ "name": "page" }), json!({ "name": "page", "arguments": null })] {
                let response = wire.request("tools/call", params).await;
                assert_eq!(response["result"]["content"][0]["text"], "None", "{response}");
            }
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "op", rename_all = "snake_case")]
    enum Op {
        /// Reads a file.
        Read {
            path: String,
        },
        Write {
            path: String,
            /// What to write.
            text: String,
        },
        Sync,
    }

    #[tool]
    fn tagged(#[args] op: Op) -> String {
        shown(op)
    }

    #[test]
    fn shows_a_tagged_enum_as_a_plain_object() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "op": { "type": "string", "enum": ["read", "write", "sync"] },
                    "path": { "type": "string" },
                    "text": { "type": "string", "description": "What to write." },
                },
                "required": ["op"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![tagged][0]).await, expected);
        });
    }

    #[test]
    fn takes_every_variant_of_a_tagged_enum() {
        block_on(async {
            let mut wire = session(tools![tagged]).await;
            assert_eq!(wire.text("tagged", json!({ "op": "read", "path": "a" })).await, r#"Read { path: "a" }"#);
            let text = wire.text("tagged", json!({ "text": "b", "path": "a", "op": "write" })).await;
            assert_eq!(text, r#"Write { path: "a", text: "b" }"#);
            assert_eq!(wire.text("tagged", json!({ "op": "sync" })).await, "Sync");
        });
    }

    #[test]
    fn checks_a_tagged_enum_by_its_tag() {
        block_on(async {
            let mut wire = session(tools![tagged]).await;
            let text = wire.failure("tagged", json!({ "op": "write", "path": "a" })).await;
            assert_eq!(text, misfit("tagged", &["`text` is required and missing"]));
            let text = wire.failure("tagged", json!({ "op": "delete", "path": "a" })).await;
            let problem = r#"`op`: expected one of "read", "write", "sync", got "delete""#;
            assert_eq!(text, misfit("tagged", &[problem]));
            let text = wire.failure("tagged", json!({ "op": "b, got c" })).await;
            let problem = r#"`op`: expected one of "read", "write", "sync", got "b, got c""#;
            assert_eq!(text, misfit("tagged", &[problem]));
            let text = wire.failure("tagged", json!({ "op": "read", "path": "a", "text": "b" })).await;
            assert_eq!(text, misfit("tagged", &["`text` is not known"]));
            let text = wire.failure("tagged", json!({ "path": "a" })).await;
            assert_eq!(text, misfit("tagged", &["`op` is required and missing"]));
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Node {
        label: String,
        #[serde(default)]
        kids: Vec<Node>,
    }

    impl Node {
        fn count(&self) -> usize {
            1 + self.kids.iter().map(Self::count).sum::<usize>()
        }
    }

    #[tool]
    fn tree(#[args] root: &Node) -> String {
        format!("{} {}", root.label, root.count())
    }

    #[test]
    fn shows_a_recursive_type_as_an_object_at_the_root() {
        block_on(async {
            let schema = input_schema(tools![tree][0]).await;
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["properties"]["label"], json!({ "type": "string" }));
            assert_eq!(schema["properties"]["kids"]["items"], json!({ "$ref": "#/$defs/Node" }));
            assert_eq!(schema["required"], json!(["label"]));
            assert_eq!(schema["$defs"]["Node"]["type"], "object");
            assert_eq!(schema.get("$ref"), None);
        });
    }

    #[test]
    fn takes_and_checks_a_recursive_type() {
        block_on(async {
            let mut wire = session(tools![tree]).await;
            let arguments = json!({ "label": "a", "kids": [{ "label": "b", "kids": [{ "label": "c" }] }] });
            assert_eq!(wire.text("tree", arguments).await, "a 3");
            let arguments = json!({ "label": "a", "kids": [{ "label": "b", "kids": [{ "label": 3 }] }] });
            let text = wire.failure("tree", arguments).await;
            assert_eq!(text, misfit("tree", &["`kids[0].kids[0].label`: expected string, got integer 3"]));
        });
    }

    #[tool]
    fn totals(#[args] by_name: BTreeMap<String, u8>) -> String {
        shown(by_name)
    }

    #[tool]
    fn note(text: &str) -> String {
        shown(text)
    }

    #[test]
    fn says_of_half_a_character_what_it_is_and_of_a_long_key_only_so_much() {
        block_on(async {
            let mut wire = session(tools![totals, note]).await;
            let half = "has an escape for one half of a surrogate pair, and a character needs both";
            for escape in [r"\ud800", r"\udc00\ud800"] {
                let text = wire.failure_raw("note", &format!(r#"{{"text":"{escape}"}}"#)).await;
                assert_eq!(text, misfit("note", &[&format!("`text`: {half}; got \"{escape}\"")]));
            }
            // Nobody knows what is behind it, so nothing is missing.
            let text = wire.failure_raw("note", r#"{"\ud800":1,"text":"a"}"#).await;
            assert_eq!(text, misfit("note", &[&format!("the arguments object is malformed: {half}")]));

            let text = wire.failure_raw("totals", &format!(r#"{{"{}":"x"}}"#, "k".repeat(100_000))).await;
            assert!(text.contains("kkk…`: ") && text.len() < 400, "{text}");
        });
    }

    #[test]
    fn shows_a_map_as_an_object_with_members_of_any_name() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {},
                "additionalProperties": { "type": "integer", "minimum": 0, "maximum": 255 },
            });
            assert_eq!(input_schema(tools![totals][0]).await, expected);
        });
    }

    #[test]
    fn takes_and_checks_a_map() {
        block_on(async {
            let mut wire = session(tools![totals]).await;
            assert_eq!(wire.text("totals", json!({ "a": 1, "b": 2.0, "c": "3" })).await, r#"{"a": 1, "b": 2, "c": 3}"#);
            let text = wire.failure("totals", json!({ "a": 1, "b": true })).await;
            assert_eq!(text, misfit("totals", &["`b`: expected integer from 0 to 255, got boolean true"]));
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Query {
        text: String,
        #[serde(flatten)]
        page: Page,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Page {
        limit: u8,
        after: Option<u64>,
    }

    #[tool]
    fn query(#[args] query: Query) -> String {
        shown((query.text, query.page.limit, query.page.after))
    }

    #[test]
    fn shows_flattened_members_among_the_others() {
        block_on(async {
            let expected = json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string" },
                    "limit": { "type": "integer", "minimum": 0, "maximum": 255 },
                    "after": { "type": "integer", "minimum": 0 },
                },
                "required": ["text", "limit"],
                "additionalProperties": false,
            });
            assert_eq!(input_schema(tools![query][0]).await, expected);
        });
    }

    #[test]
    fn takes_and_checks_flattened_members() {
        block_on(async {
            let mut wire = session(tools![query]).await;
            let arguments = json!({ "text": "a", "limit": 3, "after": u64::MAX });
            assert_eq!(wire.text("query", arguments).await, shown(("a", 3, Some(u64::MAX))));
            assert_eq!(
                wire.text_raw("query", r#"{"text":"a","limit":3.0,"after":"7"}"#).await,
                shown(("a", 3, Some(7)))
            );
            let text = wire.failure("query", json!({ "text": "a", "limit": 300, "before": 1 })).await;
            let problems = ["`limit`: expected integer from 0 to 255, got 300", "`before` is not known"];
            assert_eq!(text, misfit("query", &problems));
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Loose {
        id: u8,
        #[serde(flatten)]
        others: BTreeMap<String, Value>,
    }

    #[tool]
    fn loose(#[args] loose: Loose) -> String {
        format!("{} {}", loose.id, json!(loose.others))
    }

    #[test]
    fn takes_members_that_a_flattened_map_takes() {
        block_on(async {
            let schema = input_schema(tools![loose][0]).await;
            assert_ne!(schema["additionalProperties"], json!(false), "{schema}");
            let arguments = json!({ "id": 1, "more": "x" });
            assert_eq!(session(tools![loose]).await.text("loose", arguments).await, r#"1 {"more":"x"}"#);
        });
    }

    #[tool]
    fn with_context(ctx: &Context, #[args] page: Page, last: State<u8>) -> String {
        shown((ctx.is_cancelled(), page.limit, page.after, *last))
    }

    #[test]
    fn takes_what_the_server_provides_beside_the_whole_object() {
        block_on(async {
            let server = Server::new("t", "1").state(9_u8).tools(tools![with_context]);
            let mut wire = Wire::initialized(server, "2025-11-25").await;
            assert_eq!(wire.text("with_context", json!({ "limit": 2 })).await, "(false, 2, None, 9)");
        });
    }

    #[tool]
    fn beside(#[args] page: Page, more: u8) -> String {
        shown((page, more))
    }

    #[test]
    fn refuses_to_start_with_another_argument_beside_the_whole_object() {
        block_on(async {
            let expected =
                "tool `beside`: `page` is the whole arguments object (`#[args]`), so it can be the only argument";
            assert_eq!(refusal(tools![beside][0]).await, expected);
        });
    }

    #[tool]
    fn list(#[args] list: Vec<u8>) -> usize {
        list.len()
    }

    #[tool]
    fn number(#[args] number: u8) -> u8 {
        number
    }

    #[tool]
    fn anything(#[args] anything: Value) -> Value {
        anything
    }

    #[test]
    fn refuses_to_start_with_a_whole_object_that_is_none() {
        block_on(async {
            for (tool, name) in tools![list, number, anything].into_iter().zip(["list", "number", "anything"]) {
                let reason = "is the whole arguments object (`#[args]`), so its type must be an object";
                assert_eq!(refusal(tool).await, format!("tool `{name}`: `{name}` {reason}"));
            }
        });
    }
}

mod quoted {
    use super::*;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Inner {
        n: u32,
        flags: Vec<bool>,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    enum IdOrName {
        Id(u64),
        Name(String),
    }

    #[tool]
    fn page(limit: u32, ratio: f64, deep: bool, ids: Vec<u32>, opt: Option<u8>) -> String {
        shown((limit, ratio, deep, ids, opt))
    }

    #[tool]
    fn nested(inner: Inner, by_name: BTreeMap<String, Inner>, pair: (u8, bool)) -> String {
        shown((inner.n, inner.flags, by_name, pair))
    }

    #[tool]
    fn strings(text: String, any: Value, id: IdOrName, maybe: Option<String>) -> String {
        shown((text, any, id, maybe))
    }

    fn quoted_page() -> Value {
        json!({ "limit": "10", "ratio": "0.5", "deep": "true", "ids": ["1", "2"], "opt": "3" })
    }

    #[test]
    fn reads_quoted_numbers_and_booleans() {
        block_on(async {
            let text = session(tools![page]).await.text("page", quoted_page()).await;
            assert_eq!(text, "(10, 0.5, true, [1, 2], Some(3))");
        });
    }

    #[test]
    fn reads_quoted_arrays_and_objects_at_every_depth() {
        block_on(async {
            let arguments = json!({
                "inner": r#"{"n":"1","flags":"[\"true\",false]"}"#,
                "by_name": { "a": { "n": 2, "flags": "[]" } },
                "pair": r#"["7","false"]"#,
            });
            let text = session(tools![nested]).await.text("nested", arguments).await;
            assert_eq!(text, r#"(1, [true, false], {"a": Inner { n: 2, flags: [] }}, (7, false))"#);
        });
    }

    #[test]
    fn leaves_strings_alone_where_a_string_is_wanted() {
        block_on(async {
            let arguments = json!({ "text": "10", "any": "{\"a\":1}", "id": "7", "maybe": "null" });
            let text = session(tools![strings]).await.text("strings", arguments).await;
            assert_eq!(text, r#"("10", String("{\"a\":1}"), Name("7"), Some("null"))"#);
        });
    }

    #[test]
    fn refuses_quoted_values_that_spell_nothing_wanted() {
        block_on(async {
            let arguments = json!({ "limit": "ten", "ratio": " 0.5 ", "deep": "TRUE", "ids": "1", "opt": "300" });
            let text = session(tools![page]).await.failure("page", arguments).await;
            let problems = [
                r#"`limit`: expected integer from 0 to 4294967295, got string "ten""#,
                r#"`ratio`: expected number, got string " 0.5 ""#,
                r#"`deep`: expected boolean, got string "TRUE""#,
                r#"`ids`: expected array, got string "1""#,
                "`opt`: expected integer from 0 to 255, got 300",
            ];
            assert_eq!(text, misfit("page", &problems));
        });
    }

    #[test]
    fn never_reads_an_empty_string_as_zero() {
        block_on(async {
            let mut arguments = quoted_page();
            arguments["limit"] = "".into();
            let text = session(tools![page]).await.failure("page", arguments).await;
            let problem = r#"`limit`: expected integer from 0 to 4294967295, got string """#;
            assert_eq!(text, misfit("page", &[problem]));
        });
    }

    #[test]
    fn keeps_the_bounds_for_quoted_values() {
        #[tool]
        fn bounded(#[arg(range = 1..=5)] n: u8) -> u8 {
            n
        }

        block_on(async {
            let mut wire = session(tools![bounded]).await;
            assert_eq!(wire.call("bounded", json!({ "n": "5" })).await["structuredContent"]["result"], 5);
            let text = wire.failure("bounded", json!({ "n": "6" })).await;
            assert_eq!(text, misfit("bounded", &["`n`: expected integer from 1 to 5, got 6"]));
        });
    }

    #[test]
    fn reads_a_quoted_integer_of_64_bits_exactly() {
        #[tool]
        fn big(id: u64) -> String {
            shown(id)
        }

        block_on(async {
            let arguments = json!({ "id": u64::MAX.to_string() });
            assert_eq!(session(tools![big]).await.text("big", arguments).await, u64::MAX.to_string());
        });
    }

    #[test]
    fn refuses_quoted_values_if_arguments_are_strict() {
        block_on(async {
            let server = Server::new("t", "1").strict_arguments().tools(tools![page]);
            let text = Wire::initialized(server, "2025-11-25").await.failure("page", quoted_page()).await;
            let problems = [
                r#"`limit`: expected integer from 0 to 4294967295, got string "10""#,
                r#"`ratio`: expected number, got string "0.5""#,
                r#"`deep`: expected boolean, got string "true""#,
                r#"`ids[0]`: expected integer from 0 to 4294967295, got string "1""#,
                r#"`ids[1]`: expected integer from 0 to 4294967295, got string "2""#,
                r#"`opt`: expected integer from 0 to 255, got string "3""#,
            ];
            assert_eq!(text, misfit("page", &problems));
        });
    }

    #[test]
    fn takes_null_and_whole_floats_although_arguments_are_strict() {
        block_on(async {
            let server = Server::new("t", "1").strict_arguments().tools(tools![page]);
            let mut wire = Wire::initialized(server, "2025-11-25").await;
            let arguments = r#"{"limit":1e1,"ratio":1,"deep":true,"ids":[1.0],"opt":null}"#;
            assert_eq!(wire.text_raw("page", arguments).await, "(10, 1.0, true, [1], None)");
        });
    }

    #[test]
    fn publishes_the_same_schema_with_and_without_strict_arguments() {
        block_on(async {
            let strict = common::memory::listed(Server::new("t", "1").strict_arguments().tools(tools![page])).await;
            assert_eq!(strict, common::memory::listed(Server::new("t", "1").tools(tools![page])).await);
            assert_eq!(strict[0]["inputSchema"]["properties"]["limit"]["type"], "integer");
        });
    }
}

mod numbers {
    use super::*;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Inner {
        n: u8,
    }

    #[tool]
    fn take(n: u8) -> String {
        shown(n)
    }

    #[tool]
    fn deep(inner: Inner, list: Vec<u8>, optional: Option<u8>) -> String {
        shown((inner.n, list, optional))
    }

    #[test]
    fn takes_a_number_without_a_fraction_as_an_integer() {
        block_on(async {
            let mut wire = session(tools![take]).await;
            for (number, expected) in [("30.0", "30"), ("1e2", "100"), ("-0.0", "0"), ("-0", "0"), ("2.55E2", "255")] {
                assert_eq!(wire.text_raw("take", &format!(r#"{{"n":{number}}}"#)).await, expected, "{number}");
            }
        });
    }

    #[test]
    fn takes_a_number_without_a_fraction_at_every_depth() {
        block_on(async {
            let arguments = r#"{"inner":{"n":30.0},"list":[1.0,2,3e0],"optional":4.0}"#;
            assert_eq!(session(tools![deep]).await.text_raw("deep", arguments).await, "(30, [1, 2, 3], Some(4))");
        });
    }

    #[test]
    fn refuses_fractions_and_what_is_out_of_range() {
        block_on(async {
            let mut wire = session(tools![take]).await;
            for (number, got) in [("30.5", "number 30.5"), ("300", "300"), ("1e30", "1e30"), ("-1", "-1")] {
                let text = wire.failure_raw("take", &format!(r#"{{"n":{number}}}"#)).await;
                let problem = format!("`n`: expected integer from 0 to 255, got {got}");
                assert_eq!(text, misfit("take", &[&problem]));
            }
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    enum Id {
        Number(u64),
        Name(String),
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Outer {
        #[serde(flatten)]
        inner: Flat,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Flat {
        f: u64,
    }

    #[tool]
    fn show(u: u64, i: i64, v: Value, w: u128, id: Id, outer: Outer) -> String {
        shown((u, i, v, w, id, outer.inner.f))
    }

    #[test]
    fn keeps_every_digit_of_large_integers() {
        block_on(async {
            let arguments = r#"{
                "u": 18446744073709551615,
                "i": -9223372036854775808,
                "v": 9007199254740993,
                "w": 340282366920938463463374607431768211455,
                "id": 9007199254740993,
                "outer": { "f": 18446744073709551615 }
            }"#
            .replace('\n', "");
            let text = session(tools![show]).await.text_raw("show", &arguments).await;
            let expected = "(18446744073709551615, -9223372036854775808, Number(9007199254740993), \
                            340282366920938463463374607431768211455, Number(9007199254740993), 18446744073709551615)";
            assert_eq!(text, expected);
        });
    }

    #[test]
    fn refuses_integers_beyond_64_bits() {
        block_on(async {
            let arguments = r#"{"u":18446744073709551616,"i":9223372036854775808,"v":0,"w":0,"id":0,"outer":{"f":0}}"#;
            let text = session(tools![show]).await.failure_raw("show", arguments).await;
            let problems = [
                "`u`: expected integer from 0 to 18446744073709551615; got 18446744073709551616",
                "`i`: expected integer from -9223372036854775808 to 9223372036854775807; got 9223372036854775808",
            ];
            assert_eq!(text, misfit("show", &problems));
        });
    }
}

mod nulls {
    use super::*;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Filter {
        #[serde(default)]
        deep: bool,
        note: Option<String>,
        #[serde(default, deserialize_with = "some")]
        limit: Option<Option<u32>>,
    }

    /// Null is a value, and only what is missing is none.
    fn some<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u32>>, D::Error> {
        serde::Deserialize::deserialize(deserializer).map(Some)
    }

    #[tool]
    fn list(
        dir: String,
        limit: Option<u32>,
        #[arg(default)] deep: bool,
        #[arg(default)] tags: Vec<String>,
        filter: Option<Filter>,
    ) -> String {
        shown((dir, limit, deep, tags, filter))
    }

    #[test]
    fn takes_null_as_missing_for_everything_optional() {
        block_on(async {
            let arguments = json!({ "dir": "a", "limit": null, "deep": null, "tags": null, "filter": null });
            let text = session(tools![list]).await.text("list", arguments).await;
            assert_eq!(text, r#"("a", None, false, [], None)"#);
        });
    }

    #[test]
    fn refuses_null_for_what_is_required() {
        block_on(async {
            let text = session(tools![list]).await.failure("list", json!({ "dir": null })).await;
            assert_eq!(text, misfit("list", &["`dir` is required and must not be null"]));
        });
    }

    #[test]
    fn takes_null_as_missing_inside_of_a_value() {
        block_on(async {
            let arguments = json!({ "dir": "a", "filter": { "deep": null, "note": null } });
            let text = session(tools![list]).await.text("list", arguments).await;
            assert_eq!(text, r#"("a", None, false, [], Some(Filter { deep: false, note: None, limit: None }))"#);
        });
    }

    #[test]
    fn keeps_null_inside_of_a_value_where_it_means_something() {
        block_on(async {
            let mut wire = session(tools![list]).await;
            let text = wire.text("list", json!({ "dir": "a", "filter": { "limit": null } })).await;
            assert_eq!(text, r#"("a", None, false, [], Some(Filter { deep: false, note: None, limit: Some(None) }))"#);
        });
    }

    #[test]
    fn publishes_plain_types_for_what_takes_null() {
        block_on(async {
            let schema = input_schema(tools![list][0]).await;
            let expected = json!({
                "type": "object",
                "properties": {
                    "deep": { "type": "boolean", "default": false },
                    "note": { "type": "string" },
                    "limit": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                },
            });
            assert_eq!(schema["properties"]["filter"], expected);
            assert_eq!(schema["required"], json!(["dir"]));
        });
    }
}

mod required {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Parts {
        #[serde(default)]
        n: u32,
        unit: (),
        #[serde(default = "yes")]
        flag: bool,
        name: Option<String>,
        #[serde(default, deserialize_with = "trimmed")]
        #[schemars(with = "Option<String>")]
        trimmed: Option<String>,
        #[serde(deserialize_with = "trimmed")]
        trimmed_too: Option<String>,
        wrapped: Wrapped,
        boxed: Box<Option<u8>>,
        id: u8,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(transparent)]
    struct Wrapped(Option<u8>);

    fn yes() -> bool {
        true
    }

    fn trimmed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
        let text: Option<String> = serde::Deserialize::deserialize(deserializer)?;
        Ok(text.map(|text| text.trim().to_owned()))
    }

    type Maybe<T> = Option<T>;

    #[tool]
    fn whole(#[args] parts: Parts) -> String {
        let Parts { n, unit, flag, name, trimmed, trimmed_too, wrapped, boxed, id } = parts;
        shown((n, unit, flag, name, trimmed, trimmed_too, wrapped.0, boxed, id))
    }

    #[tool]
    fn each(
        plain: u8,
        unit: (),
        maybe: Maybe<u8>,
        boxed: Box<Option<u8>>,
        wrapped: Wrapped,
        lent: &Option<u8>,
        text: &str,
        list: &[u8],
        any: Value,
        #[arg(default)] defaulted: u8,
        nested: Option<Option<u8>>,
    ) -> String {
        shown((plain, unit, maybe, boxed, wrapped.0, lent, text, list, any, defaulted, nested))
    }

    /// Calls a tool without each of its arguments in turn; those whose absence fails have to be the required ones.
    async fn assert_required(tool: ToolDef, name: &str, all: Value) {
        let schema = input_schema(tool).await;
        let mut wire = session([tool]).await;
        wire.text(name, all.clone()).await;
        let mut failing = BTreeSet::new();
        for key in all.as_object().unwrap().keys() {
            let mut arguments = all.clone();
            arguments.as_object_mut().unwrap().remove(key);
            if wire.call(name, arguments).await["isError"] == true {
                failing.insert(key.clone());
            }
        }
        let required = schema["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned());
        assert_eq!(failing, required.collect::<BTreeSet<_>>(), "{schema}");
        assert_eq!(schema["properties"].as_object().unwrap().len(), all.as_object().unwrap().len());
    }

    #[test]
    fn requires_exactly_the_arguments_whose_absence_fails() {
        block_on(async {
            let all = json!({
                "plain": 1, "unit": null, "maybe": 1, "boxed": 1, "wrapped": 1, "lent": 1, "text": "a", "list": [],
                "any": 1, "defaulted": 1, "nested": 1,
            });
            assert_required(tools![each][0], "each", all).await;
        });
    }

    #[test]
    fn requires_exactly_the_members_whose_absence_fails() {
        block_on(async {
            let all = json!({
                "n": 1, "unit": null, "flag": true, "name": "a", "trimmed": "b", "trimmed_too": "c", "wrapped": 1,
                "boxed": 1, "id": 1,
            });
            assert_required(tools![whole][0], "whole", all).await;
        });
    }
}

mod variants {
    use super::*;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    enum Op {
        Read { path: String },
        Write(String),
        Sync,
    }

    #[tool]
    fn run(op: Op) -> String {
        shown(op)
    }

    #[test]
    fn takes_every_variant_of_an_enum() {
        block_on(async {
            let mut wire = session(tools![run]).await;
            for (op, expected) in [
                (json!({ "Read": { "path": "a" } }), r#"Read { path: "a" }"#),
                (json!({ "Write": "7" }), r#"Write("7")"#),
                (json!("Sync"), "Sync"),
            ] {
                assert_eq!(wire.text("run", json!({ "op": op })).await, expected);
            }
        });
    }

    #[test]
    fn lists_the_variants_to_who_names_none() {
        block_on(async {
            let mut wire = session(tools![run]).await;
            let text = wire.failure("run", json!({ "op": {} })).await;
            assert_eq!(text, misfit("run", &["`op`: expected an object with one of `Read`, `Write`"]));
            let text = wire.failure("run", json!({ "op": { "reads": { "path": "a" } } })).await;
            let problem = "`op`: expected an object with one of `Read`, `Write`; did you mean `Read`?";
            assert_eq!(text, misfit("run", &[problem]));
        });
    }

    #[test]
    fn checks_the_variant_that_is_named() {
        block_on(async {
            let mut wire = session(tools![run]).await;
            let text = wire.failure("run", json!({ "op": { "Read": {} } })).await;
            assert_eq!(text, misfit("run", &["`op.Read.path` is required and missing"]));
            let text = wire.failure("run", json!({ "op": { "Write": 7 } })).await;
            assert_eq!(text, misfit("run", &["`op.Write`: expected string, got integer 7"]));
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    enum Whole {
        Get { id: u8 },
        Put { id: u8, text: String },
    }

    #[tool]
    fn whole(#[args] whole: Whole) -> String {
        shown(whole)
    }

    #[test]
    fn lists_the_variants_of_a_whole_object_to_who_names_none() {
        block_on(async {
            let mut wire = session(tools![whole]).await;
            assert_eq!(wire.text("whole", json!({ "Get": { "id": 1 } })).await, "Get { id: 1 }");
            let text = wire.failure("whole", json!({})).await;
            assert_eq!(text, misfit("whole", &["expected an object with one of `Get`, `Put`"]));
        });
    }
}

mod maps {
    use super::*;

    #[tool]
    fn by_number(by_number: BTreeMap<i32, u8>) -> String {
        shown(by_number)
    }

    #[test]
    fn takes_and_checks_a_map_with_integers_for_keys() {
        block_on(async {
            let mut wire = session(tools![by_number]).await;
            let arguments = json!({ "by_number": { "-1": 1, "2": "3" } });
            assert_eq!(wire.text("by_number", arguments).await, "{-1: 1, 2: 3}");
            let text = wire.failure("by_number", json!({ "by_number": { "1": "x", "2": 300 } })).await;
            let problems = [
                r#"`by_number.1`: expected integer from 0 to 255, got string "x""#,
                "`by_number.2`: expected integer from 0 to 255, got 300",
            ];
            assert_eq!(text, misfit("by_number", &problems));
        });
    }
}

mod unknown {
    use super::*;

    #[tool]
    fn purge(runs: State<AtomicUsize>, path: String, #[arg(default)] dry_run: bool) -> String {
        runs.fetch_add(1, Ordering::Relaxed);
        shown((path, dry_run))
    }

    #[tool]
    fn runs(runs: State<AtomicUsize>) -> String {
        shown(runs)
    }

    fn server() -> Server {
        Server::new("t", "1").state(AtomicUsize::new(0)).tools(tools![purge, runs])
    }

    #[test]
    fn refuses_a_misspelt_argument_and_runs_nothing() {
        block_on(async {
            let mut wire = Wire::initialized(server(), "2025-11-25").await;
            let text = wire.failure("purge", json!({ "path": "a", "dry-run": true })).await;
            let problems =
                ["`dry-run` is not an argument; did you mean `dry_run`?", "the arguments are: `path`, `dry_run`"];
            assert_eq!(text, misfit("purge", &problems));
            assert_eq!(wire.text("runs", json!({})).await, "State(0)");
        });
    }

    #[test]
    fn refuses_arguments_that_hosts_add() {
        block_on(async {
            let arguments = json!({ "path": "a", "_meta": {}, "reason": "because" });
            let text = Wire::initialized(server(), "2025-11-25").await.failure("purge", arguments).await;
            let problems =
                ["`_meta` is not an argument", "`reason` is not an argument", "the arguments are: `path`, `dry_run`"];
            assert_eq!(text, misfit("purge", &problems));
        });
    }

    #[test]
    fn ignores_unknown_arguments_if_they_are_allowed() {
        block_on(async {
            let mut wire = Wire::initialized(server().allow_unknown_arguments(), "2025-11-25").await;
            let arguments = json!({ "path": "a", "_meta": {}, "reason": "because" });
            assert_eq!(wire.text("purge", arguments).await, shown(("a", false)));
        });
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Page {
        limit: Option<u8>,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "op")]
    enum Op {
        Get { id: u8 },
        Put { id: u8, text: Option<String> },
    }

    #[tool]
    fn page(#[args] page: Page) -> String {
        shown(page.limit)
    }

    #[tool]
    fn op(#[args] op: Op) -> String {
        match op {
            Op::Get { id } => shown(id),
            Op::Put { id, text } => shown((id, text)),
        }
    }

    #[test]
    fn opens_every_schema_if_unknown_arguments_are_allowed() {
        block_on(async {
            let server = server().tools(tools![page, op]).allow_unknown_arguments();
            let tools = common::memory::listed(server).await;
            assert_eq!(tools.len(), 4);
            for tool in tools {
                assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
                assert_eq!(tool["inputSchema"].get("additionalProperties"), None, "{tool}");
            }
        });
    }

    #[test]
    fn ignores_unknown_members_of_a_whole_object_if_they_are_allowed() {
        block_on(async {
            let server = Server::new("t", "1").tools(tools![page, op]).allow_unknown_arguments();
            let mut wire = Wire::initialized(server, "2025-11-25").await;
            assert_eq!(wire.text("page", json!({ "limit": 3, "more": 1 })).await, "Some(3)");
            assert_eq!(wire.text("op", json!({ "op": "Get", "id": 3, "text": "x", "more": 1 })).await, "3");
        });
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Tight {
        a: u8,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Wide {
        a: u8,
    }

    #[tool]
    fn levels(tight: Tight, wide: Option<Wide>) -> String {
        shown((tight.a, wide.map(|wide| wide.a)))
    }

    #[test]
    fn closes_exactly_the_levels_that_refuse_unknown_keys() {
        block_on(async {
            let schema = input_schema(tools![levels][0]).await;
            assert_eq!(schema["additionalProperties"], false);
            assert_eq!(schema["properties"]["tight"]["additionalProperties"], false);
            assert_eq!(schema["properties"]["wide"].get("additionalProperties"), None);
            let mut wire = session(tools![levels]).await;
            let text = wire.failure("levels", json!({ "tight": { "a": 1 }, "zz": 1 })).await;
            assert!(text.contains("`zz` is not an argument"), "{text}");
            let text = wire.failure("levels", json!({ "tight": { "a": 1, "zz": 1 } })).await;
            assert_eq!(text, misfit("levels", &["`tight.zz` is not known"]));
            let text = wire.text("levels", json!({ "tight": { "a": 1 }, "wide": { "a": 2, "zz": 1 } })).await;
            assert_eq!(text, "(1, Some(2))");
        });
    }
}

mod problems {
    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Step {
        n: u32,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Opts {
        depth: u8,
    }

    #[tool]
    fn plan(steps: Vec<Step>, opts: Opts) -> String {
        shown((steps.iter().map(|step| step.n).collect::<Vec<_>>(), opts.depth))
    }

    #[test]
    fn names_the_path_the_expectation_and_the_value_of_every_problem() {
        block_on(async {
            let arguments = json!({ "steps": [{ "n": 1 }, { "n": "two" }], "opts": { "depth": -1 } });
            let text = session(tools![plan]).await.failure("plan", arguments).await;
            let problems = [
                r#"`steps[1].n`: expected integer from 0 to 4294967295, got string "two""#,
                "`opts.depth`: expected integer from 0 to 255, got -1",
            ];
            assert_eq!(text, misfit("plan", &problems));
        });
    }

    #[test]
    fn names_a_missing_argument() {
        block_on(async {
            let text = session(tools![plan]).await.failure("plan", json!({ "steps": [] })).await;
            assert_eq!(text, misfit("plan", &["`opts` is required and missing"]));
        });
    }

    #[tool]
    fn open(path: &str) -> String {
        shown(path)
    }

    #[test]
    fn tells_a_wrong_type_from_a_missing_and_from_a_misspelt_argument() {
        block_on(async {
            let mut wire = session(tools![open]).await;
            let text = wire.failure("open", json!({ "path": ["a.txt"] })).await;
            assert_eq!(text, misfit("open", &["`path`: expected string, got array"]));
            let text = wire.failure("open", json!({ "Path": "a.txt" })).await;
            let problems = [
                "`Path` is not an argument; did you mean `path`?",
                "the arguments are: `path`",
                "`path` is required and missing",
            ];
            assert_eq!(text, misfit("open", &problems));
            let error = wire.request("tools/call", json!({ "name": ["open"], "arguments": {} })).await["error"].take();
            assert_eq!(error, json!({ "code": -32602, "message": "`name` must be a string" }));
        });
    }

    #[test]
    fn answers_wrong_arguments_with_a_failure_in_every_revision() {
        block_on(async {
            for &revision in Revision::ALL {
                let mut client = Server::new("t", "1").tools(tools![plan]).connect_as(revision).await.unwrap();
                for arguments in [json!({ "steps": "x", "opts": { "depth": 1 } }), json!({ "opts": { "depth": 1 } })] {
                    let result = client.call_tool("plan", arguments).await.unwrap();
                    assert_eq!(result["isError"], true, "{revision}: {result}");
                    assert!(result["content"][0]["text"].as_str().unwrap().contains("`steps`"), "{revision}: {result}");
                }
            }
        });
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    struct Deep {
        next: Option<Box<Deep>>,
    }

    #[tool]
    fn deep(deep: Deep) -> String {
        shown(deep.next.is_some())
    }

    #[test]
    fn refuses_values_that_are_nested_too_deeply() {
        block_on(async {
            let mut wire = session(tools![deep]).await;
            let nested = |levels: usize| format!("{}null{}", r#"{"next":"#.repeat(levels), "}".repeat(levels));
            assert_eq!(wire.text_raw("deep", &format!(r#"{{"deep":{}}}"#, nested(60))).await, "true");
            let text = wire.failure_raw("deep", &format!(r#"{{"deep":{}}}"#, nested(1000))).await;
            assert!(text.contains("`deep") && text.len() < 2000, "{text}");
            wire.assert_silent().await;
        });
    }

    #[tool]
    fn many(list: Vec<u8>) -> usize {
        list.len()
    }

    #[test]
    fn tells_the_first_problems_and_counts_the_others() {
        block_on(async {
            let text = session(tools![many]).await.failure("many", json!({ "list": vec![true; 500] })).await;
            assert!(text.contains("`list[0]`: expected integer from 0 to 255, got boolean true"), "{text}");
            assert!(text.contains("480 more"), "{text}");
            assert!(text.len() < 2000, "{text}");
        });
    }
}
