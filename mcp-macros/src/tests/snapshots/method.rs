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
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::ReturnsPlain as _;
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<String>::NEW.__mcp_success(),
                );
            __mcp_output
                .error(::mcp_runtime::__private::Returns::<String>::NEW.__mcp_error());
        },
        |__mcp_call| {
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::{
                FailedAny as _, FailedAsError as _, FailedAsLocalError as _,
                FailedDisplay as _, FailedError as _, FailedTool as _,
                LendUnsupported as _, ReturnedPlain as _, SucceededUnsupported as _,
                TakeUnsupported as _,
            };
            let __mcp_0 = ::mcp_runtime::__private::receiver::<Self>(__mcp_call);
            let __mcp_1 = ::mcp_runtime::__private::Lend::<
                str,
            >::hold(__mcp_call, 1usize);
            let (
                ::core::option::Option::Some(__mcp_0),
                ::core::option::Option::Some(__mcp_1),
            ) = (__mcp_0, __mcp_1) else {
                return ::mcp_runtime::__private::Started::refused();
            };
            ::mcp_runtime::__private::Started::future(async move {
                let __mcp_returned = Self::read(&*__mcp_0, __mcp_1.__mcp_lend()).await;
                match ::mcp_runtime::__private::Returned(__mcp_returned).__mcp_split() {
                    ::core::result::Result::Ok(__mcp_value) => {
                        ::mcp_runtime::__private::Succeeded(__mcp_value).__mcp_outcome()
                    }
                    ::core::result::Result::Err(__mcp_error) => {
                        (&&&&&::mcp_runtime::__private::Failed(&__mcp_error))
                            .__mcp_outcome()
                    }
                }
            })
        },
    )
    .description("Reads.");
