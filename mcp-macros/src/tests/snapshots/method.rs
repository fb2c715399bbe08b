/// Reads.
async fn read<'a>(&'a self, key: &str) -> String {
    self.get(key)
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_read: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "read",
        |__mcp_params| {
            __mcp_params.receiver::<Self>();
            __mcp_params.lent::<str>("key");
        },
        |__mcp_output| {
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<String>::NEW.__mcp_success(),
                );
            __mcp_output
                .error(::mcp_runtime::__private::Returns::<String>::NEW.__mcp_error());
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::receiver::<Self>(__mcp_call);
            let __mcp_1 = ::mcp_runtime::__private::Lend::<str>::NEW
                .__mcp_hold(__mcp_call, 1usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
            ) = (__mcp_0, __mcp_1) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    Self::read(&*__mcp_0, __mcp_1.__mcp_lend()).await,
                    ::mcp_runtime::__private::Returns::<String>::NEW
                        .__mcp_success()
                        .__mcp_tool(),
                    ::mcp_runtime::__private::Returns::<String>::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .description("Reads.");
