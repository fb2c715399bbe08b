#[automatically_derived]
#[allow(deprecated)]
#[diagnostic::do_not_recommend]
impl my_facade::mcp::Form for Address {}
const _: () = {
    #[allow(dead_code, deprecated, unused_qualifications)]
    fn __mcp_fields() {
        use my_facade::mcp::__private as __mcp_private;
        __mcp_private::form_field::<String>();
        __mcp_private::form_field::<u8>();
    }
};
