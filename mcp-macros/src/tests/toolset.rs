use proc_macro2::{Delimiter, Group, TokenStream};
use quote::quote;

use super::support::{
    assert_errors, assert_form_of_messages, assert_snapshot, contains, errors, expand_toolset, flat, has_word, tokens,
};

#[track_caller]
fn check(attr: &str, block: &str, expected: &[(&str, &str, &str)]) {
    assert_errors(expand_toolset(attr, block), expected);
}

#[test]
fn expands_generic_block_with_conditions() {
    let output = expand_toolset(
        "",
        "#[allow(deprecated)]
        /// Docs.
        impl<'a, B: Backend, const N: usize> Desk<'a, B, N>
        where
            B::Item: Send,
        {
            #![allow(unused)]
            const SIZE: usize = { 3 };
            /// Reads a key.
            #[tool(read_only)]
            async fn read(&self, key: String) -> String { self.backend.get(&key).await }
            #[cfg(feature = \"extra\")]
            #[cfg_attr(windows, cfg(test), inline)]
            #[tool]
            pub fn free(page: Page<{ N }>) -> Page<{ N }> { page }
            #[cfg_attr(feature = \"extra\", mcp::tool, inline)]
            pub fn conditional() {}
            pub fn no_tool(&self) -> u8 { 3 }
        }",
    );
    assert_snapshot("toolset", &output);
}

#[test]
fn expands_block_with_every_kind() {
    let output = expand_toolset(
        "crate = krate",
        "impl<B> Desk<B> {
            #[prompt(title = \"Review\")]
            pub fn review(&self, code: &str) -> String { code.into() }
            #[cfg(unix)]
            #[resource(\"desk://readme\", title = \"Read me\",)]
            fn readme() -> &'static str { README }
            #[cfg_attr(feature = \"extra\", mcp::resource(r\"desk://{id}\"))]
            async fn item(&self, id: u8) -> String { self.find(id) }
            #[prompt]
            fn plain() -> String { String::new() }
        }",
    );
    assert_snapshot("toolset_every_kind", &output);
}

#[test]
fn writes_hidden_key_behind_the_uri() {
    for (written, expected) in [
        ("#[resource(\"a:b\")]", "#[resource(\"a:b\", in_impl, )]"),
        ("#[resource(\"a:b\", size = 3)]", "#[resource(\"a:b\", in_impl, size = 3)]"),
        // What is wrong with these, the attribute says.
        ("#[resource]", "#[resource(in_impl,)]"),
        ("#[resource(A, size = 3)]", "#[resource(A, in_impl, size = 3)]"),
        ("#[prompt(title = \"a\")]", "#[prompt(in_impl, title = \"a\")]"),
        ("#[prompt]", "#[prompt(in_impl,)]"),
    ] {
        let output = expand_toolset("", &format!("impl Desk {{ {written} fn f() {{}} }}"));
        assert!(contains(&output, expected), "{output}");
        let output = expand_toolset("", &format!("impl Desk {{ {written} fn f(&self) {{}} }}"));
        assert!(!has_word(&output, "in_impl"), "{output}");
    }
}

#[test]
fn lists_only_what_the_block_has() {
    let output = expand_toolset("", "impl Desk { #[prompt] fn f(&self) {} }");
    for part in [
        "fn tools() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::ToolDef> {
            #[allow(unused_mut)]
            let mut __mcp_tools = ::mcp_runtime::__private::Vec::new();
            __mcp_tools
        }",
        "fn prompts() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::PromptDef> {
            let mut __mcp_prompts = ::mcp_runtime::__private::Vec::new();
            ::mcp_runtime::__private::Vec::push(&mut __mcp_prompts, Self::__prompt_f);
            __mcp_prompts
        }",
    ] {
        assert!(contains(&output, part), "{output}");
    }
    assert!(!has_word(&output, "resources"), "{output}");
    assert!(!has_word(&expand_toolset("", "impl Desk { #[tool] fn f(&self) {} }"), "prompts"));
}

#[test]
fn reports_other_kinds_in_named_block() {
    let output = expand_toolset(
        "files",
        "impl Desk {
            #[prompt(title = \"a\")] fn a(&self) {}
            #[tool] fn b(&self) {}
            #[cfg_attr(x, resource(\"a:b\"))] fn c() {}
        }",
    );
    let help =
        |plural| format!("move this to the block with `#[toolset]` alone, or to one without it, for `{plural}![…]`");
    assert_errors(
        output.clone(),
        &[
            ("prompt(title = \"a\")", "the named toolset `files` cannot have prompts", &help("prompts")),
            ("resource(\"a:b\")", "the named toolset `files` cannot have resources", &help("resources")),
        ],
    );
    // Their own attributes still expand, and the list is there.
    for part in ["#[prompt(title = \"a\")] fn a(&self) {}", "resource(\"a:b\", in_impl,)", "fn files()"] {
        assert!(contains(&output, part), "{output}");
    }
    assert!(!contains(&output, "__prompt_a"), "{output}");
    assert_errors(
        expand_toolset("files", "impl Desk { #[prompt] fn a(&self) {} }"),
        &[("prompt", "the named toolset `files` cannot have prompts", &help("prompts"))],
    );
}

#[test]
fn reports_second_prompt_and_second_resource() {
    check(
        "",
        "impl Desk {
            #[tool] fn a(&self) {}
            #[prompt] fn b(&self) {}
            #[prompt(name = \"a\")] fn c(&self) {}
            #[prompt(name = \"b\")] fn d(&self) {}
            #[resource(\"a:b\", name = \"a\")] fn e(&self) {}
            #[resource(\"a:c\", name = \"a\")] fn f(&self) {}
            #[resource(\"a:b\")] fn g(&self) {}
            #[cfg(x)] #[resource(\"a:b\")] fn h(&self) {}
        }",
        &[
            (
                "\"b\"",
                "two prompts of this block are named `b`",
                "give one of them another name, by `#[prompt(name = \"…\")]`",
            ),
            ("\"a:b\"", "two resources of this block have the URI `a:b`", "give one of them another URI"),
        ],
    );
}

#[test]
fn expands_named_block_with_path_of_crate() {
    let output = expand_toolset(
        "files, crate = my_facade::mcp",
        "impl Desk {
            fn helper() {}
            #[tool]
            pub(super) fn open(self: Arc<Self>) {}
            #[tool(title = \"Close\", crate = other)]
            fn close() {}
        }",
    );
    assert_snapshot("toolset_named", &output);
}

#[test]
fn expands_block_with_mistakes_all_the_same() {
    let output = expand_toolset("files, 3", "impl Desk { getter!(left); #[tool] fn f(&self) -> u8 { a. } }");
    assert_eq!(errors(output.clone()).len(), 2);
    assert!(flat(&output).starts_with(&flat(&tokens("impl Desk { getter!(left); #[tool] fn f(&self) -> u8 { a. } }"))));
    assert!(contains(&output, "fn files()"), "{output}");
    let output = expand_toolset("name = \"files\"", "impl Desk { #[tool] fn f(&self) {} }");
    assert!(contains(&output, "fn files()"), "{output}");
}

#[test]
fn leaves_block_of_a_trait_without_companions() {
    let output = expand_toolset(
        "",
        "impl Shop for Till { #[prompt] fn sell(&self, /** A. */ #[arg(default)] a: u8); #[resource(\"a:b\")] fn x() {} }",
    );
    assert!(
        flat(&output).starts_with(&flat(&tokens("impl Shop for Till { fn sell(&self, a: u8); fn x() {} }"))),
        "{output}"
    );
}

#[test]
fn writes_hidden_key_only_where_there_is_no_receiver() {
    for (func, has_key) in [
        ("#[tool] fn f() {}", true),
        ("#[tool()] pub(in super) const unsafe extern \"C\" fn f<'a, T: X<{ 3 }>>(a: u8) {}", true),
        ("#[cfg_attr(x, cfg_attr(y, tool))] fn f(a: u8) {}", true),
        ("#[tool] fn f(&self) {}", false),
        ("#[tool] fn f(#[allow(x)] mut self: Arc<Self>) {}", false),
        ("#[tool] fn f(&'a mut self) {}", false),
        ("#[rmcp::tooling] fn f() {} #[tool] fn g(&self) {}", false),
    ] {
        let output = expand_toolset("", &format!("impl Desk {{ {func} }}"));
        assert_eq!(flat(&output).contains("in_impl"), has_key, "{output}");
        assert!(flat(&output).contains("push ( & mut __mcp_tools , Self : : __tool_"), "{output}");
    }
}

#[test]
fn says_once_that_a_function_stands_in_a_block() {
    // A second `#[toolset]` meets what the first one has written.
    let output = expand_toolset("", "impl Desk { #[tool(in_impl)] fn f() {} }");
    assert_eq!(flat(&output).matches("in_impl").count(), 1, "{output}");
}

#[test]
fn lists_a_tool_under_every_condition() {
    let output = expand_toolset(
        "",
        "#[cfg(windows)] impl Desk { #[cfg_attr(a, cfg_attr(b, tool))] #[cfg_attr(not(a), tool(read_only))] fn f() {} }",
    );
    for part in [
        "#[cfg(windows)] #[automatically_derived] impl ::mcp_runtime::Toolset for Desk",
        "#[cfg(a)] #[cfg(b)] ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_f);",
        "#[cfg(not(a))] ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_f);",
        "#[allow(unused_mut)] let mut __mcp_tools",
    ] {
        assert!(contains(&output, part), "{output}");
    }
    assert!(!contains(&expand_toolset("", "impl Desk { #[tool] fn f() {} }"), "unused_mut"));
}

#[test]
fn sees_through_groups_of_macro_fragments() {
    let fragment = |source| Group::new(Delimiter::None, tokens(source));
    let (ty, vis, item) = (fragment("Desk"), fragment("pub"), fragment("#[tool] fn g(&self) {}"));
    let output =
        crate::expand::toolset(TokenStream::new(), &quote!(impl #ty { #[tool] #vis fn f(&self, a: #ty) {} #item }));
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(
        contains(
            &output,
            "::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_f); ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_g);"
        ),
        "{output}"
    );
}

#[test]
fn reports_keys() {
    let forms = "write `#[toolset]`, `#[toolset(name)]`, or `crate = path` beside it";
    check(
        "fn, files(x), group = files, name = \"files\", nets, other = 3, name = nets, crate = a, crate = b, 3",
        "impl Desk { #[tool] fn f() {} }",
        &[
            ("fn", "`fn` cannot be the name of a toolset", "write a name that a function may have"),
            ("files", "unknown `#[toolset]` key `files`", forms),
            ("group", "unknown `#[toolset]` key `group`", forms),
            ("name", "`#[toolset]` takes a name without a key", "write `#[toolset(files)]`"),
            ("nets", "a toolset has one name", "remove this one, or move its tools into another `impl` block"),
            ("other", "unknown `#[toolset]` key `other`", forms),
            ("name", "`#[toolset]` takes a name without a key", "write `#[toolset(nets)]`"),
            ("crate", "`crate` is given twice", "remove one of them"),
            ("3", "a `#[toolset]` key must be a name", "write `key` or `key = value`"),
        ],
    );
}

#[test]
fn reports_name_of_a_function_in_the_block() {
    let output = expand_toolset("all", "impl Desk { #[tool] fn a() {} fn all(&self) {} }");
    assert_errors(
        output.clone(),
        &[(
            "all",
            "the toolset `all` is named like a function of its block",
            "give it another name, since it becomes a function beside that one",
        )],
    );
    assert!(!contains(&output, "fn all()"), "{output}");
}

#[test]
fn reports_item_that_is_no_block() {
    for (item, keyword) in [
        ("pub struct X;", "struct"),
        ("mod x {}", "mod"),
        ("/// Docs.\nunsafe trait X {}", "trait"),
        ("const X: u8 = 3;", "const"),
        ("extern \"C\" {}", "extern"),
        ("pub const async unsafe fn f() {}", "fn"),
    ] {
        let help = match keyword {
            "fn" => "write `#[tool]`, and `#[toolset]` above the `impl` block that the function is in",
            _ => "write it above an `impl` block, and `#[tool]` above functions in it",
        };
        let what = format!("`#[toolset]` belongs on an `impl` block, not on `{keyword}`");
        check("", item, &[(keyword, &what, help)]);
        assert!(contains(&expand_toolset("", item), item), "{item}");
    }
    check(
        "",
        "impl Desk 3 {}",
        &[("3", "this block cannot be read as a toolset: expected `{`", "write `impl Type { … }`")],
    );
}

#[test]
fn reports_block_that_cannot_have_tools() {
    check(
        "",
        "impl<T> shop::Shop<T> for Till { #[tool] fn sell(&self) {} }",
        &[(
            "shop::Shop<T>",
            "`#[toolset]` cannot be on an `impl` of the trait `shop::Shop<T>`",
            "move its tools, prompts and resources to a block `impl Till { … }`",
        )],
    );
    let help = "write `#[tool]`, `#[prompt]` or `#[resource(\"…\")]` above a function of the block";
    let empty = ("(call site)", "this toolset has no tool, prompt or resource", help);
    check("", "impl Desk { fn f() {} #[inline] fn tool() {} }", &[empty]);
    let empty = ("(call site)", "this toolset has no tool", "write `#[tool]` above a function of the block");
    check("files", "impl Desk { fn f() {} }", &[empty]);
    // The attribute itself says what is wrong with these.
    check("", "impl Desk { #[tool] const N: u8 = 3; }", &[]);
}

#[test]
fn reports_macros_in_block() {
    let help = "put `#[tool]` on free functions, or wrap the whole `impl` block in the macro";
    check(
        "",
        "impl Desk { getter!(left); #[x] m::getter! { right } pub getter![3]; const N: u8 = three!(); fn f() { three!() } }",
        &[
            ("getter", "`#[toolset]` cannot look into the macro `getter!`", help),
            ("m::getter", "`#[toolset]` cannot look into the macro `m::getter!`", help),
            ("getter", "`#[toolset]` cannot look into the macro `getter!`", help),
        ],
    );
}

#[test]
fn reports_second_tool_of_one_name() {
    let help = "give one of them another name, by `#[tool(name = \"…\")]`";
    check(
        "",
        "impl Desk {
            #[tool(name = \"get\")] fn a(&self) {}
            #[tool(read_only, name = \"get\")] fn b(&self) {}
            #[tool] fn r#get() {}
            #[cfg(x)] #[tool(name = \"get\")] fn c() {}
            #[cfg_attr(x, tool(name = \"get\"))] fn d() {}
            #[tool(name = GET)] fn e() {}
        }",
        &[
            ("\"get\"", "two tools of this block are named `get`", help),
            ("r#get", "two tools of this block are named `get`", help),
        ],
    );
}

#[test]
fn keeps_form_of_messages() {
    let output =
        expand_toolset("x, y, z = 3, crate", "impl Desk { a!(); #[tool] fn f() {} #[tool(name = \"f\")] fn g() {} }");
    assert_eq!(errors(output.clone()).len(), 5);
    assert_form_of_messages(output);
    assert_form_of_messages(expand_toolset("", "impl A for B {}"));
    assert_form_of_messages(expand_toolset("x", "impl A { #[prompt] fn f() {} #[resource] fn g() {} }"));
    assert_form_of_messages(expand_toolset(
        "",
        "impl A { #[resource(\"a:b\")] fn f() {} #[resource(\"a:b\")] fn g() {} }",
    ));
    assert_form_of_messages(expand_toolset("", "impl A {}"));
    assert_form_of_messages(expand_toolset("", "enum A {}"));
    assert_form_of_messages(expand_toolset("", "impl A"));
}
