/// Asks for a review.
pub async fn review(
    code: &str,
    language: String,
    ctx: &Context,
) -> Result<Vec<PromptMessage>, Failure> {
    ask(code, language)
}
#[doc(hidden)]
#[allow(non_upper_case_globals, deprecated, unused_qualifications)]
pub const __prompt_review: ::mcp_runtime::__private::PromptDef = ::mcp_runtime::__private::PromptDef::new(
        "review",
        |__mcp_params| {
            #[allow(unused_imports)]
            use ::mcp_runtime::__private::{ParamUnshown as _, ParamUnsupported as _};
            __mcp_params.lent::<str>("code").description("The code.");
            __mcp_params
                .taken::<String>("language")
                .min_len(1)
                .__mcp_example(|| ::mcp_runtime::__private::text("c"))
                .__mcp_default(|| ::mcp_runtime::__private::text("rust"));
            __mcp_params.lent::<Context>("ctx");
        },
        |__mcp_output| {
            __mcp_output
                .success(
                    ::mcp_runtime::__private::Returns::<
                        Result<Vec<PromptMessage>, Failure>,
                    >::NEW
                        .__mcp_success(),
                );
            __mcp_output
                .error(
                    ::mcp_runtime::__private::Returns::<
                        Result<Vec<PromptMessage>, Failure>,
                    >::NEW
                        .__mcp_error(),
                );
        },
        |__mcp_call| {
            let __mcp_0 = ::mcp_runtime::__private::Lend::<str>::NEW
                .__mcp_hold(__mcp_call, 0usize);
            let __mcp_1 = ::mcp_runtime::__private::Take::<String>::NEW
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
                    review(__mcp_0.__mcp_lend(), __mcp_1, __mcp_2.__mcp_lend()).await,
                    ::mcp_runtime::__private::Returns::<
                        Result<Vec<PromptMessage>, Failure>,
                    >::NEW
                        .__mcp_success()
                        .__mcp_prompt(),
                    ::mcp_runtime::__private::Returns::<
                        Result<Vec<PromptMessage>, Failure>,
                    >::NEW
                        .__mcp_error()
                        .__mcp_failure(),
                )
            })
        },
    )
    .title("Review")
    .description("Asks for a review.")
    .icons(|__mcp_icons| {
        __mcp_icons.icon("a.png");
    })
    .meta(|| ::core::convert::Into::into(values()))
    .timeout(::core::time::Duration::from_millis(2000))
    .blocking();
