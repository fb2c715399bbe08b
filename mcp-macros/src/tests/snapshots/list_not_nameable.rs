const LIST: () = {
    const __MCP_NAMES: &[krate::__private::ListedName] = &krate::__private::ListedName::all([
        krate::__private::ToolDef::name(&__tool_one),
        krate::__private::ToolDef::name(&__tool_two),
    ]);
    const _: () = krate::__private::assert_new_name(__MCP_NAMES, 1usize);
    [
        Self::__tool_add,
        Till::<u8>::__tool_get,
        <Till as Shop>::__tool_sell,
        __tool_one,
        __tool_two,
    ]
};
