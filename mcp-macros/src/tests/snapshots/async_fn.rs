/// Look up where an order is.
pub async fn order_status(
    order_id: &str,
    limit: Option<u32>,
    ctx: &Context,
) -> Result<OrderStatus, UnknownOrder> {
    find(order_id, limit)
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
pub const __tool_order_status: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::new(
        "order_status",
        |__mcp_params| {
            __mcp_params
                .lent::<str>("order_id")
                .description("Order number, such as PT-1041.");
            __mcp_params.taken::<Option<u32>>("limit");
            __mcp_params.lent::<Context>("ctx");
        },
        |__mcp_output| {
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<
                        Result<OrderStatus, UnknownOrder>,
                    >::NEW
                        .__mcp_success(),
                );
            __mcp_output
                .error(
                    ::mcp_runtime::__private::Returns::<
                        Result<OrderStatus, UnknownOrder>,
                    >::NEW
                        .__mcp_error(),
                );
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::Lend::<str>::NEW
                .__mcp_hold(__mcp_call, 0usize);
            let __mcp_1 = ::mcp_runtime::__private::Take::<Option<u32>>::NEW
                .__mcp_take(__mcp_call, 1usize);
            let __mcp_2 = ::mcp_runtime::__private::Lend::<Context>::NEW
                .__mcp_hold(__mcp_call, 2usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
                ::core::option::Option::Some(__mcp_2),
            ) = (__mcp_0, __mcp_1, __mcp_2) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    order_status(__mcp_0.__mcp_lend(), __mcp_1, __mcp_2.__mcp_lend())
                        .await,
                    ::mcp_runtime::__private::Returns::<
                        Result<OrderStatus, UnknownOrder>,
                    >::NEW
                        .__mcp_success()
                        .__mcp_tool(),
                    ::mcp_runtime::__private::Returns::<
                        Result<OrderStatus, UnknownOrder>,
                    >::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .title("Order status")
    .description("Look up where an order is.")
    .read_only(true);
