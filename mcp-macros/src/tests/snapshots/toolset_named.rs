impl Desk {
    fn helper() {}
    #[tool(crate = my_facade::mcp)]
    pub(super) fn open(self: Arc<Self>) {}
    #[tool(in_impl, title = "Close", crate = other)]
    fn close() {}
}
impl Desk {
    /// The tools of this block, to register them.
    #[must_use]
    pub(super) fn files() -> my_facade::mcp::__private::Vec<
        my_facade::mcp::__private::ToolDef,
    > {
        let mut __mcp_tools = my_facade::mcp::__private::Vec::new();
        my_facade::mcp::__private::Vec::push(&mut __mcp_tools, Self::__tool_open);
        my_facade::mcp::__private::Vec::push(&mut __mcp_tools, Self::__tool_close);
        __mcp_tools
    }
}
