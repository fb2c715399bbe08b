use proc_macro2::{Delimiter, Group, TokenStream};
use quote::quote;

use super::support::{assert_errors, assert_form_of_messages, assert_snapshot, contains, errors, flat, tokens};

fn expand(item: &str) -> TokenStream {
    crate::expand::form(tokens(item))
}

#[track_caller]
fn check(item: &str, expected: &[(&str, &str, &str)]) {
    assert_errors(expand(item), expected);
}

#[test]
fn expands_struct() {
    let output = expand(
        "/// Where to send it.
        #[derive(Deserialize, JsonSchema)]
        #[serde(rename_all = \"camelCase\")]
        pub(crate) struct Address {
            /// With the number.
            pub street: String,
            #[serde(default)]
            floor: Option<i32>,
            #[serde(skip)]
            cache: Cache,
            #[serde(skip_deserializing, default)]
            id: Id,
            #[schemars(with = \"String\")]
            day: jiff::civil::Date,
            r#type: Box<Self>,
        }",
    );
    assert_snapshot("form", &output);
}

#[test]
fn expands_enum() {
    let output = expand("enum Size { #[serde(rename = \"s\")] Small, Large = 3, #[serde(skip)] Other }");
    assert_snapshot("form_choice", &output);
}

#[test]
fn takes_paths_from_the_key_crate() {
    let output = expand("#[form(crate = my_facade::mcp)] struct Address { street: String, floor: u8 }");
    assert_snapshot("form_path_of_crate", &output);
    let output = expand("#[form(crate = my_facade::mcp)] enum Size { Small }");
    assert!(contains(&output, "impl __mcp_private::IsChoice for Size {}"), "{output}");
    assert!(!contains(&output, "::mcp_runtime"), "{output}");
}

#[test]
fn accepts_form_without_questions() {
    for item in ["struct Consent {}", "struct Consent { #[serde(skip)] a: u8 }"] {
        let output = expand(item);
        assert!(contains(&output, "impl ::mcp_runtime::__private::IsForm for Consent {}"), "{output}");
        assert!(
            contains(&output, "fn __mcp_check() { ::mcp_runtime::__private::form_data::<Consent>(); }"),
            "{output}"
        );
    }
}

#[test]
fn sees_through_groups_of_macro_fragments() {
    let ty = Group::new(Delimiter::None, tokens("Option<Self>"));
    let output = crate::expand::form(quote!(struct A { a: #ty }));
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(flat(&output).contains("form_field : : <  Option < A >  > ( )"), "{output}");
}

#[test]
fn reports_item_that_is_no_form() {
    for (item, underlined, what, help) in [
        (
            "struct Age(u8);",
            "(u8)",
            "the fields of a form must have names",
            "write `struct Age { answer: u8 }`, with a name for each question",
        ),
        (
            "struct Age();",
            "()",
            "the fields of a form must have names",
            "write `struct Age { answer: String }`, with a name for each question",
        ),
        (
            "struct Consent;",
            "Consent",
            "a form must have braces, because its answer is an object",
            "write `struct Consent {}`, which asks for consent alone",
        ),
        ("enum Size {}", "Size", "a choice needs at least one variant", "write `enum Size { Yes, No }`"),
        (
            "#[serde(default, transparent)] struct Age { age: u8 }",
            "transparent",
            "a form cannot have `#[serde(transparent)]`",
            "remove it, because the answer is an object with one member for each field",
        ),
    ] {
        let output = expand(item);
        assert_errors(output.clone(), &[(underlined, what, help)]);
        // What asks for it elsewhere is no further error.
        assert!(contains(&output, "#[allow(deprecated)] impl ::mcp_runtime::__private::Is"), "{output}");
    }
    check(
        "union A { a: u8 }",
        &[(
            "union",
            "`#[derive(Form)]` belongs on a struct or an enum, not on `union`",
            "write a struct with one field for each question",
        )],
    );
    for generics in ["<T>", "<'a>", "<'a, const N: usize>"] {
        let item = format!("struct Page{generics} where u8: Copy {{ a: u8 }}");
        let help = "write concrete types that own their data";
        check(&item, &[(generics, "a form cannot have generic parameters", help)]);
    }
}

#[test]
fn reports_fields_that_are_not_flat() {
    let help = "write the fields of the other type here";
    let what = |owner| format!("a field of a form cannot have `#[{owner}(flatten)]`, because a form is flat");
    check(
        "struct A { #[serde(default, flatten)] b: B, #[schemars(flatten)] c: C, d: D }",
        &[("flatten", &what("serde"), help), ("flatten", &what("schemars"), help)],
    );
}

#[test]
fn reports_first_choice_with_data() {
    for (variant, name) in [("Other(String)", "Other"), ("Other { name: String }", "Other"), ("Other()", "Other")] {
        check(
            &format!("enum Size {{ Small, {variant}, Third(u8) }}"),
            &[(
                variant,
                &format!("the choice `{name}` cannot have data"),
                &format!("write `{name}`, and ask for the data in a field of the form"),
            )],
        );
    }
    let tagged = |key| format!("a choice cannot have `#[serde({key})]`");
    let help = "remove it, because the answer is the name of a variant";
    check(
        "#[serde(tag = \"t\", content = \"c\")] #[serde(untagged, rename_all = \"lowercase\")] enum Size { Small }",
        &[
            ("tag", &tagged("tag"), help),
            ("content", &tagged("content"), help),
            ("untagged", &tagged("untagged"), help),
        ],
    );
}

#[test]
fn reports_keys() {
    let inside = (
        "`#[form]` belongs above the whole type",
        "write `#[schemars(…)]` or `#[serde(…)]` for what is said about a field or a choice",
    );
    check(
        "#[form] #[form(crate = a, title = \"b\")] #[form(crate = c)] struct A { #[form(title = \"x\")] a: u8 }",
        &[
            ("#[form]", "this `#[form]` has no keys", "write `#[form(crate = my_facade::mcp)]`, or remove it"),
            ("title", "unknown `#[form]` key `title`", "the keys are `crate`"),
            ("crate", "`crate` is given twice", "remove one of them"),
            ("#[form(title = \"x\")]", inside.0, "write `#[schemars(title = \"x\")]`"),
        ],
    );
    check("enum A { #[form] B }", &[("#[form]", inside.0, inside.1)]);
}

#[test]
fn reports_arg_with_what_to_write() {
    let what = "`#[arg]` belongs on a parameter, not on a form";
    for (keys, help) in [
        ("range = 1..=12", "#[schemars(range(min = 1, max = 12))]"),
        ("range = -1..", "#[schemars(range(min = -1))]"),
        ("range = ..12", "#[schemars(range(max = 11))]"),
        ("len = 5", "#[schemars(length(min = 5, max = 5))]"),
        ("len = ..=MAX", "#[schemars(length(max = MAX))]"),
        ("pattern = \"^a\"", "#[schemars(regex(pattern = \"^a\"))]"),
        (
            "rename = \"b\", description = \"Many.\", default, example = 3",
            "#[schemars(description = \"Many.\", example = 3)] #[serde(rename = \"b\", default)]",
        ),
    ] {
        let attr = format!("#[arg({keys})]");
        check(&format!("struct A {{ {attr} a: u8 }}"), &[(&attr, what, &format!("write `{help}`"))]);
    }
    let general = "write `#[schemars(…)]` or `#[serde(…)]` for what is said about a field or a choice";
    for keys in ["default = 3", "range = 0.5..1.0", "range = ..0", "range = 2", "range = 1..=2, header = \"A\""] {
        let attr = format!("#[arg({keys})]");
        check(&format!("{attr} enum A {{ {attr} B }}"), &[(&attr, what, general), (&attr, what, general)]);
    }
}

#[test]
fn leaves_arg_of_other_derive_macros() {
    check("#[arg] struct A { #[arg(long, short = 'a', default_value_t = 3)] a: u8, #[arg = 3] b: u8 }", &[]);
}

#[test]
fn keeps_form_of_messages() {
    for item in [
        "#[form] #[form(x)] #[serde(transparent)] struct A<T>(T);",
        "struct A { #[form] #[serde(flatten)] #[arg(len = 1)] a: B }",
        "#[serde(untagged)] enum A { #[form] B(u8) }",
        "enum A {}",
        "struct A;",
        "union A { a: u8 }",
        "struct",
    ] {
        assert_form_of_messages(expand(item));
    }
}
