const LIST: () = {
    const __MCP_NAMES: &[&str] = &[
        __tool_add.name(),
        shop::__tool_move.name(),
        Till::__tool_get.name(),
    ];
    const _: () = krate::__private::assert_new_name(__MCP_NAMES, 1usize);
    const _: () = krate::__private::assert_new_name(__MCP_NAMES, 2usize);
    [__tool_add, shop::__tool_move, Till::__tool_get]
};
