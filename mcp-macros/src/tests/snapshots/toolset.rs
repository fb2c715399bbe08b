#[allow(deprecated)]
/// Docs.
impl<'a, B: Backend, const N: usize> Desk<'a, B, N>
where
    B::Item: Send,
{
    #![allow(unused)]
    const SIZE: usize = { 3 };
    /// Reads a key.
    #[tool(read_only)]
    async fn read(&self, key: String) -> String {
        self.backend.get(&key).await
    }
    #[cfg(feature = "extra")]
    #[cfg_attr(windows, cfg(test), inline)]
    #[tool(in_impl)]
    pub fn free(page: Page<{ N }>) -> Page<{ N }> {
        page
    }
    #[cfg_attr(feature = "extra", mcp::tool(in_impl), inline)]
    pub fn conditional() {}
    pub fn no_tool(&self) -> u8 {
        3
    }
}
#[allow(deprecated)]
#[automatically_derived]
impl<'a, B: Backend, const N: usize> ::mcp_runtime::Toolset for Desk<'a, B, N>
where
    B::Item: Send,
{
    fn tools() -> ::mcp_runtime::__private::Vec<::mcp_runtime::__private::ToolDef> {
        let mut __mcp_tools = ::mcp_runtime::__private::Vec::new();
        ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_read);
        #[cfg(feature = "extra")] #[cfg_attr(windows, cfg(test))]
        ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_free);
        #[cfg(feature = "extra")]
        ::mcp_runtime::__private::Vec::push(&mut __mcp_tools, Self::__tool_conditional);
        __mcp_tools
    }
}
