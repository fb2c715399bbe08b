use std::process::ExitCode;

use mcp_runtime::{Context, Server, tool, tools};

/// Every kind of fragment.
macro_rules! tool_of {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($arg:ident: $ty:ty) -> $result:ty $body:block) => {
        #[tool]
        $(#[$meta])*
        $vis fn $name($arg: $ty) -> $result $body
    };
}

tool_of! {
    /// Lends what a fragment names.
    #[must_use]
    pub fn lend(text: &str) -> String { text.to_owned() }
}
tool_of!(pub(crate) fn own(number: u32) -> Result<u32, String> { Ok(number) });
tool_of!(fn list(numbers: &[u8]) -> Vec<u8> { numbers.to_vec() });
tool_of!(fn optional(number: Option<u32>) -> Option<u32> { number });
tool_of!(fn context(ctx: &Context) -> bool { ctx.is_cancelled() });

/// The name of the parameter is the macro's, and so are its types.
macro_rules! greets {
    ($name:ident, $greeting:literal, $description:expr, $doc:literal) => {
        #[tool(title = $greeting, description = $description, read_only = true)]
        async fn $name(#[doc = $doc] name: &str, times: Option<u8>) -> String {
            format!(concat!($greeting, ", {}"), name).repeat(times.unwrap_or(1).into())
        }
    };
}

greets!(hello, "Hello", concat!("Say ", "hello."), "Who is greeted.");
greets!(bye, "Bye", "Say bye.", "Who leaves.");

macro_rules! documented {
    ($name:ident, $doc:expr) => {
        #[doc = $doc]
        #[doc = concat!("More ", "of it.")]
        #[tool]
        fn $name() {}
    };
}

documented!(doc_of_expression, concat!("Of ", "it."));
documented!(doc_of_literal, "Of it.");

/// A whole item as one fragment.
macro_rules! item {
    ($item:item) => {
        #[tool(name = "item")]
        $item
    };
}

item! {
    fn as_item(text: &str, ctx: &Context) -> String {
        format!("{text}{}", ctx.is_cancelled())
    }
}

macro_rules! list {
    ($($tool:path),*) => {
        tools![$($tool),*]
    };
}

macro_rules! list_of_idents {
    ($($tool:ident)*) => {
        tools![$($tool,)*]
    };
}

fn main() -> ExitCode {
    Server::new("macros", "1.0.0")
        .tools(list![lend, self::own, crate::list])
        .tools(list_of_idents![optional context hello bye doc_of_expression doc_of_literal as_item])
        .run_from(["list"])
}
