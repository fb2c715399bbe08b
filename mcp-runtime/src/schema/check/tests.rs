use serde_json::{Value, json};

use super::{Manner, check};
use crate::schema::pattern::Patterns;

/// What is wrong with a value of the definition `Expr`.
fn problems(expr: &Value, text: &str) -> Vec<String> {
    let definitions = json!({ "Expr": expr });
    let manner = Manner { unquote: true, ..Manner::STRICT };
    let schema = json!({ "$ref": "#/$defs/Expr" });
    check(&schema, definitions.as_object().unwrap(), &Patterns::default(), "e", text, manner).problems
}

/// `inner` in so many objects, each the `x` of the next.
fn nested(depth: usize, object: &str, inner: &str) -> String {
    format!("{}{inner}{}", object.repeat(depth), "}".repeat(depth))
}

#[test]
fn looks_into_the_branch_with_the_right_tag_only() {
    let unary = |op: &str| {
        json!({
            "type": "object",
            "properties": { "op": { "type": "string", "const": op }, "x": { "$ref": "#/$defs/Expr" } },
            "required": ["op", "x"],
        })
    };
    let literal = json!({
        "type": "object",
        "properties": { "op": { "type": "string", "const": "lit" }, "n": { "type": "integer" } },
        "required": ["op", "n"],
    });
    let expr = json!({ "oneOf": [unary("neg"), unary("not"), literal] });
    let found = |depth, inner| problems(&expr, &nested(depth, r#"{"op":"not","x":"#, inner));
    assert_eq!(found(3, r#"{"op":"lit","n":1}"#), [""; 0]);
    assert_eq!(found(3, r#"{"op":"lit","n":"1"}"#), [""; 0]);
    assert_eq!(found(2, r#"{"op":"lit","n":"x"}"#), [r#"`e.x.x.n`: expected integer, got string "x""#]);
    assert_eq!(found(1, r#"{"op":"lit"}"#), ["`e.x.n` is required and missing"]);
    let wrong = r#"`e.x.op`: expected one of "neg", "not", "lit", got "add""#;
    assert_eq!(found(1, r#"{"op":"add"}"#), [wrong]);
    // One that looked into each branch would not come to an end.
    let deep = found(60, r#"{"op":"lit","n":"x"}"#);
    assert_eq!(deep, [format!(r#"`e{}.n`: expected integer, got string "x""#, ".x".repeat(60))]);
}

#[test]
fn gives_up_where_there_are_too_many_ways_to_read_a_value() {
    let unary = |key: &str| {
        json!({
            "type": "object",
            "properties": { "x": { "$ref": "#/$defs/Expr" }, (key): { "type": "null" } },
            "required": ["x"],
        })
    };
    let expr = json!({ "anyOf": [unary("a"), unary("b"), { "type": "integer" }] });
    let found = |depth| problems(&expr, &nested(depth, r#"{"x":"#, "true"));
    assert_eq!(found(2), ["`e.x.x`: expected object or integer, got boolean true"]);
    assert_eq!(found(60), ["`e` cannot be checked, since there are too many ways to read it; nest it less deeply"]);
}

#[test]
fn looks_at_all_of_a_long_text() {
    let list =
        json!({ "type": "array", "items": { "anyOf": [{ "type": "integer", "maximum": 8 }, { "type": "null" }] } });
    let digits = "1,".repeat(200_000);
    assert_eq!(problems(&list, &format!("[{digits}1]")), [""; 0]);
    assert_eq!(
        problems(&list, &format!("[{digits}9]")),
        ["`e[200000]`: expected integer of at most 8 or null, got integer 9"]
    );
}

#[test]
fn tells_only_so_much_of_where_a_problem_is() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let [problem] = &*problems(&map, &format!(r#"{{"{}":1}}"#, "k".repeat(1_000_000))) else { panic!("one is wrong") };
    assert!(problem.starts_with("`e.kkk") && problem.ends_with("…`: expected string, got integer 1"), "{problem}");
    assert!(problem.len() < 300);
}
