use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::support::{
    assert_errors, assert_form_of_messages, assert_snapshot, contains, errors, expand_as, has_word, tokens,
};
use crate::kind::{PROMPT, RESOURCE};

const KEYS: &str = "the keys are `name`, `title`, `description`, `mime_type`, `size`, `priority`, `audience`, \
    `last_modified`, `ttl`, `cache_scope`, `icon`, `meta`, `blocking`, `timeout`, `crate`";

fn expand(attr: &str, item: &str) -> TokenStream {
    expand_as(&RESOURCE, attr, item)
}

#[track_caller]
fn check(attr: &str, item: &str, expected: &[(&str, &str, &str)]) {
    assert_errors(expand(attr, item), expected);
}

/// A key behind the URI.
#[track_caller]
fn check_key(key: &str, underlined: &str, what: &str, help: &str) {
    check(&format!("\"a:b\", {key}"), "fn f() {}", &[(underlined, what, help)]);
}

#[test]
fn expands_template_with_what_the_server_provides() {
    let output = expand(
        "\"orders://{region}/{id}{?page}\", mime_type = \"application/json\"",
        "/// An order.
        async fn order(
            /// Its number.
            #[arg(complete = numbers)]
            id: u64,
            db: State<Db>,
            #[arg(rename = \"region\")] place: &str,
            ctx: &Context,
            page: Option<u32>,
        ) -> Result<Json<Order>, Unknown> { db.find(id, place, page) }",
    );
    assert_snapshot("resource", &output);
}

#[test]
fn expands_every_setting() {
    let output = expand(
        "\"file:///readme.md\", name = \"Read me\", title = TITLE, description = \"About.\", mime_type = \"text/markdown\",
         size = 4_096, priority = 1, audience = \"user\", audience = \"assistant\", last_modified = \"2026-07-28T09:00:00Z\",
         ttl = 1.5, cache_scope = \"public\", icon(src = \"a.png\"), meta = values(), blocking, timeout = 2",
        "fn readme() -> &'static str { README }",
    );
    assert_snapshot("resource_settings", &output);
}

#[test]
fn leaves_fallback_with_name_and_uri() {
    for (attr, identity) in [
        ("\"a:{b}\", nope", "\"f\", \"a:{b}\""),
        ("\"a b\", name = \"Name\"", "\"Name\", \"a b\""),
        ("uri = \"a:b\"", "\"f\", \"a:b\""),
        // So that two of them in a list are no further error.
        ("", "\"f\", \"f\""),
    ] {
        let output = expand(attr, "pub fn f() {}");
        let fallback = format!(
            "pub const __resource_f: ::mcp_runtime::__private::ResourceDef =
                ::mcp_runtime::__private::ResourceDef::invalid({identity});"
        );
        assert!(contains(&output, &fallback), "{output}");
    }
}

#[test]
fn splits_at_condition_of_parameter_into_resources() {
    let output = expand("\"a:b\", title = \"A\"", "fn f(#[cfg(unix)] a: State<u8>) {}");
    assert!(
        contains(&output, "#[cfg(unix)] #[::mcp_runtime::resource(\"a:b\", title = \"A\")] fn f(a: State<u8>) {}"),
        "{output}"
    );
}

#[test]
fn takes_uri_from_a_fragment() {
    let uri = Group::new(Delimiter::None, tokens("\"a:{b}\""));
    let output = crate::expand::handler(&RESOURCE, &quote!(#uri, title = "A"), &tokens("fn f(b: u8) {}"));
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(contains(&output, "__mcp_params.taken::<u8>(\"b\");"), "{output}");
}

#[test]
fn keeps_half_typed_body() {
    for kind in [&PROMPT, &RESOURCE] {
        let attr = if kind.has_uri { "\"a:{a}\"" } else { "" };
        let output = expand_as(kind, attr, "fn add(a: u8) -> u8 { let sum = ; a. }");
        assert_eq!(errors(output.clone()), [""; 0]);
        assert!(contains(&output, "fn add(a: u8) -> u8 { let sum = ; a. }"), "{output}");
        assert!(contains(&output, "__mcp_params.taken::<u8>(\"a\");"), "{output}");
    }
}

#[test]
fn describes_parameters_by_the_variables_alone() {
    let provided = |ty| format!("<<&{ty} as ::core::ops::Deref>::Target>");
    for (input, call) in [
        ("state: State<u8>", "taken::<State<u8>>(\"state\")".to_owned()),
        ("state: &State<u8>", "lent::<State<u8>>(\"state\")".to_owned()),
        ("r#type: u8", "taken::<u8>(\"type\")".to_owned()),
        ("id: u8", format!("provided::{}(\"id\")", provided("u8"))),
        ("#[arg(rename = \"x\")] state: &str", format!("provided_lent::{}(\"x\")", provided("str"))),
        ("#[arg(rename = \"type\")] x: &str", "lent::<str>(\"type\")".to_owned()),
    ] {
        let others = "#[arg(rename = \"state\")] a: u8, #[arg(rename = \"type\")] b: u8";
        let mut inputs = vec![input];
        inputs.extend(others.split(", ").filter(|other| {
            let name = other.split('"').nth(1).unwrap_or_default();
            !call.contains(&format!("(\"{name}\")"))
        }));
        let output = expand("\"a:{state}/{type}\"", &format!("fn f({}) {{}}", inputs.join(", ")));
        assert_eq!(errors(output.clone()), [""; 0]);
        assert!(contains(&output, &format!("__mcp_params.{call};")), "{output}");
    }
}

#[test]
fn places_unprovided_type_at_the_name_of_its_parameter() {
    let output = expand("\"a:b\"", "fn f(limit: Option<u8>) {}");
    for word in ["provided", "Deref", "Target"] {
        assert_eq!(places(output.clone(), word), ["limit"]);
    }
    // The user's type is where it was, or a type that does not exist would be reported once more.
    assert!(places(output, "Option").iter().all(|place| place == "Option"));
}

/// What the tokens of this word stand on in the user's source.
fn places(output: TokenStream, word: &str) -> Vec<String> {
    output
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => places(group.stream(), word),
            TokenTree::Ident(ident) if ident == word => ident.span().source_text().into_iter().collect(),
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn names_nothing_of_other_kinds() {
    let output = expand("\"a:{b}\", crate = krate", "async fn f(&self, b: &str, c: State<u8>) -> u8 { a }");
    assert_eq!(errors(output.clone()), [""; 0]);
    for word in ["ToolDef", "PromptDef", "__mcp_tool", "__mcp_prompt", "sync", "__tool_f"] {
        assert!(!has_word(&output, word), "`{word}` in {output}");
    }
    for word in ["ResourceDef", "__mcp_resource", "__resource_f"] {
        assert!(has_word(&output, word), "`{word}` in {output}");
    }
}

#[test]
fn reports_uri_that_is_missing_or_in_another_place() {
    let missing = (
        "(call site)",
        "this resource has no URI",
        "write `#[resource(\"orders://recent\")]`, or a template, such as `#[resource(\"orders://{id}\")]`",
    );
    for attr in ["", "blocking", "title = \"a\", blocking", "icon(src = \"a\")"] {
        check(attr, "fn f() {}", &[missing]);
    }
    check(
        "nmae = \"x\"",
        "fn f() {}",
        &[missing, ("nmae", "unknown `#[resource]` key `nmae`", &format!("write `name`; {KEYS}"))],
    );
    let literal = (
        "the URI of a resource must be a string literal",
        "write it here, such as `\"orders://recent\"`, because its variables belong to parameters",
    );
    for uri in ["ORDERS", "m::ORDERS", "concat!(\"a:\", \"b\")", "3", "b\"a:b\"", "'a'"] {
        check(&format!("{uri}, blocking"), "fn f() {}", &[(uri, literal.0, literal.1)]);
    }
    check(
        "blocking, r\"a:b\"",
        "fn f() {}",
        &[("r\"a:b\"", "the URI of a resource stands first", "write `#[resource(r\"a:b\", …)]`")],
    );
    for key in ["uri", "uri_template"] {
        let attr = format!("blocking, {key} = \"a:b\"");
        check(&attr, "fn f() {}", &[(key, "the URI of a resource has no key", "write `#[resource(\"a:b\", …)]`")]);
    }
    check(
        "\"a:b\", \"c:d\"",
        "fn f() {}",
        &[("\"c:d\"", "a `#[resource]` key must be a name", "write `key` or `key = value`")],
    );
}

#[test]
fn reports_variable_without_a_parameter() {
    let what = |name| format!("the variable `{name}` of the URI belongs to no parameter");
    for (uri, item, name, help) in [
        ("a:{id}", "fn f() {}", "id", "write a parameter `id: String`, or remove the variable"),
        ("a:b{?page}", "fn f() {}", "page", "write a parameter `page: Option<String>`, or remove the variable"),
        (
            "a:{type}",
            "fn f() {}",
            "type",
            "write a parameter `#[arg(rename = \"type\")] value: String`, or remove the variable",
        ),
        (
            "a:{order_id}",
            "fn f(&self, orderid: u8) {}",
            "order_id",
            "write `{orderid}`, or rename the parameter `orderid` to `order_id`",
        ),
        (
            "a:{id}",
            "fn f(#[arg(rename = \"order\")] id: u8) {}",
            "id",
            "write `{order}`, or rename the parameter `order` to `id`",
        ),
        ("a:{idd}", "fn f(id: u8) {}", "idd", "write `{id}`, or rename the parameter `id` to `idd`"),
        ("a:b{?pge,x}", "fn f(page: u8, x: u8) {}", "pge", "write `page`, or rename the parameter `page` to `pge`"),
        (
            "a:{isbn}/{b}",
            "fn f(b: u8, ctx: &Context, state: State<Db>, id: &str) {}",
            "isbn",
            "write `{id}` if the parameter `id` is meant, or a parameter `isbn: String`",
        ),
        (
            "a:{isbn}",
            "fn f(ctx: &mcp::Context, id: u8, size: u8) {}",
            "isbn",
            "write a parameter `isbn: String`, or remove the variable",
        ),
        ("a:{isbn}", "fn f(ctx: &Context) {}", "isbn", "write a parameter `isbn: String`, or remove the variable"),
        (
            "a:{order}/{id}",
            "fn f(#[arg(rename = \"order\")] id: u8) {}",
            "id",
            "write a parameter `id: String`, or remove the variable",
        ),
        (
            "a:{order}/{orders}",
            "fn f(order: u8) {}",
            "orders",
            "write a parameter `orders: String`, or remove the variable",
        ),
    ] {
        let uri = format!("\"{uri}\"");
        check(&uri, item, &[(&uri, &what(name), help)]);
    }
    // The pattern may be what is meant.
    assert_eq!(errors(expand("\"a:{id}\"", "fn f((id): u8) {}")).len(), 1);
}

#[test]
fn reports_values_of_wrong_form() {
    let one_of =
        |key, a, b| (format!("`{key}` is `{a}` or `{b}`"), format!("write `{key} = \"{a}\"` or `{key} = \"{b}\"`"));
    let audience = one_of("audience", "user", "assistant");
    check_key("audience = \"all\"", "\"all\"", &audience.0, &audience.1);
    check_key("audience", "audience", &audience.0, &audience.1);
    let scope = one_of("cache_scope", "public", "private");
    check_key("cache_scope = 3", "3", &scope.0, &scope.1);
    check_key(
        "audience = \"user\", audience = \"user\"",
        "\"user\"",
        "`audience = \"user\"` is given twice",
        "remove one of them",
    );
    for size in ["\"1 KB\"", "1.5", "1u8", "99999999999999999999"] {
        check_key(&format!("size = {size}"), size, "`size` takes a number of bytes", "write `size = 4096`");
    }
    for priority in ["2", "-0.5", "1.1", "\"high\"", "true"] {
        check_key(
            &format!("priority = {priority}"),
            priority,
            "`priority` takes a number from 0 to 1",
            "write `priority = 0.5`, where 1 is most important",
        );
    }
    for ttl in ["-1", "0.0001", "\"1\"", "5s", "TTL"] {
        check_key(
            &format!("ttl = {ttl}"),
            ttl,
            "`ttl` takes a number of seconds, of at least a thousandth, or zero",
            "write `ttl = 300`, `ttl = 0.5` or `ttl = 0`",
        );
    }
    for date in [
        "\"\"",
        "\"28.07.2026\"",
        "\"2026-7-28\"",
        "\"2026-07-28 09:00\"",
        "\"2026-07-28T\"",
        "\"2026-07-28T09:00:00.Z\"",
        "3",
    ] {
        check_key(
            &format!("last_modified = {date}"),
            date,
            "`last_modified` takes a date, or a date and a time, of ISO 8601",
            "write `last_modified = \"2026-07-28\"` or `last_modified = \"2026-07-28T09:00:00Z\"`",
        );
    }
}

#[test]
fn accepts_values_and_expressions() {
    for key in [
        "size = 0",
        "size = 5u64",
        "size = README.len() as u64",
        "priority = 0",
        "priority = 0.25",
        "priority = HIGH",
        "audience = AUDIENCE",
        "ttl = 0",
        "ttl = 0.001",
        "last_modified = \"2026-07-28\"",
        "last_modified = \"2026-07-28T09:00\"",
        "last_modified = \"2026-07-28T09:00:00.123-05:30\"",
        "last_modified = MODIFIED",
        "cache_scope = SCOPE",
    ] {
        check(&format!("\"a:b\", {key}"), "fn f() {}", &[]);
    }
}

#[test]
fn refuses_what_has_no_sense_beside_a_uri() {
    check(
        "\"a:b\"",
        "fn f(#[args] a: u8, #[arg(header = \"A\")] b: u8, #[serde(flatten)] c: u8, #[x] d: u8) {}",
        &[
            (
                "header",
                "`header` is for the arguments of tools",
                "remove it; clients mirror no arguments of prompts and of resources into headers",
            ),
            (
                "#[args]",
                "a resource parameter cannot have `#[args]`",
                "write one parameter for each variable of the URI",
            ),
            (
                "flatten",
                "a resource parameter cannot have `#[serde(flatten)]`",
                "remove it, or take a type of your own that has it",
            ),
            (
                "#[x]",
                "unknown attribute `#[x]` on a resource parameter",
                "remove it; `#[arg(…)]`, doc comments, `#[cfg]` and attributes of lints are known here",
            ),
        ],
    );
    check_key("read_only", "read_only", "unknown `#[resource]` key `read_only`", KEYS);
}

#[test]
fn takes_any_name_but_an_empty_one() {
    check("\"a:b\", name = \"Größe & Co. – 📁\"", "fn größe() {}", &[]);
    check(
        "\"a:b\", name = \"\"",
        "fn f() {}",
        &[("\"\"", "a resource name cannot be empty", "remove `name` to use that of the function")],
    );
}

#[test]
fn says_in_messages_what_it_is() {
    check(
        "\"a:b\"",
        "unsafe fn f(self, ctx: &mut Context) -> impl Copy {}",
        &[
            ("unsafe", "a resource cannot be `unsafe`", "remove `unsafe`, and write an `unsafe` block in the body"),
            (
                "self",
                "a resource cannot take `self`, because all calls share one value",
                "write `&self`, or `self: Arc<Self>`",
            ),
            ("&mut Context", "a resource parameter cannot be a `&mut` reference", "write `&Context`"),
            (
                "impl Copy",
                "the result of a resource cannot be an `impl Trait` type",
                "write a concrete type, such as `String` or a struct of your own",
            ),
        ],
    );
}

#[test]
fn keeps_form_of_messages() {
    for attr in [
        "",
        "X",
        "blocking, \"a b\"",
        "uri = \"a:b\"",
        "\"a:{b}\", size = x?, size, priority = 3, ttl, audience = \"\"",
    ] {
        let output = expand(attr, "fn f(#[args(x)] self, #[arg(header)] a: u8, #[args] b: u8) {}");
        assert_form_of_messages(output);
    }
}
