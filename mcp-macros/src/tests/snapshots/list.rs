const LIST: () = {
    const __MCP_NAMES: &[krate::__private::ListedName] = &krate::__private::ListedName::all([
        krate::__private::ToolDef::name(&__tool_add),
        krate::__private::ToolDef::name(&shop::__tool_move),
        krate::__private::ToolDef::name(&Till::__tool_get),
    ]);
    const _: () = krate::__private::assert_new_name(__MCP_NAMES, 1usize);
    const _: () = krate::__private::assert_new_name(__MCP_NAMES, 2usize);
    [__tool_add, shop::__tool_move, Till::__tool_get]
};
