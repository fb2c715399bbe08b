fn order_status(order_id: &str, history: u8) {}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_order_status: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "order_status",
        |__mcp_params| {
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::{ParamUnshown as _, ParamUnsupported as _};
            __mcp_params
                .lent::<str>("order_id")
                .description(ABOUT)
                .min_len(1)
                .__mcp_max_len(80)
                .pattern("^[A-Z]")
                .header("Order")
                .__mcp_default(|| ::mcp_runtime::__private::text("PT-1"));
            __mcp_params
                .taken::<u8>("events")
                .description("How many past events to include.")
                .at_least(0)
                .at_most(20)
                .__mcp_example(|| 5)
                .__mcp_example(|| MANY)
                .__mcp_default(|| 3);
        },
        |__mcp_output| {
            __mcp_output
                .success(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_success());
            __mcp_output
                .error(::mcp_runtime::__private::Returns::<()>::NEW.__mcp_error());
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::Lend::<str>::NEW
                .__mcp_hold(__mcp_call, 0usize);
            let __mcp_1 = ::mcp_runtime::__private::Take::<u8>::NEW
                .__mcp_take(__mcp_call, 1usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
            ) = (__mcp_0, __mcp_1) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    order_status(__mcp_0.__mcp_lend(), __mcp_1),
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
