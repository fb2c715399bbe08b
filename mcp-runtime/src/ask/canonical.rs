//! One text for all spellings of the same arguments: a client may write them anew for each round.

use std::borrow::Cow;

use crate::json::{View, integer};

/// How deep it is looked. What is nested deeper, which no argument can be, is taken as it is written.
const MAX_DEPTH: usize = 128;

/// Decimal numbers of so many digits are told apart by their floats.
const FLOAT_DIGITS: usize = 15;

/// The same text for the same JSON, whatever the order of members, the white space, and the spelling of strings and
/// numbers. What differs has different texts: numbers are not rounded.
pub(super) fn canonical(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    write(&mut out, json, 0);
    out
}

fn write(out: &mut String, json: &str, depth: usize) {
    if depth == MAX_DEPTH {
        return out.push_str(json);
    }
    match View::of(json) {
        Some(View::Object(mut members)) => {
            // Those of one name stay in order.
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_string(out, name);
                out.push(':');
                write(out, value.get(), depth + 1);
            }
            out.push('}');
        }
        Some(View::Array(items)) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write(out, item.get(), depth + 1);
            }
            out.push(']');
        }
        Some(View::String(text)) => write_string(out, &text),
        Some(View::Number(digits)) => out.push_str(&number(digits)),
        Some(View::Null | View::Bool) | None => out.push_str(json),
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

fn number(digits: &str) -> Cow<'_, str> {
    if let Some(integer) = integer(digits) {
        return integer;
    }
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    match digits.parse::<f64>() {
        // Beyond that, two decimals can be one float.
        Ok(float) if float.is_normal() && mantissa.bytes().filter(u8::is_ascii_digit).count() <= FLOAT_DIGITS => {
            Cow::Owned(float.to_string())
        }
        _ => Cow::Borrowed(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn writes_all_spellings_alike() {
        for (one, other) in [
            (r#"{"a":1,"b":[true,null]}"#, "{ \"b\" : [ true,\n null ], \"a\" : 1 }"),
            (r#"{"a":{"c":1,"b":2}}"#, r#"{"a":{"b":2,"c":1}}"#),
            (r#"{"\u0061":"\u00e9\/"}"#, r#"{"a":"é/"}"#),
            (r#"{"a":1e2}"#, r#"{"a":100.0}"#),
            (r#"{"a":-0}"#, r#"{"a":0}"#),
            (r#"{"a":1e-7}"#, r#"{"a":0.0000001}"#),
        ] {
            assert_eq!(canonical(one), canonical(other));
        }
    }

    #[test]
    fn writes_nothing_alike_that_differs() {
        for (one, other) in [
            (r#"{"a":1}"#, r#"{"a":"1"}"#),
            (r#"{"a":1}"#, r#"{"a":1,"a":1}"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
            (r#"{"a":18446744073709551616}"#, r#"{"a":18446744073709551617}"#),
            (r#"{"a":0.1000000000000000055}"#, r#"{"a":0.1}"#),
            (r#"{"a":1e400}"#, r#"{"a":1e401}"#),
            (r#"{"a":1e-400}"#, r#"{"a":1e-401}"#),
            (r#"{"a":"\ud800"}"#, r#"{"a":"\ud801"}"#),
            (r#"{"a":null}"#, "{}"),
        ] {
            assert_ne!(canonical(one), canonical(other));
        }
    }

    #[test]
    fn bears_any_depth() {
        let deep = |item: &str| format!("{{\"a\":{}{item}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_ne!(canonical(&deep("1")), canonical(&deep("2")));
    }
}
