use proc_macro2::TokenStream;

use super::support::tokens;
use crate::kind::{PROMPT, RESOURCE, TOOL};

#[test]
fn reads_hostile_tokens_without_panicking() {
    let pieces = [
        "",
        "fn",
        "fn f",
        "fn f()",
        "#",
        "#[doc]",
        "pub",
        "self",
        "&",
        "'a",
        "::",
        "<",
        "=",
        ",",
        "mut",
        "...",
        "->",
        "name =",
        "title = =",
        "<<>>",
        "r#fn",
        "where",
        "{}",
        "()",
        "[]",
        "fn f(a: &) {}",
        "fn f(&) {}",
        "fn f(a::) {}",
        "..",
        "..=",
        "-",
        "!",
        "in_impl",
        "impl",
        "impl X",
        "for",
        "fn f(#[arg] #[args] self: &) {}",
        "#[tool]",
        "#[cfg_attr]",
        "#[cfg_attr(tool)]",
        "#[cfg_attr(x, cfg_attr(y, tool()), 3)]",
        "range = 0..=",
        "len = ..=..",
        "icon()",
        "icon(icon = )",
        "crate =",
        "crate = ::",
        "timeout = 1e999",
        "\"\"",
        "\"a:{b}\"",
        "uri =",
        "uri = \"a:b\"",
        "priority = -",
        "last_modified = \"TZ\"",
        "audience = \"user\"",
        "struct X",
        "enum X { A(u8), #[form] B }",
        "union X",
        "#[form(crate = )]",
        "#[serde(flatten)]",
        "struct X { #[serde] a: Self }",
        "999999999999999999999999999999999999999999999",
    ];
    for first in pieces {
        for second in pieces {
            let source = format!("{first} {second}");
            read_everywhere(&source);
            for part in ["arg", "args", "serde", "doc"] {
                read_item(&format!("fn f(#[{part}({source})] a: u8, #[{part} {source}] &self) {{}}"));
            }
            read_item(&format!("impl X {{ {source} }}"));
            read_item(&format!("impl X for Y {{ #[tool({source})] {source} }}"));
        }
    }
}

fn read_everywhere(source: &str) {
    let Ok(input) = source.parse::<TokenStream>() else {
        return;
    };
    for kind in [&TOOL, &PROMPT, &RESOURCE] {
        crate::expand::handler(kind, &input, &tokens("fn f() {}"));
    }
    crate::expand::list(&TOOL, input.clone());
    crate::expand::list(&RESOURCE, tokens("krate;").into_iter().chain(input.clone()).collect());
    crate::expand::toolset(input.clone(), &tokens("impl X { #[tool] fn f() {} }"));
    read_item(source);
}

fn read_item(source: &str) {
    if let Ok(item) = source.parse() {
        crate::expand::handler(&TOOL, &TokenStream::new(), &item);
        crate::expand::form(item.clone());
        crate::expand::toolset(TokenStream::new(), &item);
    }
}
