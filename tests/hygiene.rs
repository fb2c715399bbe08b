//! The output of the macros means the same, whatever the names around it mean.

#![no_implicit_prelude]
#![allow(dead_code, unused_macros, reason = "most names only have to be there")]
#![allow(clippy::needless_pass_by_value, clippy::unused_async, reason = "the functions stand for their signatures")]
#![allow(clippy::new_ret_no_self, clippy::wrong_self_convention, reason = "the methods stand for their names")]

// Modules with the names of crates.
mod alloc {}
mod core {}
mod mcp_macros {}
mod mcp_runtime {}
mod schemars {}
mod serde {}
mod serde_json {}
mod std {}
mod tokio {}

// Macros with names of the standard ones.
macro_rules! compile_error {
    () => {};
}
macro_rules! concat {
    () => {};
}

/// What has a meaning in the prelude or in the output, with another one.
mod names {
    macro_rules! structs {
        ($($name:ident)*) => { $(
            #[derive(::serde::Deserialize, ::serde::Serialize, ::schemars::JsonSchema)]
            #[schemars(crate = "::schemars")]
            pub(crate) struct $name(pub(crate) usize);
        )* };
    }

    structs! { Box Option Result String Vec }
    structs! { Call Context Failure Held Lend LendRefused NeverHeld Output Params Returned Returns Started Success Take }
    structs! { Outcome TakeRefused ToolDef ToolError }
    structs! { Arc Default Duration Icon Icons Into Param ParamEntry ParamKind Server State Value }
    structs! { Completion Form FormChoice PromptDef PromptEntry PromptMessage Read ResourceContents ResourceDef Stop }

    pub(crate) struct Err;
    pub(crate) struct None;
    pub(crate) struct Ok;
    pub(crate) struct Some;

    pub(crate) trait Completer {}
    pub(crate) trait Deref {}
    pub(crate) trait FromText {}
    pub(crate) trait Future {}
    pub(crate) trait ParamUnshown {}
    pub(crate) trait ParamUnsupported {}
    pub(crate) trait PromptOutput {}
    pub(crate) trait Provided {}
    pub(crate) trait ResourceOutput {}
    pub(crate) trait Send {}
    pub(crate) trait Sized {}
    pub(crate) trait ToolOutput {}
    pub(crate) trait ToolParam {}
    pub(crate) trait ToolState {}
    pub(crate) trait Toolset {}
}

/// Methods of every type, with the names of those that the output calls, in each form that a method can have.
mod methods {
    macro_rules! methods {
        ($($name:ident)*) => {
            pub(crate) trait ByValue: ::core::marker::Sized {
                $(fn $name(self) {})*
            }

            pub(crate) trait ByReference {
                $(fn $name(&self) {})*
            }

            pub(crate) trait ByMutableReference {
                $(fn $name(&mut self) {})*
            }

            pub(crate) trait ByPath {
                $(fn $name() {})*
            }
        };
    }

    methods! {
        description destructive error future hold idempotent invalid lend lent name open_world outcome read_only refused
        failure prompt read resource success sync take taken title tool

        all at_least at_most blocking default example from_text header icon icons into less_than max_len meta mime_type
        min_len new pattern push receiver shorter_than sizes text theme timeout tools

        audience cache_scope complete deref erased into_outcome into_result last_modified priority prompts provided
        provided_lent resources size ttl uri
    }

    impl<T> ByValue for T {}
    impl<T: ?::core::marker::Sized> ByReference for T {}
    impl<T: ?::core::marker::Sized> ByMutableReference for T {}
    impl<T: ?::core::marker::Sized> ByPath for T {}
}

/// Among all these names.
mod among {
    #[allow(unused_imports, reason = "no method of theirs is called, and that is the test")]
    use super::methods::*;
    use super::names::*;

    pub(crate) struct Unknown(&'static str);

    impl ::core::fmt::Display for Unknown {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(self.0)
        }
    }

    /// Takes and lends.
    #[::mcp_runtime::tool(title = "Sum", read_only, destructive = false, idempotent, open_world = false)]
    pub(crate) fn sum(
        /// A text.
        text: &str,
        string: String,
        option: Option,
        list: &Vec,
        maybe: ::core::option::Option<usize>,
        ctx: &::mcp_runtime::Context,
    ) -> Result {
        let more = if ctx.is_cancelled() { 0 } else { maybe.unwrap_or(1) };
        Result(text.len() + string.0 + option.0 + list.0 + more)
    }

    #[::mcp_runtime::tool]
    pub(crate) async fn sum_later(text: &str, number: usize, ctx: &::mcp_runtime::Context) -> Output {
        ::core::future::ready(()).await;
        Output(if ctx.is_cancelled() { 0 } else { text.len() + number })
    }

    #[::mcp_runtime::tool]
    pub(crate) fn nothing() {}

    #[::mcp_runtime::tool]
    pub(crate) async fn nothing_later() {}

    #[::mcp_runtime::tool]
    pub(crate) fn fail(text: &str) -> ::core::result::Result<Vec, ::mcp_runtime::ToolError> {
        ::core::result::Result::Err(::mcp_runtime::ToolError::failure(text))
    }

    #[::mcp_runtime::tool]
    pub(crate) fn fail_in_a_standard_way() -> ::core::result::Result<(), ::core::fmt::Error> {
        ::core::result::Result::Err(::core::fmt::Error)
    }

    #[::mcp_runtime::tool]
    pub(crate) async fn fail_with_what_is_displayed() -> ::core::result::Result<usize, Unknown> {
        ::core::result::Result::Err(Unknown("unknown"))
    }

    /// The names of what the output binds.
    #[::mcp_runtime::tool]
    pub(crate) fn take(
        __mcp_0: &str,
        __mcp_1: usize,
        call: usize,
        params: usize,
        output: usize,
        __mcp_call: usize,
    ) -> usize {
        __mcp_0.len() + __mcp_1 + call + params + output + __mcp_call
    }

    /// The name is that of a local variable of the output.
    #[::mcp_runtime::tool]
    pub(crate) fn __mcp_0(__mcp_0: usize) -> usize {
        __mcp_0
    }

    #[doc = ::core::concat!("Of ", "pieces.")]
    /// And a line.
    #[::mcp_runtime::tool]
    pub(crate) fn documented() -> ::mcp_runtime::ContentBlock {
        ::mcp_runtime::ContentBlock::text("")
    }

    #[::mcp_runtime::tool(
        icon(src = "a.png", mime_type = "image/png", sizes = "1x1", theme = "dark"),
        meta = "text",
        timeout = 0.5,
        blocking
    )]
    pub(crate) fn set() {}

    #[::mcp_runtime::tool]
    pub(crate) async fn keyed(
        #[arg(default = 3, range = 0..=20, example = 4, header = "Number", description = "A number.")] number: usize,
        #[arg(default = "four", len = 1..=80, example = "five", rename = "name")] text: &str,
        #[arg(len = 1..9)] string: ::core::option::Option<::std::string::String>,
        #[arg(default)] maybe: ::core::option::Option<usize>,
        #[arg(default = Vec(1))] list: &Vec,
    ) -> usize {
        number + text.len() + list.0 + maybe.unwrap_or(0) + string.map_or(0, |it| it.len())
    }

    #[::mcp_runtime::tool]
    pub(crate) fn whole(#[args] call: &::std::collections::BTreeMap<::std::string::String, usize>) -> usize {
        call["a"] + call["b"]
    }

    #[::mcp_runtime::tool]
    pub(crate) fn stated(state: ::mcp_runtime::State<Desk>, lent: &::mcp_runtime::State<Desk>) -> usize {
        state.0 + lent.0
    }

    fn words(typed: &str) -> [&'static str; 2] {
        if typed.len() > 1 { ["go", "rust"] } else { ["", "c"] }
    }

    async fn words_later(request: ::mcp_runtime::CompletionRequest) -> ::mcp_runtime::Completion {
        ::mcp_runtime::Completion::new([::std::borrow::ToOwned::to_owned(::mcp_runtime::CompletionRequest::value(
            &request,
        ))])
    }

    /// Takes and lends.
    #[::mcp_runtime::prompt(title = "Ask", timeout = 0.5, blocking)]
    pub(crate) fn ask(
        /// A text.
        #[arg(complete = words)]
        text: &str,
        #[arg(default = 3, range = 0..=20, complete = |_: &str| ["1", "2"])] number: usize,
        maybe: ::core::option::Option<usize>,
        ctx: &::mcp_runtime::Context,
        state: &::mcp_runtime::State<Desk>,
    ) -> ::std::string::String {
        ::std::format!("{text}{number}{}{}{}", maybe.unwrap_or(0), ctx.is_cancelled(), state.0)
    }

    #[::mcp_runtime::prompt]
    pub(crate) async fn ask_later(
        #[arg(complete = words_later)] __mcp_0: &str,
    ) -> ::core::result::Result<[::mcp_runtime::PromptMessage; 1], Unknown> {
        ::core::result::Result::Ok([::mcp_runtime::PromptMessage::user(__mcp_0)])
    }

    #[::mcp_runtime::prompt]
    pub(crate) fn ask_whole(#[args] call: ::std::collections::BTreeMap<::std::string::String, usize>) -> &'static str {
        if call.is_empty() { "none" } else { "some" }
    }

    #[::mcp_runtime::resource("desk://plain")]
    pub(crate) fn read() -> &'static str {
        "plain"
    }

    /// Every key.
    #[::mcp_runtime::resource(
        "desk://{text}/{+__mcp_1}{?number}",
        mime_type = "text/plain",
        size = 3,
        priority = 0.5,
        audience = "user",
        last_modified = "2026-07-28",
        ttl = 300,
        cache_scope = "public",
        icon(src = "a.png", theme = "dark"),
        meta = "text"
    )]
    pub(crate) async fn read_template(
        #[arg(complete = words, len = 1..=80)] text: &str,
        __mcp_1: ::std::string::String,
        #[arg(default = 3)] number: usize,
        /// Not of the URI.
        ctx: &::mcp_runtime::Context,
        taken: ::mcp_runtime::State<Desk>,
        lent: &::mcp_runtime::State<Desk>,
    ) -> ::core::option::Option<::std::string::String> {
        let more = if ctx.is_cancelled() { 0 } else { number + taken.0 + lent.0 };
        ::core::option::Option::Some(::std::format!("{text} {__mcp_1} {more}"))
    }

    #[::mcp_runtime::resource("fail://{text}")]
    pub(crate) fn read_failing(text: &str) -> ::core::result::Result<Vec, ::mcp_runtime::ToolError> {
        ::core::result::Result::Err(::mcp_runtime::ToolError::failure(text))
    }

    pub(crate) struct Desk(pub(crate) usize);

    #[::mcp_runtime::toolset]
    impl Desk {
        #[::mcp_runtime::tool]
        fn lent(&self, __mcp_0: usize) -> usize {
            self.0 + __mcp_0
        }

        #[::mcp_runtime::tool]
        async fn shared(self: ::std::sync::Arc<Self>, __mcp_call: usize) -> usize {
            self.0 + __mcp_call
        }

        #[::mcp_runtime::tool]
        fn tools(__mcp_tools: usize) -> usize {
            __mcp_tools
        }

        #[::mcp_runtime::prompt]
        fn prompts(&self, __mcp_prompts: usize) -> ::std::string::String {
            ::std::format!("{}{__mcp_prompts}", self.0)
        }

        #[::mcp_runtime::resource("desk://resources{?__mcp_resources}")]
        async fn resources(
            self: ::std::sync::Arc<Self>,
            __mcp_resources: ::core::option::Option<usize>,
        ) -> ::std::string::String {
            ::std::format!("{}{}", self.0, __mcp_resources.unwrap_or(0))
        }
    }

    #[::mcp_runtime::toolset(new)]
    impl Desk {
        #[::mcp_runtime::tool]
        pub(crate) fn named(&self) -> usize {
            self.0
        }
    }

    pub(crate) const MORE_TOOLS: [::mcp_runtime::ToolDef; 4] = ::mcp_runtime::tools![set, keyed, whole, stated];

    pub(crate) const TOOLS: [::mcp_runtime::ToolDef; 10] = ::mcp_runtime::tools![
        sum,
        sum_later,
        nothing,
        nothing_later,
        fail,
        fail_in_a_standard_way,
        fail_with_what_is_displayed,
        take,
        __mcp_0,
        documented,
    ];

    pub(crate) const NO_TOOLS: [::mcp_runtime::ToolDef; 0] = ::mcp_runtime::tools![];

    pub(crate) const PROMPTS: [::mcp_runtime::PromptDef; 3] = ::mcp_runtime::prompts![ask, ask_later, ask_whole];

    pub(crate) const RESOURCES: [::mcp_runtime::ResourceDef; 3] =
        ::mcp_runtime::resources![read, read_template, read_failing];
}

#[::core::prelude::v1::test]
fn calls_tools_among_names_that_mean_something_else() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let server = ::mcp_runtime::Server::new("hygiene", "1.0.0");
        let server = server.tools(among::NO_TOOLS).tools(among::TOOLS).tools(among::MORE_TOOLS);
        let server = server.toolset(among::Desk(1)).tools(among::Desk::new());
        let mut client = server.connect().await.expect("the server starts");

        let listed = client.list_tools().await.expect("the tools are listed");
        let expected = [
            ("sum", r#"{"text":"four","string":1,"option":2,"list":3}"#, "11"),
            ("sum_later", r#"{"text":"four","number":1}"#, "5"),
            ("nothing", "{}", ""),
            ("nothing_later", "{}", ""),
            ("fail", r#"{"text":"failed"}"#, "failed"),
            ("fail_in_a_standard_way", "{}", "an error occurred when formatting an argument"),
            ("fail_with_what_is_displayed", "{}", "unknown"),
            ("take", r#"{"__mcp_0":"four","__mcp_1":1,"call":2,"params":3,"output":4,"__mcp_call":5}"#, "19"),
            ("__mcp_0", r#"{"__mcp_0":7}"#, "7"),
            ("documented", "{}", ""),
            ("set", "{}", ""),
            ("keyed", r#"{"string":"six"}"#, "11"),
            ("whole", r#"{"a":1,"b":2}"#, "3"),
            ("stated", "{}", "2"),
            ("lent", r#"{"__mcp_0":2}"#, "3"),
            ("shared", r#"{"__mcp_call":3}"#, "4"),
            ("tools", r#"{"__mcp_tools":4}"#, "4"),
            ("named", "{}", "1"),
        ];
        ::core::assert_eq!(listed.len(), expected.len());
        for (tool, arguments, text) in expected {
            let arguments = ::serde_json::from_str(arguments).expect("the arguments are JSON");
            let result = client.call_tool(tool, arguments).await.expect("the tool answers");
            ::core::assert_eq!(result["content"][0]["text"].as_str().unwrap_or(""), text, "{tool}");
        }
    });
}

#[::core::prelude::v1::test]
fn gets_prompts_and_reads_resources_among_names_that_mean_something_else() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let server = ::mcp_runtime::Server::new("hygiene", "1.0.0").prompts(among::PROMPTS).resources(among::RESOURCES);
        let mut client = server.toolset(among::Desk(1)).connect().await.expect("the server starts");

        let prompts = [
            ("ask", r#"{"text":"four","maybe":"2"}"#, "four32false1"),
            ("ask_later", r#"{"__mcp_0":"four"}"#, "four"),
            ("ask_whole", r#"{"a":"1"}"#, "some"),
            ("prompts", r#"{"__mcp_prompts":"2"}"#, "12"),
        ];
        ::core::assert_eq!(client.list_prompts().await.expect("the prompts are listed").len(), prompts.len());
        for (prompt, arguments, text) in prompts {
            let arguments = ::serde_json::from_str(arguments).expect("the arguments are JSON");
            let result = client.get_prompt(prompt, arguments).await.expect("the prompt answers");
            ::core::assert_eq!(result["messages"][0]["content"]["text"].as_str().unwrap_or(""), text, "{prompt}");
        }

        let resources = [
            ("desk://plain", "plain"),
            ("desk://four/a/b?number=4", "four a/b 6"),
            ("desk://resources?__mcp_resources=2", "12"),
        ];
        for (uri, text) in resources {
            let result = client.read_resource(uri).await.expect("the resource is read");
            ::core::assert_eq!(result["contents"][0]["text"].as_str().unwrap_or(""), text, "{uri}");
        }
        let failure = client.read_resource("fail://four").await.expect_err("the resource fails");
        ::core::assert_eq!(::std::string::ToString::to_string(&failure), "four (-32603)");
    });
}
