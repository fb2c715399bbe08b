#[automatically_derived]
#[allow(deprecated)]
#[diagnostic::do_not_recommend]
impl ::mcp_runtime::FormChoice for Size {}
