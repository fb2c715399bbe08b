use super::support::{assert_errors, assert_form_of_messages, contains, errors, expand};
use crate::diag::Errors;

const KEYS: &str = "the keys are `name`, `title`, `description`, `read_only`, `destructive`, `idempotent`, \
    `open_world`, `icon`, `meta`, `blocking`, `timeout`, `crate`";
const NAME_RULE: &str = "a name is 1 to 128 of the characters `A-Z`, `a-z`, `0-9`, `_`, `-`, `.`";

#[track_caller]
fn check(attr: &str, item: &str, expected: &[(&str, &str, &str)]) {
    assert_errors(expand(attr, item), expected);
}

#[track_caller]
fn check_key(attr: &str, underlined: &str, what: &str, help: &str) {
    check(attr, "fn f() {}", &[(underlined, what, help)]);
}

#[track_caller]
fn check_item(item: &str, underlined: &str, what: &str, help: &str) {
    check("", item, &[(underlined, what, help)]);
}

#[test]
fn names_nearest_key_and_all_keys() {
    for (written, nearest) in [
        ("desc", "description"),
        ("descripton", "description"),
        ("readOnly", "read_only"),
        ("read_only_hint", "read_only"),
        ("nmae", "name"),
    ] {
        check_key(
            written,
            written,
            &format!("unknown `#[tool]` key `{written}`"),
            &format!("write `{nearest}`; {KEYS}"),
        );
    }
    check_key("audience", "audience", "unknown `#[tool]` key `audience`", KEYS);
    let elsewhere = KEYS.replace("the keys are", "write it in the `#[arg]` of a parameter; the keys here are");
    check_key("range = 0..", "range", "unknown `#[tool]` key `range`", &elsewhere);
}

#[test]
fn reports_second_of_two_keys() {
    check_key(
        "read_only, title = \"a\", read_only = false",
        "read_only",
        "`read_only` is given twice",
        "remove one of them",
    );
}

#[test]
fn reports_value_of_wrong_form() {
    let string = ("`name` takes a string literal", "write `name = \"text\"`");
    check_key("name = 5", "5", string.0, string.1);
    check_key("name = concat!(\"a\")", "concat!(\"a\")", string.0, string.1);
    check_key("name(\"a\")", "(\"a\")", string.0, string.1);
    check_key("name", "name", string.0, string.1);
    let value = ("`title` takes a value", "write `title = \"text\"`");
    check_key("title", "title", value.0, value.1);
    check_key("title =", "=", value.0, value.1);
    let flag = ("`read_only` takes `true` or `false`", "write `read_only = true` or `read_only = false`");
    check_key("read_only = \"yes\"", "\"yes\"", flag.0, flag.1);
    check_key("read_only(true)", "(true)", flag.0, flag.1);
}

#[test]
fn reports_timeout_that_is_no_time() {
    for value in ["0", "0.0001", "-1", "\"30\"", "30s", "1u8", "LIMIT", "1e300"] {
        check_key(
            &format!("timeout = {value}"),
            value,
            "`timeout` takes a number of seconds, of at least a thousandth",
            "write `timeout = 30` or `timeout = 0.5`",
        );
    }
}

#[test]
fn reports_crate_that_is_no_path() {
    let path = ("`crate` takes a path", "write `crate = my_facade::mcp`");
    check_key("crate", "crate", path.0, path.1);
    check_key("crate = 3", "3", path.0, path.1);
    check_key("crate = a::<u8>", "a::<u8>", path.0, path.1);
    check_key("crate = \"a::b\"", "\"a::b\"", "`crate` takes a path, without quotes", "write `crate = a::b`");
    // One mistake is one error, so the path is used.
    assert!(contains(&expand("crate = \"a::b\"", "fn f() {}"), "a::b::__private::ToolDef::invalid(\"f\")"));
}

#[test]
fn reports_every_mistake_in_icons() {
    let help = "the keys are `src`, `mime_type`, `sizes`, `theme`";
    check(
        "icon, icon = \"a.png\", icon(sizes = \"1x1\"), icon(src = A, colour, theme = \"red\", 3), icon(src = \"b\", src = \"c\")",
        "fn f() {}",
        &[
            ("icon", "`icon` takes keys", "write `icon(src = \"https://example.com/icon.png\")`"),
            ("\"a.png\"", "`icon` takes keys", "write `icon(src = \"a.png\")`"),
            ("icon", "`icon` needs the key `src`", "write `icon(src = \"https://example.com/icon.png\")`"),
            ("colour", "unknown `icon` key `colour`", help),
            ("\"red\"", "`theme` is `dark` or `light`", "write `theme = \"dark\"` or `theme = \"light\"`"),
            ("3", "an `icon` key must be a name", "write `key` or `key = value`"),
            ("src", "`src` is given twice", "remove one of them"),
        ],
    );
}

#[test]
fn reports_what_is_no_key() {
    let help = "write `key` or `key = value`";
    check_key("\"add\"", "\"add\"", "a `#[tool]` key must be a name", help);
    let missing = "a `#[tool]` key is missing before this comma";
    check_key("read_only,,", ",", missing, "remove the comma");
}

#[test]
fn reports_missing_comma_and_colon() {
    let help = "write `title = value`, and a comma between two keys";
    check_key("title: \"a\"", ":", "the key `title` is followed by `:`", help);
    check_key("title == \"a\"", "=", "the key `title` is followed by `=`", help);
    check_key("title => \"a\"", "=", "the key `title` is followed by `=`", help);
    check_key(
        "title = \"a\" description = \"b\"",
        "description",
        "there is no comma between the keys `title` and `description`",
        help,
    );
    check_key(
        "read_only idempotent",
        "idempotent",
        "there is no comma between the keys `read_only` and `idempotent`",
        "write `read_only = value`, and a comma between two keys",
    );
}

#[test]
fn reports_tool_name_that_is_not_allowed() {
    check_key(
        "name = \"add two\"",
        "\"add two\"",
        "a tool name cannot contain ` `",
        &format!("write `name = \"add_two\"`; {NAME_RULE}"),
    );
    check_key(
        "name = \"\"",
        "\"\"",
        "a tool name cannot be empty",
        &format!("remove `name` to use that of the function; {NAME_RULE}"),
    );
    check_item(
        "fn größe() {}",
        "größe",
        "a tool name cannot contain `ö`",
        &format!("write `name = \"gr__e\"`; {NAME_RULE}"),
    );
    let long = format!("\"{}\"", "a".repeat(129));
    check_key(
        &format!("name = {long}"),
        &long,
        "a tool name cannot have 129 characters",
        &format!("write `name = \"…\"` with a shorter one; {NAME_RULE}"),
    );
    let longest = format!("name = \"A.z-9_{}\"", "a".repeat(122));
    check(&longest, "fn f() {}", &[]);
}

#[test]
fn reports_item_that_is_no_function() {
    for (item, keyword) in [
        ("pub struct X;", "struct"),
        ("enum X {}", "enum"),
        ("/// Docs.\nimpl X {}", "impl"),
        ("mod x {}", "mod"),
        ("unsafe trait X {}", "trait"),
        ("const X: u8 = 3;", "const"),
        ("static X: u8 = 3;", "static"),
        ("unsafe extern \"C\" {}", "extern"),
    ] {
        let help = match keyword {
            "impl" => "write it above functions of the block, and `#[toolset]` above the block",
            _ => "write it above an `async fn` or a `fn`",
        };
        check_item(item, keyword, &format!("`#[tool]` belongs on a function, not on `{keyword}`"), help);
        assert!(contains(&expand("", item), item), "{item}");
    }
}

#[test]
fn reports_signature_that_cannot_be_read() {
    check_item(
        "fn f(a, b: u8) {}",
        ",",
        "this function cannot be read as a tool: expected `:` and a type",
        "write `async fn name(parameter: Type) -> Type { … }`",
    );
}

#[test]
fn reports_words_before_fn() {
    check(
        "",
        "const async unsafe extern \"C\" fn f() {}",
        &[
            ("const", "a tool cannot be `const`", "remove `const`"),
            ("unsafe", "a tool cannot be `unsafe`", "remove `unsafe`, and write an `unsafe` block in the body"),
            ("extern \"C\"", "a tool cannot be `extern \"C\"`", "remove `extern \"C\"`"),
        ],
    );
}

#[test]
fn reports_variadic() {
    let what = "a tool cannot be variadic";
    let help = "write one parameter, such as `values: Vec<String>`";
    check_item("fn f(a: u8, ...) {}", "...", what, help);
    check_item("fn f(rest: ...) {}", "rest: ...", what, help);
}

#[test]
fn reports_generics_and_where_clause() {
    check(
        "",
        "fn f<'a, T, const N: usize>(a: T) where T: Copy {}",
        &[
            (
                "<'a, T, const N: usize>",
                "a tool cannot have type or const parameters",
                "write concrete types in the signature",
            ),
            (
                "where T: Copy",
                "a tool cannot have a `where` clause",
                "remove it, and write concrete types in the signature",
            ),
        ],
    );
}

#[test]
fn reports_receivers_that_calls_cannot_share() {
    let mutable = ("calls run at the same time", "write `&self`, and put what changes into a lock, such as a `Mutex`");
    let owned = ("all calls share one value", "write `&self`, or `self: Arc<Self>`");
    for (receiver, (reason, help)) in [
        ("&mut self", mutable),
        ("&'a mut self", mutable),
        ("self: &mut Self", mutable),
        ("self", owned),
        ("mut self", owned),
        ("self: Self", owned),
        ("self: Box<Self>", owned),
        ("self: &Arc<Self>", owned),
        ("self: Pin<&mut Self>", owned),
    ] {
        check_item(
            &format!("fn f({receiver}, a: u8) {{}}"),
            receiver,
            &format!("a tool cannot take `{receiver}`, because {reason}"),
            help,
        );
    }
}

#[test]
fn accepts_receivers_that_calls_can_share() {
    for receiver in [
        "&self",
        "&'a self",
        "&'_ self",
        "self: &Self",
        "self: &'a Desk<B>",
        "self: Arc<Self>",
        "mut self: sync::Arc<Self>",
    ] {
        check("", &format!("async fn f<'a>({receiver}, a: u8) {{}}"), &[]);
    }
}

#[test]
fn reports_receiver_that_is_borrowed_for_ever() {
    for receiver in ["&'static self", "self: &'static Self"] {
        check_item(
            &format!("fn f({receiver}) {{}}"),
            "'static",
            "a tool cannot borrow its receiver for `'static`, because the server ends before that",
            "write `&self`, or `self: Arc<Self>`",
        );
    }
}

#[test]
fn reports_pattern_and_suggests_name() {
    for (pattern, ty, name) in [
        ("(a, b)", "(u8, u8)", "value"),
        ("Range { start, .. }", "geo::DateRange", "date_range"),
        ("geo::Point(x)", "geo::Point", "point"),
        ("self::Point(x)", "Point", "point"),
        ("ref a", "u8", "value"),
        ("Type(a)", "Type", "value"),
    ] {
        check_item(
            &format!("fn f({pattern}: {ty}) {{}}"),
            pattern,
            "a tool parameter must be a plain name, not a pattern",
            &format!("write `{name}: {ty}` and take it apart in the body"),
        );
    }
    check_item(
        "fn f(_: Page) {}",
        "_",
        "a tool parameter must have a name",
        "write `page: Page`, or remove the parameter",
    );
}

#[test]
fn reports_lifetimes_of_parameter() {
    for (ty, lifetime, help) in [
        ("&'a str", "'a", "&str"),
        ("&'static str", "'static", "&str"),
        ("Page<'a, u8>", "'a", "Page<'_, u8>"),
        ("&'_ Page<'a>", "'a", "&Page<'_>"),
        ("Box<dyn Shape + 'a>", "'a", "Box<dyn Shape + '_>"),
    ] {
        check_item(
            &format!("fn f<'a>(a: {ty}) {{}}"),
            lifetime,
            &format!("a tool parameter cannot name the lifetime `{lifetime}`"),
            &format!("write `{help}`"),
        );
    }
    let legal = "fn f(a: &'_ str, b: Cow<'static, str>, c: Cow<'_, str>, d: Box<dyn Fn(&str)>) {}";
    check("", legal, &[]);
}

#[test]
fn reports_mutable_reference() {
    check_item(
        "fn f(a: &mut [u8]) {}",
        "&mut [u8]",
        "a tool parameter cannot be a `&mut` reference",
        "write `Vec<u8>`, or `&[u8]`",
    );
}

#[test]
fn writes_lent_form_of_what_is_no_argument() {
    let mutable = "a tool parameter cannot be a `&mut` reference".to_owned();
    let inside = |reference| format!("a tool parameter cannot contain the reference `{reference}`");
    for (ty, reference, what, help) in [
        ("&mut Context", "&mut Context", mutable.clone(), "&Context"),
        ("&mut mcp_runtime::Context", "&mut mcp_runtime::Context", mutable.clone(), "&mcp_runtime::Context"),
        ("&mut State<Desk<B>>", "&mut State<Desk<B>>", mutable, "&State<Desk<B>>"),
        ("Option<&Context>", "&Context", inside("&Context"), "&Context"),
        ("&&'a Context", "&'a Context", inside("&'a Context"), "&Context"),
        ("Option<&State<Desk>>", "&State<Desk>", inside("&State<Desk>"), "&State<Desk>"),
        ("Option<&Context<u8>>", "&Context<u8>", inside("&Context<u8>"), "Option<Context<u8>>"),
    ] {
        check_item(&format!("fn f(a: {ty}) {{}}"), reference, &what, &format!("write `{help}`"));
    }
}

#[test]
fn reports_impl_trait_in_parameter() {
    for (ty, underlined) in [("impl Into<String>", "impl Into<String>"), ("Option<impl Copy>", "impl Copy")] {
        check_item(
            &format!("fn f(a: {ty}) {{}}"),
            underlined,
            "a tool parameter cannot be an `impl Trait` type",
            "write a concrete type, such as `String`",
        );
    }
}

#[test]
fn reports_reference_inside_type_and_writes_owned_type() {
    for (ty, reference, help) in [
        ("Option<&str>", "&str", "Option<String>"),
        ("Vec<&[u8]>", "&[u8]", "Vec<Vec<u8>>"),
        ("(u8, &Path)", "&Path", "(u8, PathBuf)"),
        ("[&std::path::Path; 2]", "&std::path::Path", "[std::path::PathBuf; 2]"),
        ("&[&str]", "&str", "&[String]"),
        ("Option<&mut Page>", "&mut Page", "Option<Page>"),
        ("Option<&'static str>", "&'static str", "Option<String>"),
        ("Option<&dyn Shape>", "&dyn Shape", "Option<Box<dyn Shape>>"),
    ] {
        check_item(
            &format!("fn f(a: {ty}) {{}}"),
            reference,
            &format!("a tool parameter cannot contain the reference `{reference}`"),
            &format!("write `{help}`"),
        );
    }
}

#[test]
fn reports_result_that_is_impl_trait() {
    check_item(
        "fn f() -> Result<impl Copy, u8> {}",
        "impl Copy",
        "the result of a tool cannot be an `impl Trait` type",
        "write a concrete type, such as `String` or a struct of your own",
    );
    check_item(
        "fn f() -> impl std::future::Future<Output = u8> {}",
        "impl std::future::Future<Output = u8>",
        "the result of a tool cannot be an `impl Trait` type",
        "write `async fn`, and the type that the future returns",
    );
}

#[test]
fn reports_result_that_borrows() {
    check(
        "",
        "fn f() -> (&'static str, &str, &'a [u8], Cow<'_, str>) {}",
        &[
            ("&str", "the result of a tool cannot contain the reference `&str`", "write `String`"),
            ("&'a [u8]", "the result of a tool cannot contain the reference `&'a [u8]`", "write `Vec<u8>`"),
            ("'_", "the result of a tool cannot have the lifetime `'_`", "write a type that owns its data"),
        ],
    );
}

#[test]
fn reports_mistakes_of_attribute_and_signature_at_once() {
    let output = expand("nope, read_only = 1", "fn f(&mut self, (a, b): T, c: Option<&str>) -> &str {}");
    assert_eq!(errors(output.clone()).len(), 6);
    assert!(contains(&output, "ToolDef::invalid(\"f\")"), "{output}");
    let output = expand("nope", "struct X;");
    assert_eq!(errors(output).len(), 2);
}

#[test]
fn keeps_form_of_messages() {
    let output = expand(
        "desc, 3, name, title:, name = 1,, icon(x), timeout, crate",
        "const unsafe extern fn f<T>(&mut self, _: u8, (a): &mut u8, #[serde(x)] b: Option<&u8>, ...) -> &u8 where T: X {}",
    );
    assert_form_of_messages(output);
}

#[test]
fn notices_errors_that_nobody_reads() {
    let drop_unread = || drop(Errors::new());
    assert_eq!(std::panic::catch_unwind(drop_unread).is_err(), cfg!(debug_assertions));
}
