use proc_macro2::Span;
use syn::LitStr;

use crate::template::{Variable, variables};

fn read(uri: &str) -> Result<Vec<Variable>, String> {
    variables(&LitStr::new(uri, Span::call_site())).map_err(|error| error.to_string())
}

#[track_caller]
fn check(uri: &str, what: &str, help: &str) {
    assert_eq!(read(uri).err().unwrap_or_default(), format!("{what}\nhelp: {help}"), "{uri}");
}

#[test]
fn finds_the_variables() {
    for (uri, names) in [
        ("orders://recent", ""),
        ("a:", ""),
        ("a+b.c-1:x", ""),
        ("urn:isbn:{isbn}", "isbn"),
        ("orders://{region}/{+path}", "region path"),
        ("a:b{.ext}{/_a}{#Frag9}", "ext _a Frag9"),
        ("a:b{?q,page}{&x}", "q? page? x?"),
        ("größe:x", "no"),
        ("a:größe/{b}", "b"),
    ] {
        let found = read(uri).map(|variables| {
            let mark = |variable: &Variable| if variable.is_in_query { "?" } else { "" };
            let names = variables.iter().map(|variable| variable.name.clone() + mark(variable));
            names.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found.unwrap_or("no".to_owned()), names, "{uri}");
    }
}

#[test]
fn reports_scheme() {
    let help =
        "begin with one that you choose, as in `orders://recent`, or with a known one, as in `file:///notes.txt`";
    for uri in ["", "orders", "/orders/{id}", "{scheme}://x", "1a:b", "a b:c", "://x", ":", "größe:x"] {
        check(uri, "the URI of a resource needs a scheme", help);
    }
    check("Orders://x", "the scheme `Orders` is not in lower case", "write `orders:`");
}

#[test]
fn reports_characters() {
    for (uri, bad, encoded) in [
        ("a:b c", " ", "%20"),
        ("a:b\n", "\\n", "%0A"),
        ("a:\u{7f}", "\\u{7f}", "%7F"),
        ("a:\u{a0}{b}", "\\u{a0}", "%C2%A0"),
    ] {
        check(
            uri,
            &format!("the URI of a resource cannot contain `{bad}`"),
            &format!("write `{encoded}`, or remove it"),
        );
    }
    for (expression, bad, better) in [
        (" b ", " ", "b"),
        ("b\t", "\\t", "b"),
        ("?b, c", " ", "?b,c"),
        ("\u{7f}+b", "\\u{7f}", "+b"),
        (" ? b", " ", "?b"),
        ("b c", " ", "b_c"),
    ] {
        check(
            &format!("a:{{x}}/{{{expression}}}"),
            &format!("the braces in the URI of a resource cannot contain `{bad}`"),
            &format!("write `{{{better}}}`"),
        );
    }
    for uri in ["a:{b c", "a:{b}/c {d}", "a:{b {c}}"] {
        check(uri, "the URI of a resource cannot contain ` `", "write `%20`, or remove it");
    }
    let unclosed = "write `}` behind the name of the variable, or `%7B` for the character `{`";
    for (uri, name) in [("a:{b", "b"), ("a:{", ""), ("a:{b{c}}", "b"), ("a:{b/x", "b"), ("a:{{b}}", "")] {
        check(uri, &format!("the `{{{name}` in the URI of a resource has no `}}`"), unclosed);
    }
    for uri in ["a:}", "a:b}{c}", "a:{b}}"] {
        check(
            uri,
            "a `}` in the URI of a resource has no `{`",
            "write `{` in front of the name of the variable, or `%7D` for the character `}`",
        );
    }
}

#[test]
fn reports_names() {
    for uri in ["a:{}", "a:{?}", "a:{?a,}", "a:{+}", "a:{*}", "a:{:3}", "a:{ }"] {
        check(
            uri,
            "a variable in the URI of a resource has no name",
            "write it between the braces, as in `orders://{id}`",
        );
    }
    for (name, better) in
        [("order-id", "order_id"), ("a.b", "a_b"), ("1st", "_1st"), ("%20", "_20"), ("größe", "gr__e")]
    {
        check(
            &format!("a:{{{name}}}"),
            &format!("a variable of a URI cannot be named `{name}`"),
            &format!("write `{better}`; a name is letters, digits and `_`, and begins with no digit"),
        );
    }
    check("a:{b}/{?c,b}", "the URI has the variable `b` twice", "rename one of them");
}

#[test]
fn reports_modifiers_with_the_form_to_write() {
    for (expression, better) in [
        ("b*", "{+b}"),
        ("+b*", "{+b}"),
        ("/b*", "/{+b}"),
        (".b*", ".{+b}"),
        ("#b*", "{#b}"),
        ("?b*", "{?b}"),
        ("?a,b*", "{?b}"),
    ] {
        check(
            &format!("a:{{{expression}}}"),
            "the variable `b` of a URI cannot have the modifier `*`",
            &format!("write `{better}`, whose value is one string"),
        );
    }
    check(
        "a:{/b:3}",
        "the variable `b` of a URI cannot have the modifier `:3`",
        "write `{/b}`, and `#[arg(len = ..=3)]` on the parameter",
    );
    check("a:{b:x}", "the variable `b` of a URI cannot have the modifier `:x`", "write `{b}`");
}

#[test]
fn reports_expressions_with_the_form_to_write() {
    for (expression, better) in [
        ("b,c", "{b},{c}"),
        ("+b,c", "{+b},{+c}"),
        ("#b,c,d", "{#b},{+c},{+d}"),
        ("/b,c", "{/b}{/c}"),
        (".b,c", "{.b}{.c}"),
    ] {
        check(
            &format!("a:{{{expression}}}"),
            &format!("`{{{expression}}}` has several variables"),
            &format!("write `{better}`"),
        );
    }
    for (expression, better) in [(";b", ";b={b}"), (";b,c", ";b={b};c={c}")] {
        check(
            &format!("a:{{{expression}}}"),
            &format!("the URI of a resource cannot contain the form `{{{expression}}}`"),
            &format!("write `{better}`"),
        );
    }
    for operator in ['=', ',', '!', '@', '|'] {
        check(
            &format!("a:{{{operator}b}}"),
            &format!("`{{{operator}b}}` begins with `{operator}`, which has no meaning yet"),
            "write `{b}`",
        );
    }
}
