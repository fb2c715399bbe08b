use proc_macro2::TokenStream;

use super::support::{assert_errors, assert_form_of_messages, assert_snapshot, contains, errors, expand_as, has_word};
use crate::kind::PROMPT;

const KEYS: &str = "the keys are `name`, `title`, `description`, `icon`, `meta`, `blocking`, `timeout`, `crate`";

fn expand(attr: &str, item: &str) -> TokenStream {
    expand_as(&PROMPT, attr, item)
}

#[test]
fn expands_prompt() {
    let output = expand(
        "title = \"Review\", icon(src = \"a.png\"), meta = values(), timeout = 2, blocking",
        "/// Asks for a review.
        pub async fn review(
            /// The code.
            code: &str,
            #[arg(default = \"rust\", len = 1.., example = \"c\")] language: String,
            ctx: &Context,
        ) -> Result<Vec<PromptMessage>, Failure> { ask(code, language) }",
    );
    assert_snapshot("prompt", &output);
}

#[test]
fn completes_arguments() {
    for (keys, calls) in [
        ("complete = cities", ".complete(cities)"),
        ("complete = [\"a\", \"b\"]", ".complete([\"a\", \"b\"])"),
        ("complete = |written: &str| find(written, 3), default", ".complete(|written: &str| find(written, 3))"),
        ("complete = \"a\"", ".complete(\"a\")"),
    ] {
        let output = expand("", &format!("fn f(#[arg({keys})] a: u8) {{}}"));
        assert_eq!(errors(output.clone()), [""; 0]);
        assert!(contains(&output, &format!("__mcp_params.taken::<u8>(\"a\"){calls}")), "{output}");
        assert_eq!(has_word(&output, "ParamUnsupported"), keys.contains("default"), "{output}");
    }
    let missing = (
        "`complete` takes a function",
        "write `complete = cities`, of a function such as `fn cities(typed: &str) -> Vec<String>`",
    );
    for (keys, underlined) in [("complete", "complete"), ("complete =", "="), ("complete()", "()")] {
        let output = expand("", &format!("fn f(#[arg({keys})] a: u8) {{}}"));
        assert_errors(output, &[(underlined, missing.0, missing.1)]);
    }
}

#[test]
fn reports_header() {
    assert_errors(
        expand("", "fn f(#[arg(header = \"A\")] a: u8) {}"),
        &[(
            "header",
            "`header` is for the arguments of tools",
            "remove it; clients mirror no arguments of prompts and of resources into headers",
        )],
    );
}

#[test]
fn expands_method() {
    let output = expand("", "fn review(&self, #[args] all: Review) -> String { self.ask(all) }");
    assert_eq!(errors(output.clone()), [""; 0]);
    for part in [
        "const __prompt_review: ::mcp_runtime::__private::PromptDef",
        "__mcp_params.receiver::<Self>(); __mcp_params.all::<Review>(\"all\");",
        "Self::review(&*__mcp_0, __mcp_1)",
    ] {
        assert!(contains(&output, part), "{output}");
    }
}

#[test]
fn splits_at_condition_of_parameter_into_prompts() {
    let output = expand("title = \"A\"", "fn f(#[cfg(unix)] a: u8) {}");
    assert!(contains(&output, "#[cfg(unix)] #[::mcp_runtime::prompt(title = \"A\")] fn f(a: u8) {}"), "{output}");
    assert!(contains(&output, "#[cfg(not(unix))] #[::mcp_runtime::prompt(title = \"A\")] fn f() {}"), "{output}");
}

#[test]
fn leaves_fallback_after_error() {
    let output = expand("name = \"x\", nope", "pub fn f() {}");
    assert!(
        contains(
            &output,
            "pub const __prompt_f: ::mcp_runtime::__private::PromptDef =
                ::mcp_runtime::__private::PromptDef::invalid(\"x\");"
        ),
        "{output}"
    );
}

#[test]
fn names_nothing_of_tools() {
    let output = expand(
        "title = A, crate = krate",
        "async fn f(&self, #[arg(default, range = 0..5)] a: u8, b: &str) -> u8 { a }",
    );
    assert_eq!(errors(output.clone()), [""; 0]);
    for word in ["ToolDef", "__mcp_tool", "sync", "__tool_f"] {
        assert!(!has_word(&output, word), "`{word}` in {output}");
    }
}

#[test]
fn has_no_keys_of_other_kinds() {
    for key in ["read_only", "destructive", "idempotent", "open_world"] {
        assert_errors(expand(key, "fn f() {}"), &[(key, &format!("unknown `#[prompt]` key `{key}`"), KEYS)]);
    }
    let elsewhere = KEYS.replace("the keys are", "write it in the `#[arg]` of a parameter; the keys here are");
    assert_errors(expand("len = 1", "fn f() {}"), &[("len", "unknown `#[prompt]` key `len`", &elsewhere)]);
    let elsewhere = "write it in the `#[prompt]` of the function; the keys here are `default`, `rename`, `range`, \
        `len`, `pattern`, `description`, `example`, `complete`";
    assert_errors(expand("", "fn f(#[arg(meta = 1)] a: u8) {}"), &[("meta", "unknown `#[arg]` key `meta`", elsewhere)]);
}

#[test]
fn says_in_messages_what_it_is() {
    assert_errors(
        expand("name = \"a b\"", "const fn f<T>(&mut self, (a): u8, #[x] b: Option<&str>) -> &str where T: X {}"),
        &[
            (
                "\"a b\"",
                "a prompt name cannot contain ` `",
                "write `name = \"a_b\"`; a name is 1 to 128 of the characters `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`",
            ),
            ("const", "a prompt cannot be `const`", "remove `const`"),
            ("<T>", "a prompt cannot have type or const parameters", "write concrete types in the signature"),
            (
                "where T: X",
                "a prompt cannot have a `where` clause",
                "remove it, and write concrete types in the signature",
            ),
            (
                "&mut self",
                "a prompt cannot take `&mut self`, because calls run at the same time",
                "write `&self`, and put what changes into a lock, such as a `Mutex`",
            ),
            (
                "(a)",
                "a prompt parameter must be a plain name, not a pattern",
                "write `value: u8` and take it apart in the body",
            ),
            ("&str", "a prompt parameter cannot contain the reference `&str`", "write `Option<String>`"),
            ("&str", "the result of a prompt cannot contain the reference `&str`", "write `String`"),
            (
                "#[x]",
                "unknown attribute `#[x]` on a prompt parameter",
                "remove it; `#[arg(…)]`, `#[args]`, doc comments, `#[cfg]` and attributes of lints are known here",
            ),
        ],
    );
    assert_errors(
        expand("", "struct X;"),
        &[("struct", "`#[prompt]` belongs on a function, not on `struct`", "write it above an `async fn` or a `fn`")],
    );
    assert_errors(
        expand("", "fn f(a, b: u8) {}"),
        &[(
            ",",
            "this function cannot be read as a prompt: expected `:` and a type",
            "write `async fn name(parameter: Type) -> Type { … }`",
        )],
    );
}

#[test]
fn keeps_form_of_messages() {
    assert_form_of_messages(expand("desc, 3, name, read_only", "unsafe fn f(self, _: u8, a: &mut u8, ...) -> &u8 {}"));
}
