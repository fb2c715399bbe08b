/// Not this text.
async fn touch(path: &Path) -> String {
    String::new()
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_touch: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "files.touch",
        |__mcp_params| {
            __mcp_params.lent::<Path>("path");
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
            let __mcp_0 = ::mcp_runtime::__private::Lend::<Path>::NEW
                .__mcp_hold(__mcp_call, 0usize);
            let (::core::option::Option::Some(__mcp_0),) = (__mcp_0,) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    touch(__mcp_0.__mcp_lend()).await,
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
    .title(TITLE)
    .description(concat!("a", "b"))
    .read_only(false)
    .destructive(true)
    .idempotent(true)
    .open_world(false);
