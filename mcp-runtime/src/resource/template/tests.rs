use super::Template;

fn template(text: &str) -> Template {
    Template::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The variables as `name=value`, with `|` between them.
fn read(text: &str, uri: &str) -> Option<String> {
    let template = template(text);
    let values = template.matches(uri)?;
    Some(values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("|"))
}

#[test]
fn reads_the_variables_of_a_uri() {
    for (template, uri, expected) in [
        ("test://static", "test://static", ""),
        ("orders://{id}", "orders://PT-1041", "id=PT-1041"),
        ("orders://{id}/lines/{line}", "orders://7/lines/3", "id=7|line=3"),
        ("test://template/{id}/data", "test://template/123/data", "id=123"),
        ("urn:isbn:{isbn}", "urn:isbn:0451450523", "isbn=0451450523"),
        ("x://{a.b_1}", "x://v", "a.b_1=v"),
        // Several ways: the first takes as much as it can.
        ("x://{name}.{kind}", "x://a.tar.gz", "name=a.tar|kind=gz"),
        ("x://{name}{.kind}", "x://a.tar.gz", "name=a.tar|kind=gz"),
        ("x://a{.kind}", "x://a.tar.gz", "kind=tar.gz"),
        ("x://{a}-{b}-{c}", "x://1-2-3-4", "a=1-2|b=3|c=4"),
        ("x://{a}aa{b}", "x://aaaaa", "a=aa|b=a"),
        ("x://{+a}/b/{+c}", "x://1/b/2/b/3", "a=1/b/2|c=3"),
        ("x://{+a}/b/{c}", "x://1/b/2/b/3", "a=1/b/2|c=3"),
        ("x://{a}/b/{+c}", "x://1/b/2/b/3", "a=1|c=2/b/3"),
        // One segment or all of them.
        ("file:///{+path}", "file:///a/b%20c.txt", "path=a/b c.txt"),
        ("file:///{+dir}/{name}", "file:///a/b/c", "dir=a/b|name=c"),
        ("x://h{/a}{/b}", "x://h/1/2", "a=1|b=2"),
        ("x://h{/a}/{+b}", "x://h/1/2/3", "a=1|b=2/3"),
        ("x://{+all}", "x://h/p?q=1#f", "all=h/p?q=1#f"),
        // Decoded, and in any way to write it.
        ("x://{a}", "x://a%2Fb%3f%23", "a=a/b?#"),
        ("x://{a}", "x://100%25", "a=100%"),
        ("x://{a}", "x://a+b", "a=a+b"),
        ("x://{a}", "x://gr%C3%B6%c3%9fe", "a=größe"),
        ("x://{a}", "x://größe", "a=größe"),
        ("x://{a}", "x://two words", "a=two words"),
        ("x://{a}", "x://..%2F..", "a=../.."),
        ("x://a-b/{a}", "X://%61%2Db/1", "a=1"),
        ("x://größe/{a}", "x://gr%c3%b6%C3%9Fe/1", "a=1"),
        ("X-Y.z://{a}", "x-y.Z://1", "a=1"),
        // The members of a query by name.
        ("x://h{?a,b}", "x://h?a=1&b=2", "a=1|b=2"),
        ("x://h{?a,b}", "x://h?b=2&a=1", "a=1|b=2"),
        ("x://h{?a,b}", "x://h?b=2", "b=2"),
        ("x://h{?a,b}", "x://h", ""),
        ("x://h{?a}{&b}", "x://h?b=2", "b=2"),
        ("x://h{?a}", "x://h?a=", "a="),
        ("x://h{?a}", "x://h?a", "a="),
        ("x://h{?a}", "x://h?a=1=2/3?4+5%26", "a=1=2/3?4+5&"),
        ("x://h{?a}", "x://h?%61=1", "a=1"),
        ("x://h?v=1{&a,b}", "x://h?v=1&b=2&a=1", "a=1|b=2"),
        ("x://h?v=1&w=2{&a}", "x://h?v=1&w=2&a=1", "a=1"),
        ("x://h?v=1{&a}", "x://h?v=1", ""),
        ("x://h?v={v}{&a}", "x://h?v=1/2&a=3", "v=1/2|a=3"),
        ("x://h?v={+v}{&a}", "x://h?v=1/2&a=3", "v=1/2|a=3"),
        ("x://h?v={v}&w={w}", "x://h?v=1/2&w=3", "v=1/2|w=3"),
        ("x://{id}{?a}", "x://7?a=1", "id=7|a=1"),
        ("x://{+path}{?a}", "x://7/8?a=1", "path=7/8|a=1"),
        ("x://{+path}{?a}", "x://7/8", "path=7/8"),
        // The fragment.
        ("x://h{#a}", "x://h#1/2?3", "a=1/2?3"),
        ("x://{+path}{#a}", "x://h/p?q#1#2", "path=h/p?q|a=1#2"),
        ("x://h#{a}", "x://h#1", "a=1"),
        ("x://h{?a}{#b}", "x://h?a=1#2", "a=1|b=2"),
        ("x://h{?a}{#b}", "x://h#2", "b=2"),
        ("x://h{?a}#top", "x://h?a=1#top", "a=1"),
        ("x://h#top", "x://h#top", ""),
    ] {
        assert_eq!(read(template, uri).as_deref(), Some(expected), "{template} {uri}");
    }
}

#[test]
fn does_not_match_another_uri() {
    for (template, uri) in [
        ("test://static", ""),
        ("test://static", "test"),
        ("test://static", "test://static/"),
        ("test://static", "test://statics"),
        ("test://static", "test://STATIC"),
        ("orders://{id}", "order://1"),
        ("orders://{id}", "orders://"),
        ("orders://{id}", "orders://1/2"),
        ("orders://{id}", "orders://1?a=2"),
        ("orders://{id}", "orders://1#2"),
        ("orders://{id}/lines", "orders:///lines"),
        ("x://{+a}", "x://"),
        ("x://{a}-{b}", "x://1-"),
        ("x://{a}aa{b}", "x://aaa"),
        ("x://h{/a}", "x://h/1/2"),
        ("x://h{/a}", "x://h/"),
        ("x://h{.a}", "x://h."),
        ("x://h{#a}", "x://h#"),
        ("x://h{#a}", "x://h"),
        // `/` and `%2F` are two things, as are the cases of a path.
        ("x://a/{b}", "x://a%2F1"),
        ("x://a%2F{b}", "x://a/1"),
        ("x://a/{b}", "x://A/1"),
        // No URI, and no text.
        ("x://{a}", "x://100%"),
        ("x://{a}", "x://%zz"),
        ("x://{a}", "x://%+1"),
        ("x://{a}", "x://%é9"),
        ("x://{a}", "x://%FF"),
        ("x://{a}C3{b}", "x://1%C3%B62"),
        // A query with what the template does not have, or not once.
        ("x://h{?a}", "x://h?b=1"),
        ("x://h{?a}", "x://h?A=1"),
        ("x://h{?a}", "x://h?a=1&b=1"),
        ("x://h{?a}", "x://h?a=1&a=1"),
        ("x://h{?a}", "x://h?a=1&"),
        ("x://h{?a}", "x://h?"),
        ("x://h{?a}", "x://h&a=1"),
        ("x://h{?a}", "x://h?a=1#f"),
        ("x://h?v=1{&a}", "x://h?a=1&v=1"),
        ("x://h?v=1{&a}", "x://h?v=1?a=1"),
        ("x://h?v=1{&a}", "x://h"),
        ("x://h?v={v}&w={w}", "x://h?v=1&w=2&x=3"),
    ] {
        assert_eq!(read(template, uri), None, "{template} {uri}");
    }
}

#[test]
fn tells_a_template_from_a_uri() {
    for uri in ["test://static", "x:", "x://h?a=1#b", "file:///größe%20x", "x://[::1]/(a)!$'*,;=@~"] {
        let template = template(uri);
        assert!(template.is_plain(), "{uri}");
        assert_eq!(template.matches(uri), Some(Vec::new()));
    }
    assert!(!template("x://h{?a}").is_plain());
    assert!(!template("x://h{#a}").is_plain());
}

#[test]
fn lists_the_variables_in_order() {
    let template = template("x://{a}/{+b}{?c,d}{&e}{#f}");
    assert_eq!(template.variables().collect::<Vec<_>>(), ["a", "b", "c", "d", "e", "f"]);
    let optional: Vec<_> = template.variables().filter(|name| template.is_optional(name)).collect();
    assert_eq!(optional, ["c", "d", "e"]);
    assert!(!template.is_optional("g"));
}

#[test]
fn says_what_to_write_instead() {
    for (template, expected) in [
        ("", "it has no scheme: write one at its beginning, such as `notes://`"),
        ("/orders/{id}", "it has no scheme: write one at its beginning, such as `notes://`"),
        ("{+uri}", "it has no scheme: write one at its beginning, such as `notes://`"),
        ("1x://a", "it has no scheme: write one at its beginning, such as `notes://`"),
        ("x://{a", "`{a` does not end: write `}` after the name, or `%7B` for a brace"),
        ("x://a}", "`}` cannot stand in a URI: write `%7D`"),
        ("x://a b", "` ` cannot stand in a URI: write `%20`"),
        ("x://a\n", "`\\n` cannot stand in a URI: write `%0A`"),
        ("x://a\u{2028}", "`\\u{2028}` cannot stand in a URI: write `%E2%80%A8`"),
        ("x://a|b", "`|` cannot stand in a URI: write `%7C`"),
        ("x://100%", "a `%` without two hexadecimal digits: write `%25` for the character"),
        ("x://a#b#c", "a URI has one `#`: write `%23`"),
        ("x://{}", "a name is missing in `{}`: write letters, digits and `_`"),
        ("x://{a-b}", "`a-b` in `{a-b}` is no name of a variable: write letters, digits and `_`"),
        ("x://{a.}", "`a.` in `{a.}` is no name of a variable: write letters, digits and `_`"),
        ("x://{%61}", "`%61` in `{%61}` is no name of a variable: write letters, digits and `_`"),
        ("x://{ a }", "` a ` in `{ a }` is no name of a variable: write letters, digits and `_`"),
        ("x://{a{b}", "`a{b` in `{a{b}` is no name of a variable: write letters, digits and `_`"),
        ("x://h{?a,}", "a name is missing in `{?a,}`: write letters, digits and `_`"),
        ("x://{a*}", "`{a*}` is not supported: write `{+a}`"),
        ("x://{+a*}", "`{+a*}` is not supported: write `{+a}`"),
        ("x://h{/a*}", "`{/a*}` is not supported: write `/{+a}`"),
        ("x://h{?a*}", "`{?a*}` is not supported: write `{?a}`"),
        ("x://{a:3}", "`{a:3}` is not supported: write `{a}`"),
        ("x://h{;a}", "`{;a}` is not supported: write `;a={a}`"),
        ("x://h{=a}", "`{=a}` is not supported: write `{a}`"),
        ("x://{a,b}", "`{a,b}` has several variables: write `{a},{b}`"),
        ("x://h{#a,b}", "`{#a,b}` has several variables: write `{#a},{+b}`"),
        ("x://h{/a,b}", "`{/a,b}` has several variables: write `{/a}{/b}`"),
        ("x://{a}/{a}", "two variables have the name `a`: write another name for one of them"),
        ("x://{a}{?a}", "two variables have the name `a`: write another name for one of them"),
        ("x://h{?a,a}", "two variables have the name `a`: write another name for one of them"),
        ("x://{a}{b}", "nothing stands between `{a}` and `{b}`: write `{a}/{b}`, or another text between them"),
        ("x://h{/a}{+b}", "nothing stands between `{/a}` and `{+b}`: write `{/a}/{+b}`, or another text between them"),
        ("x://h{?a}{b}", "`{b}` stands after `{?a}`: write it before"),
        ("x://h{?a}{/b}", "`{/b}` stands after `{?a}`: write it before"),
        ("x://h{?a}&v=1", "`&v=1` stands after `{?a}`: write it before"),
        ("x://h{?a}{?b}", "`{?b}` stands in a query: write `{&b}`"),
        ("x://h?v=1{?b,c}", "`{?b,c}` stands in a query: write `{&b,c}`"),
        ("x://h{&a}", "`{&a}` stands in no query: write `{?a}`"),
        ("x://h#f{?a}", "`{?a}` stands after the `#`: write it before"),
        ("x://h#f{#a}", "`{#a}` stands after a `#`: write `{+a}`"),
    ] {
        assert_eq!(Template::parse(template).err().as_deref(), Some(expected), "{template}");
    }
}

/// A client chooses the URI. Trying one length of a variable after the other would not end.
#[test]
fn reads_long_uris_in_time() {
    const LONG: usize = 1 << 20;
    let many = ["a", "b", "c", "d", "e", "f"].map(|name| format!("{{+{name}}}a")).concat();
    for (template, uri, is_match) in [
        (format!("x://{many}b"), format!("x://{}", "a".repeat(LONG)), false),
        (format!("x://{many}"), format!("x://{}", "a".repeat(LONG)), true),
        ("x://{+a}/{+b}/{+c}/{d}!".to_owned(), format!("x://{}", "/".repeat(LONG)), false),
        ("x://{a}-{b}-{c}".to_owned(), format!("x://{}", "-%2d".repeat(LONG / 4)), true),
        ("x://h{?a}".to_owned(), format!("x://h{}", "?a=".repeat(LONG / 3)), true),
        ("x://h{?a,b}".to_owned(), format!("x://h?{}", "a=&".repeat(LONG / 3)), false),
        ("x://h?v={v}{&a}".to_owned(), format!("x://h?v={}", "&a=1".repeat(LONG / 4)), false),
        ("x://{+a}{#b}".to_owned(), format!("x://h{}", "#".repeat(LONG)), true),
    ] {
        let template = Template::parse(&template).unwrap();
        assert_eq!(template.matches(&uri).is_some(), is_match, "{template:?}");
    }
}

/// Not in the models of the executor, which are built without proptest.
#[cfg(not(loom))]
mod any_text {
    use proptest::prelude::*;

    use super::super::Template;

    /// The templates with which every value can be read back: a variable takes nothing that follows it.
    const TEMPLATES: [&str; 8] = [
        "t://{a}",
        "t://{a}/{b}/end",
        "t://x{.a}",
        "t://x{/a}{/b}{?c,d}",
        "t://{a}?v=1{&c,d}{#b}",
        "t://x?v={a}&w={b}",
        "t://x?v={a}{&c}",
        "t://{a}{?c}{#b}",
    ];

    /// Expands as RFC 6570 does.
    fn expanded(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
        let mut uri = String::new();
        let mut rest = template;
        while let Some((text, after)) = rest.split_once('{') {
            uri.push_str(text);
            let (expression, after) = after.split_once('}').unwrap();
            rest = after;
            let names = expression.trim_start_matches(['+', '#', '.', '/', '?', '&']);
            let (operator, _) = expression.split_at(expression.len() - names.len());
            let mut first = operator;
            for (name, value) in names.split(',').filter_map(|name| Some((name, value(name)?))) {
                uri.push_str(if operator == "+" { "" } else { first });
                if matches!(operator, "?" | "&") {
                    uri.extend([name, "="]);
                    first = "&";
                }
                uri.push_str(&encoded(&value, if matches!(operator, "+" | "#") { ":/?#[]@!$&'()*+,;=" } else { "" }));
            }
        }
        uri + rest
    }

    fn encoded(value: &str, kept: &str) -> String {
        let is_kept =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || kept.as_bytes().contains(&byte);
        value
            .bytes()
            .map(|byte| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect()
    }

    fn values() -> impl Strategy<Value = [Option<String>; 4]> {
        let given = || prop_oneof![".+", "[a-c/?#&=%.+ ]{1,8}"].prop_map(Some);
        let optional = || prop_oneof![Just(None), ".*".prop_map(Some)];
        (given(), given(), optional(), optional()).prop_map(|(a, b, c, d)| [a, b, c, d])
    }

    proptest! {
        #[test]
        fn gives_the_values_back_that_a_template_expands_with(values in values()) {
            let value = |name: &str| values["abcd".find(name).unwrap()].clone();
            for text in TEMPLATES {
                let template = Template::parse(text).unwrap();
                let uri = expanded(text, value);
                let expected: Vec<_> = template.variables().filter_map(|name| Some((name, value(name)?))).collect();
                prop_assert_eq!(template.matches(&uri), Some(expected), "{} {}", text, uri);
            }
        }

        #[test]
        fn gives_a_path_back(path in "[^?#]+") {
            for text in ["t://{+a}", "t://{+a}{?c}", "t://{+a}?v=1", "t://h/{+a}{#b}"] {
                let template = Template::parse(text).unwrap();
                let uri = expanded(text, |name| (name != "c").then(|| path.clone()));
                prop_assert_eq!(&template.matches(&uri).unwrap()[0], &("a", path.clone()), "{} {}", text, uri);
            }
        }

        #[test]
        fn reads_any_template_and_any_uri(
            rest in "[ax{}+#./?&,=%0-9é]{0,24}",
            uri in "[ax+#./?&,=%0-9é]{0,24}",
            other in any::<String>(),
        ) {
            let _ = Template::parse(&other);
            if let Ok(template) = Template::parse(&format!("x:{rest}")) {
                let _ = template.matches(&format!("x:{uri}"));
                let _ = template.matches(&other);
                // Its own text is a URI of it if it has no variables; if it has some, they are found in there.
                let found = template.matches(&format!("x:{rest}"));
                prop_assert_eq!(template.is_plain(), found.is_some_and(|values| values.is_empty()));
            }
        }
    }
}
