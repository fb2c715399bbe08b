use std::borrow::Cow as Text;
use std::option::Option as Maybe;
use std::process::ExitCode;
use std::result::Result as Either;
use std::vec::Vec as List;

use mcp_runtime::{Context as Call, Server, ToolError as Failure, tool, tools};

mod shop {
    pub(crate) use mcp_runtime::Context;

    pub(crate) type Result<T, E = mcp_runtime::ToolError> = std::result::Result<T, E>;
}

type Result<T> = std::result::Result<T, Failure>;
type Outcome = Result<u8>;
type Name = String;
type Nickname = Option<Name>;
type Borrowed<'a> = Text<'a, str>;
type Ctx = Call;

#[tool]
async fn renamed_imports(a: Maybe<u8>, b: List<u8>, c: Text<'_, str>, call: &Call) -> Either<String, Failure> {
    Ok(format!("{a:?}{b:?}{c}{}", call.is_cancelled()))
}

#[tool]
fn aliases(name: Name, nickname: Nickname, lent: &Name, ctx: &Ctx, again: &shop::Context, text: Borrowed<'_>) -> Result<String> {
    Ok(format!("{name}{nickname:?}{lent}{text}{}{}", ctx.is_cancelled(), again.is_cancelled()))
}

#[tool]
fn alias_of_whole_result() -> Outcome {
    Ok(1)
}

#[tool]
async fn alias_of_module() -> shop::Result<u8> {
    Ok(1)
}

#[tool]
async fn alias_of_module_with_error() -> shop::Result<u8, String> {
    Ok(1)
}

#[tool]
fn result_of_fmt(text: &str) -> std::fmt::Result {
    if text.is_empty() { Err(std::fmt::Error) } else { Ok(()) }
}

#[tool]
fn result_of_io(path: &std::path::Path) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

#[tool]
fn whole_paths(a: std::option::Option<::std::string::String>, ctx: &mcp_runtime::Context) -> std::string::String {
    format!("{a:?}{}", ctx.is_cancelled())
}

fn main() -> ExitCode {
    let tools = tools![
        renamed_imports,
        aliases,
        alias_of_whole_result,
        alias_of_module,
        alias_of_module_with_error,
        result_of_fmt,
        result_of_io,
        whole_paths
    ];
    Server::new("aliases", "1.0.0").tools(tools).run_from(["list"])
}
