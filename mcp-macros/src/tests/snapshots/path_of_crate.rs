fn add(a: u8, b: &str) -> u8 {
    a
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
const __tool_add: my_facade::mcp::__private::ToolDef = my_facade::mcp::__private::ToolDef::new(
        "add",
        |__mcp_params| {
            #[allow(unused_imports)]
            use my_facade::mcp::__private::ParamUnshown as _;
            __mcp_params
                .taken::<u8>("a")
                .__mcp_default(::core::default::Default::default);
            __mcp_params.lent::<str>("b");
        },
        |__mcp_output| {
            #[allow(unused_imports)]
            use my_facade::mcp::__private::ReturnsPlain as _;
            __mcp_output
                .success(my_facade::mcp::__private::Returns::<u8>::NEW.__mcp_success());
            __mcp_output
                .error(my_facade::mcp::__private::Returns::<u8>::NEW.__mcp_error());
        },
        |__mcp_call| {
            #[allow(unused_imports)]
            use my_facade::mcp::__private::{
                FailedAny as _, FailedAsError as _, FailedAsLocalError as _,
                FailedDisplay as _, FailedError as _, FailedTool as _,
                LendUnsupported as _, ReturnedPlain as _, SucceededUnsupported as _,
                TakeUnsupported as _,
            };
            let __mcp_0 = my_facade::mcp::__private::Take::<
                u8,
            >::take(__mcp_call, 0usize);
            let __mcp_1 = my_facade::mcp::__private::Lend::<
                str,
            >::hold(__mcp_call, 1usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
            ) = (__mcp_0, __mcp_1) else {
                return my_facade::mcp::__private::Started::refused();
            };
            my_facade::mcp::__private::Started::future(async move {
                let __mcp_returned = add(__mcp_0, __mcp_1.__mcp_lend());
                match my_facade::mcp::__private::Returned(__mcp_returned).__mcp_split() {
                    ::core::result::Result::Ok(__mcp_value) => {
                        my_facade::mcp::__private::Succeeded(__mcp_value).__mcp_outcome()
                    }
                    ::core::result::Result::Err(__mcp_error) => {
                        (&&&&&my_facade::mcp::__private::Failed(&__mcp_error))
                            .__mcp_outcome()
                    }
                }
            })
        },
    )
    .sync();
