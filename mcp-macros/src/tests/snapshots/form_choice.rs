const _: () = {
    #[automatically_derived]
    #[allow(deprecated)]
    impl ::mcp_runtime::__private::IsChoice for Size {}
    #[allow(dead_code, deprecated, unused_qualifications)]
    fn __mcp_check() {
        ::mcp_runtime::__private::form_data::<Size>();
    }
};
