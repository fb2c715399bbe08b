#[automatically_derived]
#[allow(deprecated)]
#[diagnostic::do_not_recommend]
impl ::mcp_runtime::Form for Address {}
const _: () = {
    #[allow(dead_code, deprecated, unused_qualifications)]
    fn __mcp_fields() {
        ::mcp_runtime::__private::form_field::<String>();
        ::mcp_runtime::__private::form_field::<Option<i32>>();
        ::mcp_runtime::__private::form_field::<Box<Address>>();
    }
};
