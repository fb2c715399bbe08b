//! The output of the macros means the same, whatever the names around it mean.

#![no_implicit_prelude]
#![allow(dead_code, unused_macros, reason = "most names only have to be there")]
#![allow(clippy::needless_pass_by_value, clippy::unused_async, reason = "the tools stand for their signatures")]
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
    structs! { Call Context Failed Held Lend Output Params Returned Returns Started Succeeded Take ToolDef ToolError }
    structs! { Arc Default Duration Icon Icons Into Param ParamEntry ParamKind Server State Value }

    pub(crate) struct Err;
    pub(crate) struct None;
    pub(crate) struct Ok;
    pub(crate) struct Some;

    pub(crate) trait FailedError {}
    pub(crate) trait FromText {}
    pub(crate) trait Future {}
    pub(crate) trait ParamUnshown {}
    pub(crate) trait ParamUnsupported {}
    pub(crate) trait ReturnedPlain {}
    pub(crate) trait ReturnsPlain {}
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
        split success sync take taken title

        all at_least at_most blocking default example from_text header icon icons into less_than max_len meta mime_type
        min_len new pattern push receiver shorter_than sizes text theme timeout tools
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
