const _: () = {
    #[automatically_derived]
    #[allow(deprecated)]
    impl ::mcp_runtime::__private::IsForm for Address {}
    #[allow(dead_code, deprecated, unused_qualifications)]
    fn __mcp_check() {
        ::mcp_runtime::__private::form_data::<Address>();
        ::mcp_runtime::__private::form_field::<String>();
        ::mcp_runtime::__private::form_field::<Option<i32>>();
        ::mcp_runtime::__private::form_field::<Box<Address>>();
    }
};
