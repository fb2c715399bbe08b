impl<B> Desk<B> {
    #[prompt(crate = krate, title = "Review")]
    pub fn review(&self, code: &str) -> String {
        code.into()
    }
    #[cfg(unix)]
    #[resource("desk://readme", in_impl, crate = krate, title = "Read me")]
    fn readme() -> &'static str {
        README
    }
    #[cfg_attr(feature = "extra", mcp::resource(r"desk://{id}", crate = krate))]
    async fn item(&self, id: u8) -> String {
        self.find(id)
    }
    #[prompt(in_impl, crate = krate)]
    fn plain() -> String {
        String::new()
    }
}
#[automatically_derived]
impl<B> krate::Toolset for Desk<B> {
    fn tools() -> krate::__private::Vec<krate::__private::ToolDef> {
        #[allow(unused_mut)]
        let mut __mcp_tools = krate::__private::Vec::new();
        __mcp_tools
    }
    fn prompts() -> krate::__private::Vec<krate::__private::PromptDef> {
        let mut __mcp_prompts = krate::__private::Vec::new();
        krate::__private::Vec::push(&mut __mcp_prompts, Self::__prompt_review);
        krate::__private::Vec::push(&mut __mcp_prompts, Self::__prompt_plain);
        __mcp_prompts
    }
    fn resources() -> krate::__private::Vec<krate::__private::ResourceDef> {
        #[allow(unused_mut)]
        let mut __mcp_resources = krate::__private::Vec::new();
        #[cfg(unix)]
        krate::__private::Vec::push(&mut __mcp_resources, Self::__resource_readme);
        #[cfg(feature = "extra")]
        krate::__private::Vec::push(&mut __mcp_resources, Self::__resource_item);
        __mcp_resources
    }
}
