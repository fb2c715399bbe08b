use std::process::ExitCode;

use mcp_runtime::{Server, ToolDef, tools};

mod shop {
    use mcp_runtime::tool;

    pub(super) mod orders {
        use mcp_runtime::tool;

        #[tool]
        pub fn find(id: &str) -> String {
            id.to_owned()
        }

        #[tool]
        pub(in super::super) async fn cancel(id: &str) -> String {
            id.to_owned()
        }
    }

    pub(super) mod carts {
        #[mcp_runtime::tool]
        pub(crate) fn fill(count: u32) -> u32 {
            count
        }

        #[::mcp_runtime::tool()]
        pub(super) fn empty() {}

        pub(crate) const CARTS: &[mcp_runtime::ToolDef] = &mcp_runtime::tools![fill, empty];
    }

    pub(super) use self::carts::*;

    #[tool]
    fn private(text: &str) -> String {
        text.to_owned()
    }

    pub(super) fn tools() -> impl IntoIterator<Item = mcp_runtime::ToolDef> {
        ::mcp_runtime::tools![self::private, super::shop::orders::cancel]
    }
}

use shop::orders::*;

fn in_a_body() -> [ToolDef; 3] {
    use mcp_runtime::tool;

    #[tool]
    fn local(text: &str) -> String {
        text.to_owned()
    }

    #[tool]
    async fn local_async(page: Page) -> u32 {
        page.number
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Page {
        number: u32,
    }

    let inner = {
        #[tool]
        fn inner() {}
        tools![inner]
    };
    let [inner] = inner;
    let [local, local_async] = tools![local, local_async];
    [local, local_async, inner]
}

fn generic_place<T>(_: T) -> [ToolDef; 2] {
    #[mcp_runtime::tool]
    fn one() {}

    #[mcp_runtime::tool]
    fn two() {}

    tools![one, two]
}

const NONE: [ToolDef; 0] = tools![];
static SOME: [ToolDef; 1] = tools![find];

fn main() -> ExitCode {
    Server::new("places", "1.0.0")
        .tools(tools![])
        .tools(NONE)
        .tools(SOME)
        .tools(tools![shop::fill,])
        .tools(tools!(shop::orders::cancel, crate::shop::carts::fill).into_iter().take(0))
        .tools(tools! { self::shop::orders::find }.into_iter().skip(1))
        .tools(shop::CARTS.iter().filter(|def| def.name() == "empty").copied())
        .tools(shop::tools())
        .tools(in_a_body())
        .tools(generic_place(1))
        .run_from(["list"])
}
