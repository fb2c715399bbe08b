/// An order.
async fn order(
    id: u64,
    db: State<Db>,
    place: &str,
    ctx: &Context,
    page: Option<u32>,
) -> Result<Json<Order>, Unknown> {
    db.find(id, place, page)
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __resource_order: ::mcp_runtime::__private::ResourceDef = ::mcp_runtime::__private::ResourceDef::new(
        "order",
        "orders://{region}/{id}{?page}",
        |__mcp_params| {
            __mcp_params.taken::<u64>("id").description("Its number.").complete(numbers);
            __mcp_params.provided::<<&State<Db> as ::core::ops::Deref>::Target>("db");
            __mcp_params.lent::<str>("region");
            __mcp_params
                .provided_lent::<<&Context as ::core::ops::Deref>::Target>("ctx");
            __mcp_params.taken::<Option<u32>>("page");
        },
        |__mcp_output| {
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<
                        Result<Json<Order>, Unknown>,
                    >::NEW
                        .__mcp_success(),
                );
            __mcp_output
                .error(
                    ::mcp_runtime::__private::Returns::<
                        Result<Json<Order>, Unknown>,
                    >::NEW
                        .__mcp_error(),
                );
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::Take::<u64>::NEW
                .__mcp_take(__mcp_call, 0usize);
            let __mcp_1 = ::mcp_runtime::__private::Take::<State<Db>>::NEW
                .__mcp_take(__mcp_call, 1usize);
            let __mcp_2 = ::mcp_runtime::__private::Lend::<str>::NEW
                .__mcp_hold(__mcp_call, 2usize);
            let __mcp_3 = ::mcp_runtime::__private::Lend::<Context>::NEW
                .__mcp_hold(__mcp_call, 3usize);
            let __mcp_4 = ::mcp_runtime::__private::Take::<Option<u32>>::NEW
                .__mcp_take(__mcp_call, 4usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
                ::core::option::Option::Some(__mcp_2),
                ::core::option::Option::Some(__mcp_3),
                ::core::option::Option::Some(__mcp_4),
            ) = (__mcp_0, __mcp_1, __mcp_2, __mcp_3, __mcp_4) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                ::mcp_runtime::__private::Returned::outcome(
                    order(
                            __mcp_0,
                            __mcp_1,
                            __mcp_2.__mcp_lend(),
                            __mcp_3.__mcp_lend(),
                            __mcp_4,
                        )
                        .await,
                    ::mcp_runtime::__private::Returns::<
                        Result<Json<Order>, Unknown>,
                    >::NEW
                        .__mcp_success()
                        .__mcp_resource(),
                    ::mcp_runtime::__private::Returns::<
                        Result<Json<Order>, Unknown>,
                    >::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .description("An order.")
    .mime_type("application/json");
