//! What the macros write draws no lint, in crates that are as strict as they can be.

#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    nonstandard_style,
    redundant_lifetimes,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
// Of the restrictions, those that a way to write code in could break.
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::map_err_ignore,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::redundant_type_annotations,
    clippy::ref_patterns,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

use mcp_runtime::Server;
use tokio::runtime::Builder;

/// Tools of every shape.
pub mod samples {
    use std::borrow::Cow;
    use std::future::ready;
    use std::hint::spin_loop;
    use std::path::Path;

    use mcp_runtime::{CallToolResult, ContentBlock, Context, ToolDef, ToolError, tool, tools};

    /// A value to take, to lend and to return.
    #[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Page {
        /// Counted from one.
        pub number: u32,
    }

    /// What is not to be used any more.
    mod outdated {
        #![expect(deprecated, reason = "what is derived names it")]

        /// A value that should not be taken any more.
        #[deprecated = "take a `Page`"]
        #[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub(super) struct Sheet {
            /// Counted from one.
            pub(super) number: u32,
        }
    }

    /// A public tool.
    #[tool]
    #[inline]
    #[must_use]
    pub fn public(text: String) -> String {
        text + "!"
    }

    /// A public tool that waits.
    #[tool]
    #[inline]
    pub async fn public_later(text: String) -> String {
        ready(text).await
    }

    /// A private tool.
    #[tool]
    fn private(text: String) -> String {
        text + "!"
    }

    /// A private tool that waits.
    #[tool]
    async fn private_later(text: String) -> String {
        ready(text).await
    }

    /// A tool without a result.
    #[tool]
    fn unit() {
        spin_loop();
    }

    /// A tool without a result that waits.
    #[tool]
    async fn unit_later() {
        ready(()).await;
    }

    /// All that is lent.
    #[tool(title = "Borrowed")]
    fn borrowed(text: &str, bytes: &[u8], path: &Path, page: &Page, cow: Cow<'_, str>) -> String {
        cow.into_owned() + &format!("{text}{bytes:?}{}{page:?}", path.display())
    }

    /// All that is lent, to a tool that waits.
    #[tool]
    async fn borrowed_later(text: &str, bytes: &[u8], path: &Path, page: &Page, cow: Cow<'_, str>) -> String {
        ready(format!("{text}{bytes:?}{}{page:?}{cow}", path.display())).await
    }

    /// What may be left out.
    #[tool(read_only, destructive = false, idempotent, open_world = false)]
    fn optional(
        /// A text.
        text: Option<String>,
        /// A page.
        page: Option<Page>,
    ) -> Option<String> {
        text.or_else(|| page.map(|it| format!("{it:?}")))
    }

    /// The call itself.
    #[tool]
    fn context(ctx: &Context) -> bool {
        ctx.is_cancelled()
    }

    /// The call itself, between arguments.
    #[tool]
    async fn context_later(first: u8, ctx: &Context, last: u8) -> bool {
        ctx.progress(first.into(), Some(last.into()), None);
        ready(ctx.is_cancelled()).await
    }

    /// A value or an error.
    ///
    /// # Errors
    /// For the empty text.
    #[tool(name = "fallible")]
    #[inline]
    pub fn result(text: &str) -> Result<Page, String> {
        text.parse().map(|number| Page { number }).map_err(|error| format!("{text}: {error}"))
    }

    /// A value or an error, later.
    #[tool]
    async fn result_later(text: &str) -> Result<Vec<Page>, ToolError> {
        match ready(text.parse()).await {
            Ok(number) => Ok(vec![Page { number }]),
            Err(error) => Err(ToolError::failure(format!("{text}: {error}"))),
        }
    }

    /// Blocks of content.
    #[tool(description = concat!("Blocks of ", "content."))]
    fn blocks(text: &str) -> Vec<ContentBlock> {
        vec![ContentBlock::text(text)]
    }

    /// A whole result.
    #[tool]
    async fn full(text: &str) -> CallToolResult {
        CallToolResult::new([ContentBlock::text(ready(text).await)])
    }

    /// A changed parameter.
    #[tool]
    fn changed(mut text: String) -> String {
        text.push('!');
        text
    }

    /// A tool that is there on some systems.
    #[tool]
    #[cfg(any(unix, not(unix)))]
    fn conditional(#[cfg(any(unix, not(unix)))] text: &str) -> String {
        text.to_uppercase()
    }

    /// A tool that is not to be called from Rust.
    #[tool]
    #[deprecated = "call `public`"]
    fn outdated(text: &str) -> String {
        text.to_uppercase()
    }

    /// A tool whose types draw lints, which the function expects.
    #[tool]
    #[expect(deprecated, unused_qualifications, reason = "old clients send it")]
    async fn outdated_types(sheet: outdated::Sheet, page: &self::Page) -> Vec<outdated::Sheet> {
        ready(vec![outdated::Sheet { number: page.number }, sheet]).await
    }

    /// A name that has to be written differently here.
    #[tool]
    fn r#match(r#type: &str) -> String {
        r#type.to_uppercase()
    }

    /// A tool that is listed nowhere, which the compiler notices.
    #[tool]
    #[expect(dead_code, reason = "it is listed nowhere")]
    fn unlisted(text: &str) -> String {
        text.to_uppercase()
    }

    /// Every tool.
    #[must_use]
    #[inline]
    pub fn all() -> Vec<ToolDef> {
        /// A tool inside of a body.
        #[tool]
        fn inner(text: &str) -> String {
            text.to_uppercase()
        }

        let outer = tools![
            public,
            public_later,
            private,
            private_later,
            unit,
            unit_later,
            borrowed,
            borrowed_later,
            optional,
            context,
            context_later,
            result,
            result_later,
            blocks,
            full,
            changed,
            conditional,
            outdated,
            outdated_types,
            r#match,
        ];
        outer.into_iter().chain(tools![inner]).chain(tools![]).collect()
    }
}

/// Every key of a parameter, and every setting of a tool.
pub mod keys {
    use std::future::ready;
    use std::time::Duration;

    use mcp_runtime::{ToolDef, tool, tools};

    use super::samples::Page;

    /// What the model reads.
    const ABOUT: &str = "How many.";

    /// All that a call gives.
    #[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    struct Order {
        /// Counted from one.
        number: u32,
    }

    /// What cannot be shown as JSON.
    #[derive(Debug, Default, serde::Deserialize, schemars::JsonSchema)]
    struct Unshown(u32);

    /// Every key of a number.
    #[tool]
    fn number_keys(
        /// Not shown.
        #[arg(description = ABOUT, rename = "how-many", range = 1..=20, default = 3, example = 4, header = "Count")]
        #[arg(example = 5)]
        count: u32,
        // A suffix, or the lint about literals without one is drawn here, at the user's own.
        #[arg(range = 0.5_f64..2.5_f64, default = 0.5_f64)] factor: f64,
        #[arg(range = ..=20)] least: Option<u8>,
        #[arg(default)] unshown: &Unshown,
    ) -> String {
        format!("{count}{factor}{least:?}{}", unshown.0)
    }

    /// Every key of a text, which may be lent.
    #[tool]
    async fn text_keys(
        #[arg(description = concat!("A ", "text."), len = 1..=80, default = "once", example = "twice")] text: &str,
        #[arg(len = 3, default = "one")] owned: String,
        #[arg(len = ..9, default = vec![1, 2])] numbers: &[u8],
        #[arg(default = Page { number: 3 }, example = Page { number: 4 })] page: &Page,
    ) -> String {
        ready(()).await;
        owned + &format!("{text}{numbers:?}{page:?}")
    }

    /// All arguments in one.
    #[tool]
    fn whole(#[args] order: Order) -> Vec<Order> {
        vec![order]
    }

    /// All arguments in one, lent, and later.
    #[tool]
    async fn whole_later(#[args] order: &Order) -> u32 {
        ready(()).await;
        order.number
    }

    /// Every setting.
    #[tool(
        name = "every-setting",
        title = "Every setting",
        description = "What is said about a tool.",
        read_only,
        destructive = false,
        idempotent,
        open_world = false,
        icon(src = "https://example.com/icon.png", mime_type = "image/png", sizes = "48x48", theme = "dark"),
        icon(src = "https://example.com/icon.svg"),
        meta = serde_json::json!({ "team": "billing" }),
        timeout = 0.5,
        blocking,
    )]
    fn settings() -> String {
        format!("{:?}", Duration::from_millis(500))
    }

    /// The runtime by another path.
    mod facade {
        pub(super) use mcp_runtime::*;
    }

    /// The path of the runtime is given.
    #[tool(crate = facade)]
    fn by_facade(#[arg(default = 3, range = 0..=9)] number: u8, #[arg(default = "text")] text: &str) -> String {
        format!("{number}{text}")
    }

    /// Every tool of this module.
    #[must_use]
    #[inline]
    pub fn all() -> Vec<ToolDef> {
        tools![number_keys, text_keys, whole, whole_later, settings, by_facade].to_vec()
    }
}

/// State, methods and toolsets.
pub mod methods {
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use std::future::ready;
    use std::marker::PhantomData;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use mcp_runtime::{Context, State, ToolDef, tool, tools, toolset};

    /// What is shared.
    #[derive(Debug, Default)]
    pub struct Counter {
        /// The count.
        count: AtomicU32,
    }

    /// State by value.
    #[tool]
    fn state(counter: State<Counter>, by: u32) -> u32 {
        counter.into_arc().count.fetch_add(by, Ordering::Relaxed)
    }

    /// State that is lent, and later.
    #[tool]
    async fn state_later(counter: &State<Counter>, by: u32) -> u32 {
        ready(()).await;
        counter.count.fetch_add(by, Ordering::Relaxed)
    }

    impl Counter {
        /// A method without a toolset.
        #[tool]
        fn alone(&self, by: u32) -> u32 {
            self.count.fetch_add(by, Ordering::Relaxed)
        }
    }

    /// What is generic.
    #[derive(Debug, Default)]
    pub struct Desk<B, const N: usize> {
        /// What the type parameter is for.
        backend: PhantomData<B>,
    }

    #[toolset]
    impl<B, const N: usize> Desk<B, N>
    where
        B: Debug + Send + Sync + 'static,
    {
        /// A public method.
        #[tool]
        #[inline]
        #[must_use]
        pub fn shown(&self, #[arg(default = 3, range = 0..=9)] number: u8) -> String {
            format!("{:?}{N}{number}", self.backend)
        }

        /// A method with a lifetime, later.
        #[tool]
        #[expect(single_use_lifetimes, clippy::needless_lifetimes, reason = "the macro has to take it")]
        async fn shown_later<'desk>(&'desk self, text: &str, ctx: &Context) -> String {
            ready(()).await;
            format!("{:?}{text}{}", self.backend, ctx.is_cancelled())
        }

        /// A method that shares the state.
        #[tool]
        async fn shared(self: Arc<Self>, #[args] by: BTreeMap<String, u8>) -> String {
            ready(()).await;
            format!("{:?}{by:?}", self.backend)
        }

        /// A function without a receiver.
        #[tool]
        fn free(number: usize) -> usize {
            number.max(N)
        }

        /// There on some systems.
        #[cfg(any(unix, not(unix)))]
        #[tool(read_only)]
        fn conditional_method(&self) -> String {
            self.helper()
        }

        /// No tool.
        fn helper(&self) -> String {
            format!("{:?}", self.backend)
        }
    }

    #[toolset(reports)]
    impl Counter {
        /// In a named toolset.
        #[tool(read_only)]
        pub(crate) fn report(&self) -> u32 {
            self.count.load(Ordering::Relaxed)
        }
    }

    /// Every tool of this module but those of [`Desk`].
    #[must_use]
    #[inline]
    pub fn all() -> Vec<ToolDef> {
        tools![state, state_later, Counter::alone].into_iter().chain(Counter::reports()).collect()
    }
}

/// Prompts and resources of every shape.
pub mod others {
    use std::borrow::Cow;
    use std::future::ready;
    use std::path::Path;
    use std::sync::Arc;

    use mcp_runtime::{
        Completion, CompletionRequest, ContentBlock, Context, PromptDef, PromptMessage, ResourceContents, ResourceDef,
        State, ToolError, prompt, prompts, resource, resources, toolset,
    };

    use super::samples::Page;

    /// What is said about it.
    const ABOUT: &str = "A text.";

    /// Words that begin with what is typed.
    fn words(typed: &str) -> Vec<&'static str> {
        ["go", "rust"].into_iter().filter(|word| word.starts_with(typed)).collect()
    }

    /// Words, later.
    async fn words_later(request: CompletionRequest) -> Result<Completion, String> {
        Ok(Completion::new([ready(request.value().to_owned()).await]))
    }

    /// A public prompt.
    #[prompt(title = "Public")]
    #[inline]
    #[must_use]
    pub fn public(text: &str) -> String {
        text.to_uppercase()
    }

    /// A private prompt that waits.
    ///
    /// # Errors
    /// For the empty text.
    #[prompt]
    async fn private_later(
        /// A text.
        #[arg(complete = words_later, len = 1..=80, default = "once")]
        text: &str,
        path: &Path,
        page: Option<Page>,
        cow: Cow<'_, str>,
        ctx: &Context,
    ) -> Result<Vec<PromptMessage>, ToolError> {
        if ready(text.is_empty()).await {
            return Err(ToolError::failure("no text"));
        }
        let flag = ctx.is_cancelled();
        Ok(vec![PromptMessage::user(format!("{text}{}{page:?}{cow}{flag}", path.display()))])
    }

    /// Every key of a prompt.
    #[prompt(
        name = "every-key",
        title = "Every key",
        description = "What is said about a prompt.",
        icon(src = "https://example.com/icon.png", mime_type = "image/png", sizes = "48x48", theme = "dark"),
        meta = serde_json::json!({ "team": "billing" }),
        timeout = 0.5,
        blocking,
    )]
    fn keys(
        #[arg(description = ABOUT, rename = "how-many", range = 1..=20, default = 3, example = 4)] count: u32,
        #[arg(complete = words)] r#type: &str,
        #[arg(complete = |typed: &str| vec![typed.to_owned()])] other: String,
    ) -> ContentBlock {
        ContentBlock::text(other + &format!("{}{count}", r#type.len()))
    }

    /// All arguments in one.
    #[prompt]
    #[expect(clippy::needless_pass_by_value, reason = "it is taken")]
    fn whole(#[args] page: Page) -> String {
        format!("{page:?}")
    }

    /// A prompt that is not to be used any more.
    #[prompt]
    #[deprecated = "get `public`"]
    fn outdated(text: &str) -> String {
        text.to_uppercase()
    }

    /// A prompt that is listed nowhere, which the compiler notices.
    #[prompt]
    #[expect(dead_code, reason = "it is listed nowhere")]
    fn unlisted(text: &str) -> String {
        text.to_uppercase()
    }

    /// A public resource.
    #[resource("lints://public")]
    #[inline]
    #[must_use]
    pub fn plain() -> String {
        "plain".to_owned()
    }

    /// Every key of a resource.
    #[resource(
        "lints://{id}/{+path}{?count,text}",
        name = "every key",
        title = "Every key",
        description = concat!("What is said about ", "a resource."),
        mime_type = "text/plain",
        size = 4096,
        priority = 0.5,
        audience = "user",
        audience = "assistant",
        last_modified = "2026-07-28",
        ttl = 300,
        cache_scope = "public",
        icon(src = "https://example.com/icon.png", theme = "dark"),
        meta = serde_json::json!({ "team": "billing" }),
        timeout = 0.5,
    )]
    async fn template(
        #[arg(complete = words, example = 4)] id: u32,
        path: &Path,
        #[arg(range = 1..=20, default = 3)] count: u32,
        #[arg(len = 1..=80, default = "once")] text: &str,
        /// Who asks.
        ctx: &Context,
        desk: State<Desk>,
        lent: &State<Desk>,
    ) -> Result<Option<ResourceContents>, String> {
        if ready(ctx.is_cancelled()).await {
            return Err(format!("{id}{count}{text}"));
        }
        Ok(lent.name.starts_with(&desk.name).then(|| ResourceContents::text("", path.display().to_string())))
    }

    /// A resource whose types draw lints, which the function expects.
    #[resource("lints://outdated/{number}")]
    #[expect(unused_qualifications, reason = "the macro has to take it")]
    fn qualified(number: self::Number) -> String {
        number.to_string()
    }

    /// A number.
    type Number = u8;

    /// What is shared.
    #[derive(Debug, Default)]
    pub struct Desk {
        /// What it is called.
        name: String,
    }

    #[toolset]
    impl Desk {
        /// A method that is a prompt.
        #[prompt]
        #[inline]
        #[must_use]
        pub fn prompt_of_desk(&self, text: &str) -> String {
            format!("{}{text}", self.name)
        }

        /// A method that is a resource.
        #[resource("lints://desk/{text}")]
        async fn resource_of_desk(self: Arc<Self>, text: &str) -> String {
            ready(()).await;
            format!("{}{text}", self.name)
        }
    }

    impl Desk {
        /// A method without a toolset.
        #[prompt]
        fn alone(&self) -> String {
            self.name.clone()
        }
    }

    /// Every prompt but those of toolsets.
    #[must_use]
    #[inline]
    pub fn all_prompts() -> Vec<PromptDef> {
        /// A prompt inside of a body.
        #[prompt]
        fn inner(text: &str) -> String {
            text.to_uppercase()
        }

        let outer = prompts![public, private_later, keys, whole, outdated, Desk::alone];
        outer.into_iter().chain(prompts![inner]).chain(prompts![]).collect()
    }

    /// Every resource but those of toolsets.
    #[must_use]
    #[inline]
    pub const fn all_resources() -> [ResourceDef; 3] {
        resources![plain, template, qualified]
    }
}

/// In a crate that writes every `return`.
pub mod returning {
    #![deny(clippy::implicit_return)]
    #![allow(clippy::needless_return, reason = "the two exclude each other")]

    use std::future::ready;

    use mcp_runtime::{Context, ToolDef, tool, tools};

    /// Lends and takes.
    #[tool]
    fn returned(text: &str, number: Option<u8>, ctx: &Context) -> Result<String, String> {
        return if ctx.is_cancelled() { Err(String::new()) } else { Ok(format!("{text}{number:?}")) };
    }

    /// Lends and takes, and waits.
    #[tool]
    async fn returned_later(text: &str, number: Option<u8>) -> String {
        return ready(format!("{text}{number:?}")).await;
    }

    /// Every tool of this module.
    #[must_use]
    #[inline]
    pub const fn all() -> [ToolDef; 2] {
        return tools![returned, returned_later];
    }
}

#[test]
fn lists_every_sample() {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let listed = runtime.block_on(async {
        let functions = Server::new("lints", "1.0.0").tools(samples::all()).tools(returning::all()).tools(keys::all());
        let methods = functions.state(methods::Counter::default()).tools(methods::all());
        let mut client = methods.toolset(methods::Desk::<u8, 3>::default()).connect().await?;
        client.list_tools().await
    });
    let names: Vec<_> = listed.expect("the tools are listed").iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, EXPECTED);
}

#[test]
fn lists_every_prompt_and_resource() {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let (prompts, resources, templates) = runtime.block_on(async {
        let server = Server::new("lints", "1.0.0").prompts(others::all_prompts()).resources(others::all_resources());
        let mut client = server.toolset(others::Desk::default()).connect().await.expect("the server starts");
        let prompts = client.list_prompts().await.expect("the prompts are listed");
        let resources = client.list_resources().await.expect("the resources are listed");
        (prompts, resources, client.list_resource_templates().await.expect("the templates are listed"))
    });
    assert_eq!((prompts.len(), resources.len(), templates.len()), (8, 1, 3));
}

/// The names in the order of the list.
const EXPECTED: [&str; 38] = [
    "public",
    "public_later",
    "private",
    "private_later",
    "unit",
    "unit_later",
    "borrowed",
    "borrowed_later",
    "optional",
    "context",
    "context_later",
    "fallible",
    "result_later",
    "blocks",
    "full",
    "changed",
    "conditional",
    "outdated",
    "outdated_types",
    "match",
    "inner",
    "returned",
    "returned_later",
    "number_keys",
    "text_keys",
    "whole",
    "whole_later",
    "every-setting",
    "by_facade",
    "state",
    "state_later",
    "alone",
    "report",
    "shown",
    "shown_later",
    "shared",
    "free",
    "conditional_method",
];
