const _: () = {
    use my_facade::mcp::__private as __mcp_private;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __mcp_private::IsForm for Address {}
    #[allow(dead_code, deprecated, unused_qualifications)]
    fn __mcp_check() {
        __mcp_private::form_data::<Address>();
        __mcp_private::form_field::<String>();
        __mcp_private::form_field::<u8>();
    }
};
