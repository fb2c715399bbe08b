use proc_macro2::{Delimiter, Group};
use quote::quote;

use super::support::{assert_snapshot, contains, errors, expand, expand_toolset, flat, tokens};

#[test]
fn expands_async_function_with_every_kind_of_parameter() {
    let output = expand(
        r#"read_only, title = "Order status""#,
        "/// Look up where an order is.
        pub async fn order_status(
            /// Order number, such as PT-1041.
            order_id: &str,
            limit: Option<u32>,
            ctx: &Context,
        ) -> Result<OrderStatus, UnknownOrder> {
            find(order_id, limit)
        }",
    );
    assert_snapshot("async_fn", &output);
}

#[test]
fn expands_plain_function_without_parameters_or_result() {
    assert_snapshot("plain_fn", &expand("", "fn ping() {}"));
}

#[test]
fn expands_every_setting() {
    let output = expand(
        "blocking, timeout = 1.5, icon(src = \"a.png\", mime_type = \"image/png\", sizes = \"48x48\"),
         icon(src = DARK, theme = \"dark\"), meta = values()",
        "fn ping() {}",
    );
    assert_snapshot("settings", &output);
}

#[test]
fn expands_method_that_borrows_its_receiver() {
    let output =
        expand("", "/// Reads.\nasync fn read<'a>(/** Not shown. */ &'a self, key: &str) -> String { self.get(key) }");
    assert_snapshot("method", &output);
}

#[test]
fn expands_method_that_shares_its_receiver() {
    assert_snapshot("method_shared", &expand("", "pub fn read(self: std::sync::Arc<Self>) {}"));
}

#[test]
fn calls_function_without_receiver_through_its_type() {
    let output = expand("in_impl", "fn f(a: u8) {}");
    assert!(contains(&output, "Self::f(__mcp_0)"), "{output}");
    assert!(!contains(&output, "__mcp_params.receiver"), "{output}");
}

#[test]
fn borrows_receiver_in_every_form() {
    for receiver in ["&self", "&'a self", "self: &Self", "self: &'a Self"] {
        let output = expand("", &format!("fn f<'a>({receiver}, a: u8) {{}}"));
        assert!(contains(&output, "Self::f(&*__mcp_0, __mcp_1)"), "{output}");
        assert!(contains(&output, "Take::<u8>::NEW.__mcp_take(__mcp_call, 1usize)"), "{output}");
    }
}

#[test]
fn takes_every_path_from_the_key_crate() {
    let output = expand("crate = my_facade::mcp", "fn add(#[arg(default)] a: u8, b: &str) -> u8 { a }");
    assert_snapshot("path_of_crate", &output);
    for item in ["fn f(a: u8, b: Option<&str>) {}", "fn f(&self, #[cfg(unix)] a: u8) {}"] {
        for path in ["crate::x", "::y", "super::z"] {
            let output = expand(&format!("crate = {path}"), item);
            assert!(!contains(&output, "::mcp_runtime"), "{output}");
            assert!(contains(&output, path), "{output}");
        }
    }
}

#[test]
fn takes_timeout_in_milliseconds() {
    for (seconds, millis) in [("30", "30000"), ("0.5", "500"), ("0.001", "1"), ("1_000", "1000000"), ("1e2", "100000")]
    {
        let output = expand(&format!("timeout = {seconds}"), "fn f() {}");
        assert!(contains(&output, &format!(".timeout(::core::time::Duration::from_millis({millis}))")), "{output}");
    }
}

#[test]
fn expands_every_key() {
    let output = expand(
        "name = \"files.touch\", title = TITLE, description = concat!(\"a\", \"b\"), read_only = false,
         destructive, idempotent = true, open_world = false,",
        "/// Not this text.
        async fn touch(path: &Path) -> String { String::new() }",
    );
    assert_snapshot("every_key", &output);
}

#[test]
fn keeps_attributes_and_copies_cfg() {
    let output = expand(
        "",
        "#[cfg(unix)]
        #[deprecated]
        #[must_use]
        #[allow(clippy::unused_async)]
        pub(crate) async fn r#move(#[allow(unused)] mut r#type: u8) -> u8 { r#type }",
    );
    assert_snapshot("attributes", &output);
}

#[test]
fn writes_function_twice_for_cfg_on_parameter() {
    let output = expand(
        "read_only",
        "fn list(
            /// Only here.
            #[cfg(unix)] mode: u32,
            all: bool,
        ) {}",
    );
    assert_snapshot("cfg_parameter", &output);
}

#[test]
fn keeps_half_typed_body() {
    let output = expand("", "fn add(a: u8) -> u8 { let sum = ; a. }");
    assert_snapshot("half_typed_body", &output);
}

#[test]
fn leaves_function_and_fallback_after_error() {
    let output = expand(
        "nmae = \"x\"",
        "#[cfg(unix)]
        pub fn add(
            /// First.
            a: u8,
            #[serde(default)] #[allow(unused)] b: Option<&str>,
        ) -> u8 { a }",
    );
    assert_snapshot("fallback", &output);
}

#[test]
fn expands_alike_every_time() {
    let expand = || expand("idempotent", "fn f(a: u8, b: &str) -> String { b.repeat(a.into()) }");
    assert_eq!(flat(&expand()), flat(&expand()));
}

#[test]
fn writes_nothing_that_can_panic_or_collide() {
    let output = expand(
        "timeout = 1, icon(src = \"a\"), meta = m, crate = krate, blocking",
        "async fn f(&self, #[arg(default, range = 0..5, example = 3)] a: u8, b: &str, #[args] c: u8) -> u8 { a }",
    );
    assert_eq!(errors(output.clone()), [""; 0]);
    let output = flat(&output) + &flat(&expand_toolset("x", "impl X { #[cfg(x)] #[tool] fn f() {} }"));
    let words: Vec<&str> = output.split(' ').collect();
    for word in ["unwrap", "expect", "panic", "unsafe", "clone", "String", "serde_json", "schema_for"] {
        assert!(!words.contains(&word), "`{word}` in {output}");
    }
    for pair in words.windows(2) {
        if let [before, name @ ("Some" | "None" | "Ok" | "Err" | "Option" | "Result" | "Vec" | "Default" | "Into")] =
            pair
        {
            assert_eq!(*before, ":", "`{name}` without a path in {output}");
        }
    }
}

#[test]
fn sends_only_hints_that_are_written() {
    let output = flat(&expand("", "fn f() {}"));
    let words: Vec<&str> = output.split(' ').collect();
    for word in [
        "title",
        "description",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "icons",
        "meta",
        "timeout",
        "blocking",
    ] {
        assert!(!words.contains(&word), "`{word}` in {output}");
    }
}

#[test]
fn awaits_only_async_functions() {
    assert!(!contains(&expand("", "fn f() {}"), ".await"));
    assert!(contains(&expand("", "fn f() {}"), ".sync()"));
    assert!(contains(&expand("", "async fn f() {}"), "f().await"));
    assert!(!contains(&expand("", "async fn f() {}"), ".sync()"));
}

#[test]
fn takes_expressions_with_commas_in_angle_brackets() {
    let output = expand("title = pick::<A, B>(1, 2), description = <A as Of<B, C>>::TEXT, read_only", "fn f() {}");
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(contains(&output, ".title(pick::<A, B>(1, 2))"), "{output}");
    assert!(contains(&output, ".description(<A as Of<B, C>>::TEXT)"), "{output}");
}

#[test]
fn sees_through_groups_of_macro_fragments() {
    let fragment = |source| Group::new(Delimiter::None, tokens(source));
    let (ty, name) = (fragment("&'_ str"), fragment("\"given\""));
    let output = crate::expand::handler(&crate::kind::TOOL, &quote!(name = #name), &quote!(fn f(a: #ty) {}));
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(contains(&output, "lent::<str>(\"a\")"), "{output}");
    assert!(flat(&output).contains("new ( \"given\" ,"), "{output}");
}
