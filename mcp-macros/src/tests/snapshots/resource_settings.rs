fn readme() -> &'static str {
    README
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __resource_readme: ::mcp_runtime::__private::ResourceDef = ::mcp_runtime::__private::ResourceDef::new(
        "Read me",
        "file:///readme.md",
        |__mcp_params| {},
        |__mcp_output| {
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<&'static str>::NEW
                        .__mcp_success(),
                );
            __mcp_output
                .error(
                    ::mcp_runtime::__private::Returns::<&'static str>::NEW.__mcp_error(),
                );
        },
        |__mcp_call| {
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    readme(),
                    ::mcp_runtime::__private::Returns::<&'static str>::NEW
                        .__mcp_success()
                        .__mcp_resource(),
                    ::mcp_runtime::__private::Returns::<&'static str>::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .title(TITLE)
    .description("About.")
    .mime_type("text/markdown")
    .size(4_096)
    .priority(1.0)
    .last_modified("2026-07-28T09:00:00Z")
    .cache_scope("public")
    .audience("user")
    .audience("assistant")
    .icons(|__mcp_icons| {
        __mcp_icons.icon("a.png");
    })
    .meta(|| ::core::convert::Into::into(values()))
    .ttl(::core::time::Duration::from_millis(1500))
    .timeout(::core::time::Duration::from_millis(2000))
    .blocking()
    .sync();
