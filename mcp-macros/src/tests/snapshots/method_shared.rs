pub fn read(self: std::sync::Arc<Self>) {}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
pub const __tool_read: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "read",
        |__mcp_params| {
            __mcp_params.receiver::<Self>();
        },
        |__mcp_output| {
            __mcp_output
                .success(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_success());
            __mcp_output
                .error(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_error());
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::receiver::<Self>(__mcp_call);
            let (::core::option::Option::Some(__mcp_0),) = (__mcp_0,) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    Self::read(__mcp_0),
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
