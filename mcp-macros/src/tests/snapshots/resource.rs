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
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::ReturnsPlain as _;
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
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::{
                FailedAny as _, FailedAsError as _, FailedAsLocalError as _,
                FailedDisplay as _, FailedError as _, FailedTool as _,
                LendUnsupported as _, ReturnedPlain as _, ReadUnsupported as _,
                TakeUnsupported as _,
            };
            let __mcp_0 = ::mcp_runtime::__private::Take::<
                u64,
            >::take(__mcp_call, 0usize);
            let __mcp_1 = ::mcp_runtime::__private::Take::<
                State<Db>,
            >::take(__mcp_call, 1usize);
            let __mcp_2 = ::mcp_runtime::__private::Lend::<
                str,
            >::hold(__mcp_call, 2usize);
            let __mcp_3 = ::mcp_runtime::__private::Lend::<
                Context,
            >::hold(__mcp_call, 3usize);
            let __mcp_4 = ::mcp_runtime::__private::Take::<
                Option<u32>,
            >::take(__mcp_call, 4usize);
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
                let __mcp_returned = order(
                        __mcp_0,
                        __mcp_1,
                        __mcp_2.__mcp_lend(),
                        __mcp_3.__mcp_lend(),
                        __mcp_4,
                    )
                    .await;
                match ::mcp_runtime::__private::Returned(__mcp_returned).__mcp_split() {
                    ::core::result::Result::Ok(__mcp_value) => {
                        ::mcp_runtime::__private::Read(__mcp_value).__mcp_outcome()
                    }
                    ::core::result::Result::Err(__mcp_error) => {
                        (&&&&&::mcp_runtime::__private::Failed(&__mcp_error))
                            .__mcp_outcome()
                    }
                }
            })
        },
    )
    .description("An order.")
    .mime_type("application/json");
