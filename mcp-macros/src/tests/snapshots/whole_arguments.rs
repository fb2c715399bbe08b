async fn run(ctx: &Context, op: Operation) {}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_run: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
    "run",
    |__mcp_params| {
        __mcp_params.lent::<Context>("ctx");
        __mcp_params.all::<Operation>("op");
    },
    |__mcp_output| {
        __mcp_output
            .success(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_success());
        __mcp_output.error(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_error());
    },
    |__mcp_call| {
        let __mcp_0 = ::mcp_runtime::__private::Lend::<Context>::NEW
            .__mcp_hold(__mcp_call, 0usize);
        let __mcp_1 = ::mcp_runtime::__private::Take::<Operation>::NEW
            .__mcp_take(__mcp_call, 1usize);
        let (
            ::core::option::Option::Some(__mcp_0),
            ::core::option::Option::Some(__mcp_1),
        ) = (__mcp_0, __mcp_1) else {
            return ::mcp_runtime::__private::Started::refused();
        };
        ::mcp_runtime::__private::Started::future(async move {
            ::mcp_runtime::__private::Returned::outcome(
                run(__mcp_0.__mcp_lend(), __mcp_1).await,
                ::mcp_runtime::__private::Returns::<()>::NEW
                    .__mcp_success()
                    .__mcp_tool(),
                ::mcp_runtime::__private::Returns::<()>::NEW
                    .__mcp_error()
                    .__mcp_failure(),
            )
        })
    },
);
