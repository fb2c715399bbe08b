use std::path::Path;

use super::{MAX_DEPTH, as_raw, object, once, once_raw, plain_string};
use crate::json::{self, View};

/// Objects that are plain, with everything that JSON has.
const PLAIN: &[&str] = &[
    "{}",
    " { } ",
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"a\nb"}}}"#,
    r#"{"jsonrpc":"2.0","id":"a-1","method":"ping","params":{"_meta":{"progressToken":7}}}"#,
    "\t{ \"a\" : [ ] ,\r\n \"b\" : { } , \"\" : [ { } , [ 1 , 2 ] ] }",
    r#"{"n":[0,-0,10,-1.5,0.25,1e9,1E+9,1e-09,123456789012345678901234567890],"w":[true,false,null]}"#,
    r#"{"s":["","\"","\\","\/\b\f\n\r\t","\u00e9\uD83D\uDE00","\ud800","a long string of more than eight bytes\\"]}"#,
    r#"{"emoji 😀":"ü, and more than eight bytes: 😀😀","ключ":"значение"}"#,
    r#"{"a":1,"a":2}"#,
    r#"{"deep":[[[[[[[{"a":[{"b":{"c":{}}}]}]]]]]]]}"#,
];

/// What `serde_json` finds.
fn expected(text: &str) -> Option<Vec<(String, String)>> {
    match View::of(text.trim_ascii_start()).filter(|_| text.trim_ascii_start().starts_with('{'))? {
        View::Object(members) => {
            Some(members.into_iter().map(|(key, value)| (key.into_owned(), value.get().to_owned())).collect())
        }
        _ => None,
    }
}

/// What the walk finds.
fn found(text: &str) -> Option<Vec<(String, String)>> {
    let mut members = Vec::new();
    let is_plain = object(text, |key, walk| {
        members.push((key.to_owned(), walk.value()?.to_owned()));
        Some(())
    });
    is_plain.then_some(members)
}

/// The same where the walk looks into every object.
fn found_inside(text: &str) -> bool {
    fn inside<'a>(walk: &mut super::Walk<'a>, objects: &mut Vec<&'a str>) -> Option<()> {
        if !walk.is_at_object() {
            return walk.value().map(drop);
        }
        let object = walk.object(|_, walk| inside(walk, objects))?;
        objects.push(object);
        Some(())
    }
    let mut objects = Vec::new();
    let is_plain = object(text, |_, walk| inside(walk, &mut objects));
    assert!(!is_plain || objects.iter().all(|object| expected(object).is_some()), "{text}");
    is_plain
}

fn assert_agrees(text: &str) {
    if let Some(found) = found(text) {
        assert_eq!(Some(found), expected(text), "{text}");
    }
    assert!(!found_inside(text) || expected(text).is_some(), "{text}");
}

fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let folders = ["arguments", "codec", "message", "session"].map(|name| root.join(name));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the target has a corpus"));
    let texts = files.map(|file| std::fs::read(file.expect("the corpus can be read").path()).expect("it can be read"));
    texts.flat_map(|text| String::from_utf8_lossy(&text).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn finds_the_members_of_plain_objects() {
    for text in PLAIN {
        assert!(found(text).is_some(), "{text}");
        assert_eq!(found(text), expected(text), "{text}");
    }
}

#[test]
fn agrees_with_serde_json_on_the_corpus() {
    let corpus = corpus();
    assert!(corpus.iter().filter(|text| found(text).is_some()).count() > 20);
    for text in &corpus {
        assert_agrees(text);
    }
}

#[test]
fn agrees_with_serde_json_on_every_beginning() {
    for text in PLAIN.iter().copied().map(str::to_owned).chain(corpus().into_iter().filter(|text| text.len() < 300)) {
        for (end, _) in text.char_indices() {
            assert_agrees(&text[..end]);
            assert_agrees(&text[end..]);
        }
        assert_agrees(&format!("{text}}}"));
        assert_agrees(&format!("{text} x"));
    }
}

#[test]
fn agrees_with_serde_json_where_one_character_is_another() {
    let others = "\"\\{}[],: \t\n\u{0}\u{1}\u{1f}\u{7f}\u{b}\u{c}09-+.eEu/atfnlé😀\u{feff}\u{a0}";
    for text in PLAIN {
        for (at, letter) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + letter.len_utf8()..]);
            assert_agrees(&format!("{before}{after}"));
            for other in others.chars() {
                assert_agrees(&format!("{before}{other}{after}"));
                assert_agrees(&format!("{before}{other}{letter}{after}"));
            }
        }
    }
}

#[test]
fn finds_what_ends_a_string_at_every_place() {
    for length in 0..40 {
        for special in ["\"", "\\\"", "\u{1}", "\u{1f}", "\u{7f}", "é", "\u{80}"] {
            let text = format!("{{\"a\":\"{}{special}{}\",\"b\":0}}", "x".repeat(length), "y".repeat(40 - length));
            assert_agrees(&text);
        }
    }
}

#[test]
fn leaves_deep_nesting_and_escaped_keys_to_others() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(found(&nested(MAX_DEPTH.into())).is_some());
    assert_eq!(found(&nested(usize::from(MAX_DEPTH) + 1)), None);
    assert_eq!(found(&nested(1_000_000)), None);
    assert_eq!(found(r#"{"\u0061":1}"#), None);
}

#[test]
fn keeps_what_stands_there_once() {
    let (mut text, mut raw) = (None, None);
    assert_eq!(once(&mut text, "1"), Some(()));
    assert_eq!(once(&mut text, "2"), None);
    assert_eq!(once_raw(&mut raw, "1"), Some(()));
    assert_eq!(once_raw(&mut raw, "2"), None);
}

#[test]
fn lends_a_raw_value_as_it_stands() {
    let text = r#"{"a": [1, 2]}"#;
    let raw = as_raw(text).expect("it is JSON");
    assert!(std::ptr::eq(raw.get(), text));
}

#[test]
fn takes_plain_strings_as_serde_json_does() {
    for text in [r#""""#, r#""a""#, r#""of eight""#, r#""more than eight bytes""#, r#""é😀, and more than eight""#] {
        assert_eq!(plain_string(text), json::parse::<String>(text).ok().as_deref(), "{text}");
        assert!(plain_string(text).is_some());
    }
    // With an escape, with a raw control character, unfinished, or no string at all.
    let others =
        [r#""\\""#, r#""a\"b""#, r#""more than eight\n""#, r#""\u0061""#, "\"a\tb\"", "\"", "\"a", "", "1", "null"];
    for text in others {
        assert_eq!(plain_string(text), None, "{text}");
    }
}
