fn ping() {}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_ping: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "ping",
        |__mcp_params| {},
        |__mcp_output| {
            __mcp_output
                .success(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_success());
            __mcp_output
                .error(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_error());
        },
        |__mcp_call| {
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    ping(),
                    ::mcp_runtime::__private::Returns::<()>::NEW
                        .__mcp_success()
                        .__mcp_tool(),
                    ::mcp_runtime::__private::Returns::<()>::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .sync();
