#[cfg(unix)]
#[deprecated]
#[must_use]
#[allow(clippy::unused_async)]
pub(crate) async fn r#move(#[allow(unused)] mut r#type: u8) -> u8 {
    r#type
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
pub(crate) const __tool_move: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
    "move",
    |__mcp_params| {
        __mcp_params.taken::<u8>("type");
    },
    |__mcp_output| {
        __mcp_output
            .success(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_success());
        __mcp_output.error(::mcp_runtime::__private::Returns::<u8>::NEW.__mcp_error());
    },
    |__mcp_call| {
        let __mcp_0 = ::mcp_runtime::__private::Take::<u8>::NEW
            .__mcp_take(__mcp_call, 0usize);
        let (::core::option::Option::Some(__mcp_0),) = (__mcp_0,) else {
            return ::mcp_runtime::__private::Started::refused();
        };
        ::mcp_runtime::__private::Started::future(async move {
            ::mcp_runtime::__private::Returned::outcome(
                r#move(__mcp_0).await,
                ::mcp_runtime::__private::Returns::<u8>::NEW
                    .__mcp_success()
                    .__mcp_tool(),
                ::mcp_runtime::__private::Returns::<u8>::NEW
                    .__mcp_error()
                    .__mcp_failure(),
            )
        })
    },
);
