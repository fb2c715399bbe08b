#[automatically_derived]
#[allow(deprecated)]
impl ::mcp_runtime::FormField for Size {}
#[automatically_derived]
#[allow(deprecated)]
impl ::mcp_runtime::FormChoice for Size {}
