const LIST: () = {
    let __mcp_tools: [krate::__private::ToolDef; 0] = [];
    __mcp_tools
};
