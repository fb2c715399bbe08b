use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;
use std::process::ExitCode;

use mcp_runtime::{CallToolResult, ContentBlock, Server, ToolError, tool, tools};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Page {
    number: u32,
}

/// It never leaves the thread that made it.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct NotSend(PhantomData<*const u8>);

/// A standard error.
#[derive(Debug)]
struct Missing;

impl Display for Missing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("missing")
    }
}

impl Error for Missing {}

/// A type that lends a standard error, as that of `anyhow` does.
struct Lending(Box<dyn Error + Send + Sync>);

impl AsRef<dyn Error + Send + Sync> for Lending {
    fn as_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl Display for Lending {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A type that is no more than displayed.
struct Shown(String);

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! returns {
    ($($name:ident, $asynchronous:ident: $ty:ty = $value:expr;)*) => {
        $(
            #[tool]
            fn $name() -> $ty {
                $value
            }

            #[tool]
            async fn $asynchronous() -> $ty {
                $value
            }
        )*

        const RETURNS: &[mcp_runtime::ToolDef] = &tools![$($name, $asynchronous),*];
    };
}

returns! {
    unit, async_unit: () = ();
    text, async_text: String = String::new();
    literal, async_literal: &'static str = "";
    cow, async_cow: Cow<'static, str> = "".into();
    integer, async_integer: u64 = 1;
    float, async_float: f64 = 1.0;
    boolean, async_boolean: bool = true;
    list, async_list: Vec<Page> = Vec::new();
    array, async_array: [u8; 2] = [1, 2];
    tuple, async_tuple: (u8, String) = (1, String::new());
    map, async_map: HashMap<String, Page> = HashMap::new();
    optional, async_optional: Option<Page> = None;
    page, async_page: Page = Page { number: 1 };
    lent_page, async_lent_page: &'static Page = &Page { number: 1 };
    json, async_json: serde_json::Value = serde_json::Value::Null;
    not_send, async_not_send: NotSend = NotSend(PhantomData);
    block, async_block: ContentBlock = ContentBlock::text("");
    blocks, async_blocks: Vec<ContentBlock> = Vec::new();
    full, async_full: CallToolResult = CallToolResult::new([ContentBlock::text("")]);

    result_of_unit, async_result_of_unit: Result<(), String> = Ok(());
    result_of_text, async_result_of_text: Result<String, String> = Err(String::new());
    result_of_number, async_result_of_number: Result<u64, String> = Ok(1);
    result_of_list, async_result_of_list: Result<Vec<Page>, String> = Ok(Vec::new());
    result_of_page, async_result_of_page: Result<Page, String> = Ok(Page { number: 1 });
    result_of_block, async_result_of_block: Result<ContentBlock, String> = Ok(ContentBlock::text(""));
    result_of_blocks, async_result_of_blocks: Result<Vec<ContentBlock>, String> = Ok(Vec::new());
    result_of_full, async_result_of_full: Result<CallToolResult, String> = Ok(CallToolResult::new([]));

    error_literal, async_error_literal: Result<Page, &'static str> = Err("");
    error_cow, async_error_cow: Result<Page, Cow<'static, str>> = Err("".into());
    error_tool, async_error_tool: Result<Page, ToolError> = Err(ToolError::failure(""));
    error_boxed, async_error_boxed: Result<Page, Box<dyn Error + Send + Sync>> = Err("".into());
    error_not_send, async_error_not_send: Result<Page, Box<dyn Error>> = Err("".into());
    error_standard, async_error_standard: Result<Page, Missing> = Err(Missing);
    error_io, async_error_io: Result<Page, std::io::Error> = Err(std::io::ErrorKind::NotFound.into());
    error_lending, async_error_lending: Result<Page, Lending> = Err(Lending(Missing.into()));
    error_shown, async_error_shown: Result<Page, Shown> = Err(Shown(String::new()));
    error_impossible, async_error_impossible: Result<Page, Infallible> = Ok(Page { number: 1 });
}

/// A return type that is not written.
#[tool]
fn nothing() {}

#[tool]
async fn async_nothing() {}

fn main() -> ExitCode {
    Server::new("results", "1.0.0").tools(RETURNS.iter().copied()).tools(tools![nothing, async_nothing]).run_from(["list"])
}
