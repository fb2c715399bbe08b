use super::support::{assert_snapshot, contains, errors, flat, tokens};
use crate::kind::{Kind, PROMPT, RESOURCE, TOOL};

fn expand(list: &str) -> proc_macro2::TokenStream {
    expand_as(&TOOL, list)
}

fn expand_as(kind: &'static Kind, list: &str) -> proc_macro2::TokenStream {
    crate::expand::list(kind, tokens(&format!("krate; {list}")))
}

/// As an item, so that it can be formatted.
fn snapshot(name: &str, list: &str) {
    let output = expand(list);
    assert_snapshot(name, &quote::quote!(const LIST: () = #output;));
}

#[test]
fn names_companions_and_compares_names() {
    snapshot("list", "add, shop::r#move, Till::get,");
}

#[test]
fn compares_only_paths_that_a_constant_can_name() {
    snapshot("list_not_nameable", "Self::add, Till::<u8>::get, <Till as Shop>::sell, one, two");
}

#[test]
fn gives_empty_list_a_type() {
    snapshot("list_empty", "");
}

#[test]
fn reports_every_wrong_entry_and_keeps_the_others() {
    let not_a_path = "`tools!` takes paths of tool functions\nhelp: write `tools![add, shop::order_status]`";
    let output = expand("add, 3, sub(), mul div, get::<u8>,, {}, add {}");
    assert_eq!(
        errors(output.clone()),
        [
            format!("3 => {not_a_path}"),
            "() => `tools!` takes the path of a tool function, not a call\nhelp: write `sub`".into(),
            "div => the path `mul` is not followed by a comma\nhelp: write one path of a tool function, and a comma between two".into(),
            format!(", => {not_a_path}"),
            format!("{{}} => {not_a_path}"),
            "{} => the path `add` is not followed by a comma\nhelp: write one path of a tool function, and a comma between two".into(),
            "::<u8> => a tool in `tools!` has no generic arguments\nhelp: write `get`".into(),
        ]
    );
    assert!(contains(&output, "[__tool_add]"), "{output}");
}

#[test]
fn reports_missing_runtime_path() {
    let output = crate::expand::list(&TOOL, tokens("add, sub"));
    assert_eq!(
        errors(output),
        ["(call site) => this is the inner part of a macro\nhelp: write `mcp_runtime::tools![…]`"]
    );
}

#[test]
fn lists_handlers_of_each_kind() {
    let output = expand_as(&PROMPT, "review, shop::summary");
    assert_eq!(
        flat(&output),
        flat(&tokens(
            "{
                const __MCP_NAMES: &[krate::__private::ListedName] = &krate::__private::ListedName::all([
                    krate::__private::PromptDef::name(&__prompt_review),
                    krate::__private::PromptDef::name(&shop::__prompt_summary)
                ]);
                const _: () = krate::__private::assert_new_prompt(__MCP_NAMES, 1usize);
                [__prompt_review, shop::__prompt_summary]
            }"
        ))
    );
    let output = expand_as(&RESOURCE, "readme, Desk::order");
    for part in [
        "krate::__private::ResourceDef::uri(&__resource_readme), krate::__private::ResourceDef::uri(&Desk::__resource_order)",
        "const _: () = krate::__private::assert_new_uri(__MCP_NAMES, 1usize);",
        "[__resource_readme, Desk::__resource_order]",
    ] {
        assert!(contains(&output, part), "{output}");
    }
    let empty = "{ let __mcp_prompts: [krate::__private::PromptDef; 0] = []; __mcp_prompts }";
    assert_eq!(flat(&expand_as(&PROMPT, "")), flat(&tokens(empty)));
}

#[test]
fn names_the_list_in_messages() {
    let not_a_path = "`prompts!` takes paths of prompt functions\nhelp: write `prompts![review, shop::summary]`";
    assert_eq!(
        errors(expand_as(&PROMPT, "3, sub(), mul div, get::<u8>")),
        [
            format!("3 => {not_a_path}"),
            "() => `prompts!` takes the path of a prompt function, not a call\nhelp: write `sub`".into(),
            "div => the path `mul` is not followed by a comma\nhelp: write one path of a prompt function, and a comma between two".into(),
            "::<u8> => a prompt in `prompts!` has no generic arguments\nhelp: write `get`".into(),
        ]
    );
    assert_eq!(
        errors(expand_as(&RESOURCE, "\"a:b\"")),
        ["\"a:b\" => `resources!` takes paths of resource functions\nhelp: write `resources![readme, shop::order]`"]
    );
    assert_eq!(
        errors(crate::expand::list(&RESOURCE, tokens("readme"))),
        ["(call site) => this is the inner part of a macro\nhelp: write `mcp_runtime::resources![…]`"]
    );
}
