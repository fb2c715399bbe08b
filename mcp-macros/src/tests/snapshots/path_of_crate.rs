fn add(a: u8, b: &str) -> u8 {
    a
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_add: my_facade::mcp::__private::ToolDef = {
    use my_facade::mcp::__private as __mcp_private;
    __mcp_private::ToolDef::new(
            "add",
            |__mcp_params| {
                #[allow(unused_imports)]
                use __mcp_private::{ParamUnshown as _, ParamUnsupported as _};
                __mcp_params
                    .taken::<u8>("a")
                    .__mcp_default(::core::default::Default::default);
                __mcp_params.lent::<str>("b");
            },
            |__mcp_output| {
                __mcp_output.success(__mcp_private::Returns::<u8>::NEW.__mcp_success());
                __mcp_output.error(__mcp_private::Returns::<u8>::NEW.__mcp_error());
            },
            |__mcp_call| {
                let __mcp_0 = __mcp_private::Take::<u8>::NEW
                    .__mcp_take(__mcp_call, 0usize);
                let __mcp_1 = __mcp_private::Lend::<str>::NEW
                    .__mcp_hold(__mcp_call, 1usize);
                let (
                    ::core::option::Option::Some(__mcp_0),
                    ::core::option::Option::Some(__mcp_1),
                ) = (__mcp_0, __mcp_1) else {
                    return __mcp_private::Started::refused();
                };
                __mcp_private::Started::future(async move {
                    __mcp_private::Returned::outcome(
                        add(__mcp_0, __mcp_1.__mcp_lend()),
                        __mcp_private::Returns::<u8>::NEW.__mcp_success().__mcp_tool(),
                        __mcp_private::Returns::<u8>::NEW.__mcp_error().__mcp_failure(),
                    )
                })
            },
        )
        .sync()
};
