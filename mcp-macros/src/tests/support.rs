//! What the tests share.

use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::kind::{Kind, TOOL};

/// Parses with real spans, so that a test can see what an error underlines.
pub(super) fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the source of a test is lexed")
}

pub(super) fn expand(attr: &str, item: &str) -> TokenStream {
    expand_as(&TOOL, attr, item)
}

pub(super) fn expand_as(kind: &'static Kind, attr: &str, item: &str) -> TokenStream {
    crate::expand::handler(kind, &tokens(attr), &tokens(item))
}

pub(super) fn expand_toolset(attr: &str, block: &str) -> TokenStream {
    crate::expand::toolset(tokens(attr), &tokens(block))
}

/// The errors in an output as `underlined source => message`.
pub(super) fn errors(output: TokenStream) -> Vec<String> {
    let mut errors = Vec::new();
    let mut window: Vec<TokenTree> = Vec::new();
    for token in output {
        if let TokenTree::Group(group) = &token {
            // `:: core :: compile_error !` are seven tokens.
            let start = window.len().saturating_sub(7);
            match window.get(start..) {
                Some([colon, .., name, _]) if is_ident(name, "compile_error") => {
                    errors.push(render(colon, group.stream()));
                }
                _ => errors.extend(self::errors(group.stream())),
            }
        }
        window.push(token);
    }
    errors
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

fn render(first: &TokenTree, content: TokenStream) -> String {
    let message: syn::LitStr = syn::parse2(content).expect("a message is a string");
    let span = first.span().join(message.span());
    let underlined = span.and_then(|span| span.source_text());
    let underlined = underlined.unwrap_or_else(|| "(call site)".to_owned());
    format!("{underlined} => {}", message.value())
}

/// Compares with a snapshot; `UPDATE_SNAPSHOTS=1` writes it instead.
pub(super) fn assert_snapshot(name: &str, output: &TokenStream) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/snapshots").join(format!("{name}.rs"));
    let actual = format(output);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "run with UPDATE_SNAPSHOTS=1 if this change of `{name}` is intended");
}

/// Formatted Rust; a body that is not Rust stands above it.
fn format(output: &TokenStream) -> String {
    if let Ok(file) = syn::parse2(output.clone()) {
        return prettyplease::unparse(&file);
    }
    let mut body = None;
    let output = output.clone().into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && body.is_none() => {
            body = Some(group.stream());
            Group::new(Delimiter::Brace, TokenStream::new()).into()
        }
        other => other,
    });
    let file = syn::parse2(output.collect()).expect("everything but the body is Rust");
    let body = body.expect("there is a body");
    format!("// The body is `{body}`.\n{}", prettyplease::unparse(&file))
}

/// All tokens in one line, with a space between any two.
pub(super) fn flat(output: &TokenStream) -> String {
    let mut words = Vec::new();
    push_words(output.clone(), &mut words);
    words.join(" ")
}

fn push_words(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        let TokenTree::Group(group) = token else {
            words.push(token.to_string());
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        words.push(open.to_owned());
        push_words(group.stream(), words);
        words.push(close.to_owned());
    }
}

/// Whether the output has these tokens somewhere, one after the other.
pub(super) fn contains(output: &TokenStream, source: &str) -> bool {
    flat(output).contains(&flat(&tokens(source)))
}

/// Whether one of the tokens is this word.
pub(super) fn has_word(output: &TokenStream, word: &str) -> bool {
    flat(output).split(' ').any(|found| found == word)
}

/// Each expected error is what is underlined, what is wrong, and the help.
#[track_caller]
pub(super) fn assert_errors(output: TokenStream, expected: &[(&str, &str, &str)]) {
    let expected = expected.iter().map(|(underlined, what, help)| format!("{underlined} => {what}\nhelp: {help}"));
    assert_eq!(errors(output), expected.collect::<Vec<_>>());
}

/// The form that all messages have.
pub(super) fn assert_form_of_messages(output: TokenStream) {
    let errors = errors(output);
    assert!(!errors.is_empty());
    for error in errors {
        let (_, message) = error.split_once(" => ").expect("a message");
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), 2, "{message}");
        assert!(lines[1].starts_with("help: "), "{message}");
        assert!(!lines[0].starts_with(char::is_uppercase), "{message}");
        assert!(lines.iter().all(|line| !line.ends_with('.')), "{message}");
        assert_eq!(message.matches('`').count() % 2, 0, "{message}");
    }
}
